"""What words sound like, by the rules of American Soundex."""

from __future__ import annotations

import unicodedata

_DIGITS = {
    letter: digit
    for digit, letters in {"1": "bfpv", "2": "cgjkqsxz", "3": "dt", "4": "l", "5": "mn", "6": "r"}.items()
    for letter in letters
}
_SILENT = "hw"


def soundex(word: str, length: int | None = None) -> str:
    """The first letter, then a digit for each group of consonants; filled up with 0, or cut, to `length` if given.

    Accents are dropped. A word with anything else than the letters a to z has no code. The archives' rules, as they
    are published, cut codes to four places, which makes many long words sound alike; without a length nothing is cut.

    >>> [soundex(name, 4) for name in ("Robert", "Rupert", "Ashcraft", "Tymczak", "Pfister", "Lee")]
    ['R163', 'R163', 'A261', 'T522', 'P236', 'L000']
    >>> soundex("colour") == soundex("color"), soundex("reinterpretation"), soundex("2nd")
    (True, 'R53616335', '')
    """
    letters = unicodedata.normalize("NFKD", word.lower())
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    if not (letters.isascii() and letters.isalpha()):
        return ""
    code, last = letters[0].upper(), _DIGITS.get(letters[0], "")
    for letter in letters[1:]:
        digit = _DIGITS.get(letter, "")
        if digit and digit != last:
            code += digit
        if letter not in _SILENT:
            last = digit
    return code if length is None else code[:length].ljust(length, "0")
