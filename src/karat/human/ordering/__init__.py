"""Which system is better than which: tests, ranks and clusters, karat's own way and WMT's."""

from karat.human.ordering.ranking import Ordering, ordering

__all__ = ["Ordering", "ordering"]
