"""Formulas in plain characters: what docstrings write in LaTeX, for terminals."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
_DISPLAYED = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_INLINE = re.compile(r"\$([^$]+)\$")
_CODE = re.compile(r"(```.*?```|``.*?``|`[^`]*`)", re.DOTALL)
_ATOM = re.compile(r"[\w.]+(?:[_^]\w+)*(?:\([^()]*\))?|\|[^|]*\|[_^]?\w*")

_NAMES = {name: name for name in ("min", "max", "log", "ln", "exp")}
_GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "theta": "θ", "lambda": "λ", "pi": "π", "rho": "ρ"}
_BIG = {"sum": "Σ", "prod": "Π"}
_RELATIONS = {"cdot": "·", "le": "≤", "ge": "≥", "ne": "≠", "in": "∈", "notin": "∉"}
_MARKS = {"ldots": "…", "lvert": "|", "rvert": "|", "tau": "τ", "{": "{", "}": "}"}
_SPACES = {",": " ", ";": " ", "quad": " ", "qquad": "\n"}
_SIZES = ("left", "right", "bigl", "bigr", "Bigl", "Bigr")
_FONTS = ("mathrm", "text", "operatorname")


def plain_text(text: str) -> str:
    """A text whose formulas are in plain characters: those on lines of their own indented, one to a line."""
    parts = _CODE.split(text)
    parts[::2] = [_INLINE.sub(_inline, _DISPLAYED.sub(_displayed, part)) for part in parts[::2]]
    return "".join(parts)


def _displayed(match: re.Match[str]) -> str:
    return "\n".join(f"    {line.strip(' ,')}" for line in plain_formula(match[1]).splitlines())


def _inline(match: re.Match[str]) -> str:
    return " ".join(plain_formula(match[1]).split())


def plain_formula(latex: str) -> str:
    r"""A formula in plain characters.

    >>> plain_formula(r"F = (1+\beta^2)\,\frac{P\cdot R}{\beta^2 P + R},\qquad P = \frac{1}{K}\sum_{k=1}^{K}p_k")
    'F = (1+β^2) ((P · R) / (β^2 P + R)),\nP = (1 / K) Σ_(k=1)^K p_k'
    """
    return "\n".join(map(_tidy, _Reader(latex).read().split("\n")))


class _Reader:
    """Reads a formula from left to right; what stands in braces is read in the same way."""

    def __init__(self, latex: str) -> None:
        self._tokens = _TOKEN.findall(latex)
        self._at = 0
        self._read = ""

    def read(self, until: str | None = None) -> str:
        """All that comes before a token, or before the end."""
        outer, self._read = self._read, ""
        while self._at < len(self._tokens):
            token = self._next()
            if token == until:
                break
            self._take(token)
        self._read, text = outer, self._read
        return re.sub(r" *\n *", "\n", re.sub(r" +", " ", text)).strip()

    def _next(self) -> str:
        self._at += 1
        return str(self._tokens[self._at - 1])

    def _group(self) -> str:
        """What a command is about: the next token, or all in braces."""
        token = self._next()
        while token.isspace():
            token = self._next()
        if token == "{":
            return self.read(until="}")
        inner = _Reader("")
        inner._take(token)
        return inner._read.strip()

    def _take(self, token: str) -> None:
        if token == "{":
            self._read += self.read(until="}")
        elif token in "_^":
            script = self._group()
            self._read = self._read.rstrip() + token + (script if re.fullmatch(r"[^\W_]+|.", script) else f"({script})")
        elif token.isspace():
            self._read += " "
        elif token.startswith("\\"):
            self._command(token[1:])
        else:
            apart = token.isalnum() and re.search(r"[ΣΠ][_^]\(?[^ ]*$", self._read) is not None
            self._read += f" {token}" if apart else token

    def _command(self, name: str) -> None:
        if name in ("frac", "tfrac"):
            self._read = self._apart() + f"({_wrapped(self._group())} / {_wrapped(self._group())})"
        elif name in _NAMES or name in _BIG:
            self._read = self._apart() + {**_NAMES, **_BIG}[name]
        elif name in _RELATIONS:
            self._read += f" {_RELATIONS[name]} "
        elif name in _FONTS:
            self._read += self._group()
        elif name == "sqrt":
            self._read = self._apart() + f"√({self._group()})"
        elif name == "overline":
            self._read = self._apart() + f"mean({self._group()})"
        elif name == "begin":
            self._read += self._cases()
        elif name not in _SIZES:
            self._read += {**_GREEK, **_MARKS, **_SPACES}.get(name, name)

    def _apart(self) -> str:
        """What was read so far, with a space where the next word would run into it."""
        return self._read + (" " if self._read[-1:].isalnum() or self._read[-1:] == ")" else "")

    def _cases(self) -> str:
        """Values, each with its condition."""
        self._group()
        inside = self.read(until="\\end")
        self._group()
        lines = (re.sub(r" *& *(if )?", " if ", line.strip()) for line in inside.split("\\"))
        return "{" + "; ".join(lines).replace(" if otherwise", " otherwise") + "}"


def _wrapped(text: str) -> str:
    return text if _ATOM.fullmatch(text) else f"({text})"


def _tidy(line: str) -> str:
    """A line without parentheses that hold nothing but others, or a whole side of an equation."""
    opened: list[int] = []
    closing: dict[int, int] = {}
    for place, character in enumerate(line):
        if character == "(":
            opened.append(place)
        elif character == ")" and opened:
            closing[opened.pop()] = place
    end = len(line.rstrip(","))
    doubled = {
        start: stop
        for start, stop in closing.items()
        if closing.get(start - 1) == stop + 1 or (line[:start].endswith("= ") and stop == end - 1)
    }
    dropped = {*doubled, *doubled.values()}
    return "".join(character for place, character in enumerate(line) if place not in dropped)
