"""The ja-mecab tokenizer."""

from __future__ import annotations

from typing import Any

from karat.errors import MissingExtraError
from karat.text.tokenizers.mecab import MecabTokenizer


class Japanese(MecabTokenizer):
    """Japanese words, as MeCab finds them with the IPA dictionary.

    >>> print(Japanese()("今日は天気がいい。"))
    今日 は 天気 が いい 。

    Needs ``pip install 'karat[ja]'`` (mecab-python3 and ipadic). Traps: the dictionary decides what a word is, so only
    ipadic with 392,126 entries and without a user dictionary is accepted; MeCab's version stands in the signature.
    """

    name = "ja-mecab"
    languages = "Japanese"
    source = (
        "MeCab: T. Kudo, K. Yamamoto, Y. Matsumoto (2004), Applying conditional random fields to Japanese "
        "morphological analysis, EMNLP; sacreBLEU's tokenizer of the same name"
    )
    extra = "ja"
    dictionary = "ipadic"
    dictionary_size = 392126
    tag = "IPA"

    def make_tagger(self) -> Any:
        """MeCab with ipadic."""
        try:
            import ipadic
            import MeCab
        except ImportError as error:
            raise MissingExtraError(f"the tokenizer {self.name}", self.extra) from error
        return MeCab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati")
