"""The version of sacreBLEU whose numbers and signatures the drop-in gives."""

version = "2.6.0"
__version__ = version
version_tuple = (2, 6, 0)
__version_tuple__ = version_tuple
