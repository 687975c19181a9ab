"""Guidelines, which organisers write in Markdown, as HTML that can do nothing."""

from __future__ import annotations

from functools import lru_cache

from markdown_it import MarkdownIt


@lru_cache(maxsize=8)
def rendered(text: str) -> str:
    """The HTML of a text; HTML within it is shown as it is written, and links go to addresses of the web only.

    >>> rendered("Be *strict*. <script>")
    '<p>Be <em>strict</em>. &lt;script&gt;</p>\\n'
    """
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image").render(text)
    return html
