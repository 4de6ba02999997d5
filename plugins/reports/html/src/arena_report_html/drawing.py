"""Draws figures as inline SVG: by matplotlib where it is installed, else by simple shapes."""

from arena.plugin import is_importable
from arena.tables import Figure


def draw(figure: Figure, name: str) -> str:
    """The figure as an SVG element whose ids begin with ``name``; the same figure and name give the same text.

    Text, axes and grid take the page's colour. Nothing in a label is interpreted. Raises ``ValueError`` for a kind of
    figure that is unknown, or that only matplotlib draws where that is not installed.
    """
    if is_importable("matplotlib"):
        from arena_report_html.plotting import draw as plot

        return plot(figure, name)
    from arena_report_html.shapes import draw as sketch

    return sketch(figure, name)
