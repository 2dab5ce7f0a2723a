"""What is measured of the page as it is seen: room, size, contrast."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

_LOOKS = (Path(__file__).parent / "looks.js").read_text(encoding="utf-8")


def look(page: Page, what: str, *given: Any) -> Any:
    """Return what a function of looks.js finds on a page."""
    return page.evaluate(f"given => ({_LOOKS}).{what}(...given)", list(given))


def place(page: Page, selector: str) -> tuple[float, float, float, float]:
    """Return where something is on the page, however far it is scrolled."""
    found: Any = page.eval_on_selector(
        selector,
        "e => { const b = e.getBoundingClientRect();"
        " return [b.x + scrollX, b.y + scrollY, b.width, b.height].map((v) => Math.round(v)); }",
    )
    x, y, width, height = found
    return x, y, width, height


# -- contrast -------------------------------------------------------------------------------------

Colour = tuple[float, float, float]


def luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour (0 to 255 each), as WCAG defines it."""
    parts = [v / 255 for v in colour]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast ratio of two colours, as WCAG defines it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
