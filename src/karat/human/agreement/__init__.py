"""How far raters agree: one module per statistic, each registered under its name.

A statistic knows to which judgements it applies, how it is evaluated and what its page in the docs says; `karat human`,
its JSON form and the docs list whatever is registered.
"""
