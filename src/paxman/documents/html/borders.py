"""Where one element of a line ends and the next begins: a label and its value, though no space parts them."""

from __future__ import annotations

import re

import attrs

INLINE = frozenset("span b strong em i a u small label time data bdi font".split())
LABEL_CLASS = re.compile(r"(?:^|[\s_-])(?:label|key|term|caption)(?:$|[\s_-])", re.I)
_MOST = 200
"""Characters of an element that may be a label or a value."""
_LEAST_LABEL = 4
_VALUE = re.compile(r"([^\W_][^<>&]{1,100}+)</(\w{1,9})(>\s{0,50}</)?")
_LABEL = re.compile(r"<(\w{1,9})([^<>]*+)>([^\W\d_][^<>&]{0,60}[^\W\d_]{2})\Z")
_ALONE = re.compile(r"<\w[^<>]*+>\s{0,20}([^\W\d_][^<>&]{0,60}[^\W\d_]{3})\Z")
_FIRST = re.compile(r"<\w[^<>]*+>\s*\Z")
_CODE = re.compile(r"[A-Z0-9][\w./-]*\d[\w./-]*")
_CLASS = re.compile(r"\bclass\s?=\s?(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.I)


@attrs.frozen
class _Words:
    """An element that holds nothing but words."""

    tag: str
    style: str
    """Its class."""
    text: str
    is_outer: bool
    """Whether it is the first, or the last, in the element around it."""

    @property
    def is_label(self) -> bool:
        return self.tag == "label" or LABEL_CLASS.search(self.style) is not None


def is_value(source: str, start: int, end: int, name: str) -> bool | None:
    """Whether an element, whose tag stands here, is the value of what stands right before it.

    None where both are one word, as they are where a few letters are bold.
    """
    before, first = source[start - 1 : start], source[end : end + 1]
    if not (before == ">" or before.islower()) or not (first.isupper() or first.isdecimal()):
        return None
    found = _VALUE.match(source, end)
    if found is None or found[2].lower() != name:
        return None
    if before != ">":
        return _follows_words(source, start, found[1]) or None
    label = _label_before(source, start)
    value = _Words(name, _class_of(source[start:end]), found[1], bool(found[3]))
    return _belong(label, value) if label and _are_apart(label, value) else None


def _follows_words(source: str, start: int, value: str) -> bool:
    """Whether a code follows words that are all there is before it in an element."""
    words = _ALONE.match(source[_last(source, "<", start) : start])
    return bool(words and words[1][0].isupper() and " " in words[1] and _CODE.fullmatch(value))


def _label_before(source: str, start: int) -> _Words | None:
    closing = _last(source, "</", start)
    opening = _last(source, "<", closing)
    found = _LABEL.match(source[opening:closing])
    if found is None or found[1].lower() not in INLINE:
        return None
    is_first = _FIRST.match(source[_last(source, "<", opening) : opening]) is not None
    return _Words(found[1].lower(), _class_of(found[2]), found[3], is_first)


def _last(source: str, sign: str, end: int) -> int:
    """Where a sign stands last before a place, not far from it; else that place."""
    found = source.rfind(sign, max(0, end - _MOST), end)
    return found if found >= 0 else end


def _are_apart(label: _Words, value: _Words) -> bool:
    """Whether words of two elements are not those of one: each part of a name like GitHub is a single word."""
    if label.is_label:
        return True
    several = len(label.text.split()) > 1 or len(value.text.split()) > 1
    is_other = label.style != value.style if label.style and value.style else label.tag != value.tag
    if not label.text[-1].islower():
        return is_other and several
    is_name = label.text[0].isupper() and len(label.text) >= _LEAST_LABEL and value.text[0].isdecimal()
    return several or (is_other and is_name)


def _belong(label: _Words, value: _Words) -> bool:
    """Whether two elements are all that another holds, and neither links nor of one class."""
    alike = label.tag == value.tag == "a" or (label.style and label.style == value.style)
    return label.is_label or (label.is_outer and value.is_outer and not alike)


def _class_of(attributes: str) -> str:
    found = _CLASS.search(attributes)
    return next(filter(None, found.groups()), "") if found else ""
