"""What metrics know about words besides their letters: stems, synonyms, function words, paraphrases.

Nothing here is shipped with karat: each resource is found on this machine, or its absence is said together with the
line that installs it. Each has a `signature` that names it, its version and a hash of its content.
"""

from karat.resources.functionwords import FunctionWords, function_words
from karat.resources.hierarchy import Hierarchy, hierarchy
from karat.resources.languages import language_code
from karat.resources.paraphrases import ParaphraseTable, paraphrases
from karat.resources.prefixes import Prefixes, prefixes
from karat.resources.stems import Stemmer, stemmer
from karat.resources.synonyms import Synonyms, lacking_synonyms, synonyms

__all__ = [
    "FunctionWords",
    "Hierarchy",
    "ParaphraseTable",
    "Prefixes",
    "Stemmer",
    "Synonyms",
    "function_words",
    "hierarchy",
    "lacking_synonyms",
    "language_code",
    "paraphrases",
    "prefixes",
    "stemmer",
    "synonyms",
]
