"""Names of languages: two-letter codes, whatever form they were given in."""

from __future__ import annotations

from karat.arguments import check_name
from karat.errors import InputError

NAMES = {
    "ar": "arabic",
    "bg": "bulgarian",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "he": "hebrew",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "is": "icelandic",
    "it": "italian",
    "ja": "japanese",
    "ko": "korean",
    "lt": "lithuanian",
    "lv": "latvian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sk": "slovak",
    "sl": "slovene",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "uk": "ukrainian",
    "vi": "vietnamese",
    "yi": "yiddish",
    "zh": "chinese",
}
"""The English name of each language that some resource knows, by its ISO 639-1 code."""

_THREE_LETTERS = {
    **dict.fromkeys(("ara", "arb"), "ar"),
    **dict.fromkeys(("bul",), "bg"),
    **dict.fromkeys(("cat",), "ca"),
    **dict.fromkeys(("ces", "cze"), "cs"),
    **dict.fromkeys(("dan",), "da"),
    **dict.fromkeys(("deu", "ger"), "de"),
    **dict.fromkeys(("ell", "gre"), "el"),
    **dict.fromkeys(("eng",), "en"),
    **dict.fromkeys(("epo",), "eo"),
    **dict.fromkeys(("spa",), "es"),
    **dict.fromkeys(("est",), "et"),
    **dict.fromkeys(("eus", "baq"), "eu"),
    **dict.fromkeys(("fas", "per", "pes"), "fa"),
    **dict.fromkeys(("fin",), "fi"),
    **dict.fromkeys(("fra", "fre"), "fr"),
    **dict.fromkeys(("gle",), "ga"),
    **dict.fromkeys(("heb",), "he"),
    **dict.fromkeys(("hin",), "hi"),
    **dict.fromkeys(("hun",), "hu"),
    **dict.fromkeys(("hye", "arm"), "hy"),
    **dict.fromkeys(("ind",), "id"),
    **dict.fromkeys(("isl", "ice"), "is"),
    **dict.fromkeys(("ita",), "it"),
    **dict.fromkeys(("jpn",), "ja"),
    **dict.fromkeys(("kor",), "ko"),
    **dict.fromkeys(("lit",), "lt"),
    **dict.fromkeys(("lav", "lvs"), "lv"),
    **dict.fromkeys(("nep", "npi"), "ne"),
    **dict.fromkeys(("nld", "dut"), "nl"),
    **dict.fromkeys(("nor", "nob", "nno", "nb", "nn"), "no"),
    **dict.fromkeys(("pol",), "pl"),
    **dict.fromkeys(("por",), "pt"),
    **dict.fromkeys(("ron", "rum"), "ro"),
    **dict.fromkeys(("rus",), "ru"),
    **dict.fromkeys(("slk", "slo"), "sk"),
    **dict.fromkeys(("slv",), "sl"),
    **dict.fromkeys(("srp",), "sr"),
    **dict.fromkeys(("sot",), "st"),
    **dict.fromkeys(("swe",), "sv"),
    **dict.fromkeys(("tam",), "ta"),
    **dict.fromkeys(("tur",), "tr"),
    **dict.fromkeys(("ukr",), "uk"),
    **dict.fromkeys(("vie",), "vi"),
    **dict.fromkeys(("yid", "ydd"), "yi"),
    **dict.fromkeys(("zho", "chi", "cmn"), "zh"),
}
_BY_NAME = {name: code for code, name in NAMES.items()}


def language_code(language: str) -> str:
    """The two-letter code of a language given as code, locale or English name; an unknown code stays as it is.

    >>> language_code("de_AT"), language_code("deu_Latn"), language_code("German"), language_code("xx")
    ('de', 'de', 'de', 'xx')
    """
    primary = language.strip().replace("_", "-").split("-")[0].lower()
    known = _BY_NAME.get(primary) or _THREE_LETTERS.get(primary)
    if known is None and not (primary.isascii() and primary.isalpha() and len(primary) in (2, 3)):
        raise InputError(f"{language!r} is not a language: write a code such as en, pt-BR or deu")
    return known or primary


def check_language(language: object) -> None:
    """Refuse what names no language by itself, such as the pair en-de, whose first half would pass for the language.

    >>> check_language("en-de")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    karat.errors.InputError: 'en-de' may be a pair of languages: write the one of the translations, 'de', or ...
    """
    check_name("language", language)
    first, *others = str(language).replace("_", "-").split("-")
    for part in others:
        known = part.islower() and (part in NAMES or part in _THREE_LETTERS)
        if known and language_code(part) != language_code(first):
            raise InputError(
                f"{language!r} may be a pair of languages: write the one of the translations, {part!r}, or a region "
                f"in capitals, {f'{first}-{part.upper()}'!r}"
            )
