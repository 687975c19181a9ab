"""How questions are answered: one module for each widget, which says what it takes, checks it and makes rows of it."""

from __future__ import annotations

from karat.campaigns.widgets import choice, ranking, scale, spans, text
from karat.campaigns.widgets.base import Given, Row, Widget, widget_of

__all__ = ["Given", "Row", "Widget", "choice", "ranking", "scale", "spans", "text", "widget_of"]
