"""The use cases: a frozen request in, a frozen result out; raises, never prints."""
