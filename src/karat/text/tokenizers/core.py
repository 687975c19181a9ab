"""The tokenizers of the compiled core: 13a, intl, zh, zh-fixed, char and none."""

from __future__ import annotations

from karat import kernels
from karat.text.tokenizers.base import CoreTokenizer


class Mteval13a(CoreTokenizer):
    """The default: what NIST's mteval-v13a and WMT use.

    Puts spaces round ASCII punctuation, except hyphens and apostrophes inside words and points and commas inside
    numbers. Before that it removes ``<skipped>`` and hyphens at line ends, and turns ``&quot;``, ``&amp;``, ``&lt;``
    and ``&gt;``, in this order, into the characters they stand for.

    >>> print(Mteval13a()("It's 3.14, says “J. Doe” (5-6 pm)."))
    It's 3.14 , says “J . Doe” ( 5 - 6 pm ) .
    >>> print(Mteval13a()("&amp;lt;b> A&apos;s ..."))
    < b > A & apos ; s . . .

    Traps: no punctuation beyond ASCII is separated, so curly quotes, dashes and the ellipsis character stay with their
    words; ``&apos;`` is not unescaped but torn apart; only the digits 0 to 9 are numbers; a hyphen after a digit is
    separated and one before a digit is not.
    """

    name = "13a"
    needs_spaces = True
    languages = "any that put spaces between words"
    source = "NIST mteval-v13a.pl; sacreBLEU's tokenizer of the same name"


class International(CoreTokenizer):
    """Separates all punctuation and all symbols that Unicode knows: mteval-v14's "international" tokenisation.

    Punctuation (category P) is separated unless it has numbers (N) on both sides; symbols (S) always are.

    >>> print(International()("Don't pay “5,000 €” for 5-6 a-b…"))
    Don ' t pay “ 5,000 € ” for 5-6 a - b …

    Traps: apostrophes and hyphens are separated as well; a full stop right after a number at the end of the line stays
    with it; nothing is unescaped; the result depends on the Unicode version of the tables, which the signature names.
    Unlike the Perl script, it neither removes ``<skipped>`` nor unescapes ``&apos;``.

    >>> print(International()("It was in 2017."))
    It was in 2017.
    """

    name = "intl"
    needs_spaces = True
    languages = "any that put spaces between words, best with punctuation beyond ASCII"
    source = "NIST mteval-v14.pl, option --international-tokenization; sacreBLEU's tokenizer of the same name"

    @property
    def resources(self) -> dict[str, str]:
        """The Unicode version decides what punctuation, symbols and numbers are."""
        return {"unicode": kernels.UNICODE_VERSION}


class Chinese(CoreTokenizer):
    """Makes a token of every Chinese character, and treats the rest much as 13a does.

    Characters are those of a list of CJK blocks: ideographs, radicals, punctuation, full-width forms, bopomofo and
    symbols. Kana and hangul are not in it.

    >>> print(Chinese()("我买了 3.5 kg apples。"))
    我 买 了 3.5 kg apples 。

    Traps: nothing is unescaped, and a full stop right after a number at the end of the line stays with it. Two ranges
    of the list lost a digit in sacreBLEU, and scores can only be compared if karat does the same: every character from
    U+2001 to U+2A6D (curly quotes, dashes, arrows, mathematical signs) is a token, and the rare characters from
    U+20000 on are not. `zh-fixed` has the list as it was meant.

    >>> print(Chinese()("a—b 𠀀𠀁"))
    a — b 𠀀𠀁
    """

    name = "zh"
    languages = "Chinese"
    source = "sacreBLEU's tokenizer of the same name"


class ChineseFixed(CoreTokenizer):
    """The zh tokenizer with the character list as it was meant; its scores differ from sacreBLEU's.

    CJK Extension B (U+20000 to U+2A6D6) and the Compatibility Supplement (U+2F800 to U+2FA1D) are in the list, and
    general punctuation, arrows and mathematical signs are not.

    >>> print(ChineseFixed()("a—b 𠀀𠀁"))
    a—b 𠀀 𠀁
    """

    name = "zh-fixed"
    languages = "Chinese, where comparability with sacreBLEU is not wanted"


class Characters(CoreTokenizer):
    """Makes a token of every character that is not white space.

    >>> print(Characters()("ab c"))
    a b c

    Traps: a character is a code point, so a letter and a combining accent are two tokens.
    """

    name = "char"
    languages = "any; for those without spaces between words where no segmenter is at hand"
    source = "sacreBLEU's tokenizer of the same name"


class Words(CoreTokenizer):
    r"""Splits at white space and does nothing else: for text that is tokenised already.

    >>> print(Words()("Hello,   world\u3000!"))
    Hello, world !

    Traps: any Unicode white space separates, the no-break space included. Text that is not tokenised scores lower than
    it should, and scores of differently tokenised texts cannot be compared.
    """

    name = "none"
    needs_spaces = True
    languages = "any, tokenised beforehand"
    source = "sacreBLEU's tokenizer of the same name"


CORE: tuple[type[CoreTokenizer], ...] = (Mteval13a, International, Chinese, ChineseFixed, Characters, Words)
