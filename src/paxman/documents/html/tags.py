"""What the elements of HTML mean for the text of a page."""

from __future__ import annotations

import re

import attrs

from paxman.documents.document import MarkKind


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


RAW = frozenset({"script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"})
VOID = _names("area base br col embed hr img input link meta param source track wbr basefont bgsound frame keygen")
HIDDEN = _names(
    "script style template noscript title svg math canvas select datalist iframe object audio video"
    " noembed noframes meter progress"
)
BLOCK = _names(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section"
    " summary table tbody tfoot thead tr ul br"
)
CELLS, TERMS, BOLD = _names("td th"), _names("dt dd"), _names("b strong")
LABELS = BOLD | {"label", "th"}
FIELDS, FILLED, CHOICES = _names("textarea option"), _names("textarea select"), _names("checkbox radio")
FORM = FIELDS | FILLED | {"input", "label"}
KNOWN = (BLOCK | VOID | HIDDEN | RAW | CELLS | TERMS | LABELS | FORM) | _names(
    "a abbr acronym big bdi bdo button cite code col colgroup data del dfn em font i ins kbd mark meter output picture"
    " progress q rp rt ruby s samp slot small span strike sub sup time tt u var"
)
"""All elements."""
MARKS: dict[str, MarkKind] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    **dict.fromkeys(("b", "strong", "em", "i", "u", "mark", "ins"), "strong"),
    **dict.fromkeys(("pre", "code", "kbd", "samp"), "code"),
    **dict.fromkeys(("caption", "figcaption", "legend"), "caption"),
    "li": "item",
    "a": "link",
    "blockquote": "quote",
    "dt": "term",
    "p": "paragraph",
}
"""What elements say about their text."""
LISTS = _names("ul ol menu dir")
NOT_WRITTEN_IN = _names("hidden password submit button reset image file checkbox radio range color")
"""Types of input whose value is not text that stands on the page, or is only the name of a button."""
NOTEWORTHY = tuple(
    "item property typeof resource about hidden none label key term rowspan colspan through super bold display".split()
)
"""Words without one of which the attributes of an element mean nothing for the text."""
TABLE = CELLS | {"table", "tr"}
NOTED = TABLE | TERMS | LABELS
# Elements whose end tag may be left out: a tag that ends them, unless one of the bounds stands between.
IMPLIED: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol", "menu"})),
    "dt": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "dd": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "tr": (frozenset({"tr", "td", "th"}), frozenset({"table"})),
    "td": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "th": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "tbody": (frozenset({"thead", "tbody", "tfoot"}), frozenset({"table"})),
    "tfoot": (frozenset({"thead", "tbody", "tfoot"}), frozenset({"table"})),
    "option": (frozenset({"option"}), frozenset({"select", "datalist"})),
}
LOWERED_FIGURE = re.compile(r"\d<[^>]{1,200}>\d")
BLANK = re.compile(r"\{\{[^{}]{0,200}\}\}")
OPEN = re.compile(r"\sopen\b", re.IGNORECASE)
BOLD_STYLE = re.compile(r"font(?:-weight)?\s{0,3}:[^;]{0,40}\b(?:bold|[6-9]00)", re.IGNORECASE)
RAISED_STYLE = re.compile(r"vertical-align\s{0,3}:\s{0,3}super", re.IGNORECASE)
P_BOUNDS = frozenset({"div", "td", "th", "li", "body", "section", "article", "table", "button", "object"})


@attrs.define(eq=False)
class Open:
    """An element that is open: where its text and its source content start."""

    element: int
    name: str
    start: int
    source: int
    noted: bool = False
    label: bool = False
    hidden: bool = False
    struck: bool = False
    raised: bool = False
    bold: bool = False
    block: bool = False
    """Whether a style has it on lines of its own."""
    reach: tuple[int, int] = (1, 1)
    """Columns and rows that a table cell spans."""
    within: int = 0
    """Where the hidden part starts that a selected option shows through."""
    identity: str = ""
    """The name that a label has for its field, or a field for itself."""
    attributes: tuple[int, int] | None = None
    """Where its attributes stand in the source."""
    label_before: tuple[int, int] | None = None
    """Where the label of an element stands, right before it."""
