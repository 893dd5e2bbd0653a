"""Text in pictures through RapidOCR; runs in the helper process only.

The models come with the package and are loaded once. Positions of characters are those that the recognition model
reports, so that a word can be shown where it stands.
"""

from __future__ import annotations

import io
import math
import os
from array import array
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from paxman.documents.paged.segments import Word
from paxman.documents.paged.typeset import PageText, View, set_page
from paxman.documents.sandbox.helper import UnreadableError, describe, reached

Point = tuple[float, float]
Groups = dict[tuple[int, bool], list[Word]]
"""Words by direction of writing, in quarter turns, and whether they are slanted."""

_FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "WEBP", "GIF")
_DPI = 72.0
"""Of a picture that does not say: a pixel is then a point."""
_RENDER_DPI, _MOST_DPI = 200.0, 300.0
"""Of a page that no picture fills, and of one whose picture is finer."""
_MAX_SIDE = 4000
_DETECTION_SIDE = 1280
"""Longest side on which text is searched: half the time of the library's own setting, for 0.4 % of the words."""
_STEPS_A_PAGE = 1_500_000
_SMALL = 700
_TALL = 1.5
_SURE = 0.5
_MARGIN = 0.3
_FAINT, _CONTRAST, _DRAWN = 24.0, 0.4, 0.9
"""Ink differs from its ground by so many levels at least and this share of the most; a drawn line fills so much."""
_LOOSE = 0.9
"""A recognized space that looks wider than this share of the height parts columns; places of letters are rough."""


class OcrLine(NamedTuple):
    """A line as found: corners in pixels clockwise from the top left, quarter turns, letters and their places."""

    corners: Any
    way: int
    text: str
    places: list[tuple[str, float]]
    ink: Any
    """Where the picture of the line, turned so that it reads, differs from what it is written on."""


def prepare() -> None:
    """Load the three models and run them once."""
    import cv2

    picture = np.full((80, 320, 3), 255, np.uint8)
    cv2.putText(picture, "Paxman", (20, 55), cv2.FONT_HERSHEY_SIMPLEX, 1.5, (0, 0, 0), 3)
    _find_lines(picture)


def extract(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """The text of each picture in a file; only TIFF holds several."""
    pages: list[PageText] = []
    stopped = None
    for count, (picture, dpi) in enumerate(_frames(data)):
        stopped = reached(options, count, sum(len(page.text) for page in pages), count * _STEPS_A_PAGE)
        if stopped:
            break
        pages.append(recognize(picture, dpi, count + 1))
    return _reply(pages, stopped)


def extract_pdf_page(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """The text in the picture of one page of a PDF, together with that of its text layer."""
    from paxman.documents.pdf.pdfium import annotation_words, is_gibberish, layer_words, open_pdf, page_view, set_words

    pdf = open_pdf(data)
    page = pdf[options["page"] - 1]
    dpi = min(scan_dpi(page), 72 * _MAX_SIDE / max(page.get_size()))
    picture = page.render(scale=dpi / 72, rev_byteorder=False).to_numpy()
    view = page_view(page)
    seen = find_words(np.ascontiguousarray(picture[..., :3]), (dpi, dpi), view)
    typed, named = layer_words(page, view), annotation_words(page, pdf.formenv, view)
    groups: Groups = {} if is_gibberish(typed) else typed
    _add_unknown(groups, seen, [each.word for each in named])
    laid_out, fields = set_words(PageText(options["page"], view), groups, named)
    meta, blocks = _reply([laid_out], None)
    return {**meta, "fields": fields}, blocks


def scan_dpi(page: Any) -> float:
    """The resolution of the picture that fills most of a page, or a multiple of one that is coarse."""
    import pypdfium2.raw as raw

    width, height = page.get_size()
    for picture in page.get_objects(filter=(raw.FPDF_PAGEOBJ_IMAGE,), max_depth=3):
        left, bottom, right, top = picture.get_bounds()
        area, pixels = (right - left) * (top - bottom), math.prod(picture.get_px_size())
        if 2 * area > width * height and pixels:
            dpi = 72 * math.sqrt(pixels / area)
            # A page may be a little larger than its picture.
            return min(dpi * max(math.ceil(_RENDER_DPI / dpi - 0.05), 1), _MOST_DPI)
    return _RENDER_DPI


def _add_unknown(groups: Groups, seen: dict[int, list[Word]], named: list[Word]) -> None:
    """Add what was seen on a page to what the file says is written there, which is surer where both have something."""
    known = [word for words in [*groups.values(), named] for word in words]
    left, right, bottom, top = np.array([_around(word) for word in known]).reshape(-1, 4).T
    # The ink of a small letter is less than the box in which OCR sees it.
    margin = _MARGIN * np.array([word.height for word in known])
    left, right, bottom, top = left - margin, right + margin, bottom - margin, top + margin
    for way, words in seen.items():
        for word in words:
            x0, x1, y0, y1 = _around(word)
            across = np.clip(np.minimum(right, x1) - np.maximum(left, x0), 0, None)
            down = np.clip(np.minimum(top, y1) - np.maximum(bottom, y0), 0, None)
            if float((across * down).sum()) * 2 <= (x1 - x0) * (y1 - y0):
                groups.setdefault((way, False), []).append(word)


def _around(word: Word) -> tuple[float, float, float, float]:
    corners = word.corners
    return min(corners[0::4]), max(corners[1::4]), min(corners[2::4]), max(corners[3::4])


def _reply(pages: list[PageText], stopped: str | None) -> tuple[dict[str, Any], list[bytes]]:
    meta: dict[str, Any] = {"pages": [[page.number, *page.view] for page in pages], "stopped": stopped}
    meta["steps"] = _STEPS_A_PAGE * len(pages)
    return meta, [block for page in pages for block in page.pack()]


def _frames(data: bytes) -> Iterator[tuple[Any, Point]]:
    """Pictures as arrays of blue, green and red, turned as their camera says, with their dots per inch."""
    from PIL import Image, ImageSequence

    try:
        picture = Image.open(io.BytesIO(data), formats=_FORMATS)
        frames = ImageSequence.Iterator(picture) if picture.format == "TIFF" else [picture]
        for frame in frames:
            yield _pixels(frame), _dpi(frame)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        advice = "Save it as PNG or JPEG with another program"
        raise UnreadableError(f"the picture cannot be read: {describe(error)}", advice) from None


def _pixels(frame: Any) -> Any:
    from PIL import Image, ImageOps

    frame = ImageOps.exif_transpose(frame)
    if frame.mode.startswith(("I", "F")):
        levels = np.asarray(frame, np.float32)
        frame = Image.fromarray((levels * (255 / max(float(levels.max()), 1.0))).astype(np.uint8))
    if frame.has_transparency_data:
        frame = frame.convert("RGBA")
        frame = Image.alpha_composite(Image.new("RGBA", frame.size, "white"), frame)
    return np.ascontiguousarray(np.asarray(frame.convert("RGB"))[..., ::-1])


def _dpi(frame: Any) -> Point:
    try:
        across, down = (float(number) for number in frame.info.get("dpi", (_DPI, _DPI)))
    except (TypeError, ValueError, ZeroDivisionError):
        return _DPI, _DPI
    return (across, down) if 30 <= across <= 2400 and 30 <= down <= 2400 else (_DPI, _DPI)


def recognize(picture: Any, dpi: Point, number: int) -> PageText:
    """A picture set as text; boxes are in points on the picture as it is, even if the text in it lies on its side."""
    height, width = picture.shape[:2]
    groups = find_words(picture, dpi, view := View(0.0, 0.0, width * 72 / dpi[0], height * 72 / dpi[1]))
    ordered = sorted(groups.items(), key=lambda item: (-sum(len(word.text) for word in item[1]), item[0]))
    return set_page(PageText(number, view), [words for _, words in ordered])


def find_words(picture: Any, dpi: Point, view: View) -> dict[int, list[Word]]:
    """Words in a picture of what a view shows, by the quarter turns of their direction of writing."""
    side = max(picture.shape[:2])
    scale = 2.0 if side < _SMALL else min(1.0, _MAX_SIDE / side)
    import cv2

    lines = _find_lines(
        picture if scale == 1 else cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    )
    points = 72 / (dpi[0] * scale), 72 / (dpi[1] * scale)
    ways = sorted({line.way for line in lines})
    return {way: _words([line for line in lines if line.way == way], view, points) for way in ways}


@cache
def _engine() -> Any:
    from rapidocr import RapidOCR

    # One line at a time: in a batch all lines are padded to the longest.
    engine: Any = RapidOCR(params={"Global.log_level": "critical", "Det.limit_type": "max", "Rec.rec_batch_num": 1})
    engine._load_det_model()
    # Cores share a page well, but not a line: each gets lines of its own, for three quarters of the processor time.
    engine.cfg.EngineConfig.onnxruntime.intra_op_num_threads = 1
    return engine


@cache
def _workers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1)


def _find_lines(picture: Any, turned: bool = False) -> list[OcrLine]:
    """Lines of text in a picture, recognized, with the direction in which each is written.

    A page on its side is turned before its lines are sought, because a column of digits looks like a line there.
    """
    engine = _engine()
    # The boxes of lines, as corners clockwise from the top left; None without any.
    detector = engine._load_det_model()
    long, short = max(picture.shape[:2]), min(picture.shape[:2])
    detector.limit_side_len = round(_DETECTION_SIDE * math.sqrt(max(long / short / 1.5, 1.0)))
    boxes = detector(picture).boxes
    if boxes is None:
        return []
    crops, ways = _turn(engine, engine.crop_text_regions(picture, boxes), boxes)
    if not turned and (turns := _usual_turns(boxes, ways)):
        upright = _find_lines(np.ascontiguousarray(np.rot90(picture, turns)), turned=True)
        return [_turned_back(line, turns, picture.shape) for line in upright]
    found = _workers().map(partial(_recognize_line, engine._load_rec_model()), crops)
    return [
        OcrLine(box, way, text, _places(text, letters), _ink(crop))
        for box, way, crop, (text, score, letters) in zip(boxes, ways, crops, found, strict=True)
        if score >= _SURE and text.strip()
    ]


def _usual_turns(boxes: Any, ways: list[int]) -> int:
    """The quarter turns of most text if it lies on its side, else 0."""
    lengths = [max(_size(box)) for box in boxes]
    lying = sum(length for length, way in zip(lengths, ways, strict=True) if way % 2)
    return next(way for way in ways if way % 2) if lying * 2 > sum(lengths) else 0


def _turned_back(line: OcrLine, turns: int, shape: tuple[int, ...]) -> OcrLine:
    """A line of a picture that was turned, 1 or 3 quarters, as it lies in the picture itself."""
    height, width = shape[:2]
    corners = [(width - y, x) if turns == 1 else (y, height - x) for x, y in line.corners]
    return OcrLine(corners[-turns:] + corners[:-turns], (line.way + turns) % 4, line.text, line.places, line.ink)


def _recognize_line(model: Any, crop: Any) -> tuple[str, float, Any]:
    from rapidocr.ch_ppocr_rec import TextRecInput

    found = model(TextRecInput(img=[crop], return_word_box=True))
    return found.txts[0], found.scores[0], found.word_results[0]


def _turn(engine: Any, crops: list[Any], boxes: Any) -> tuple[list[Any], list[int]]:
    """Crops turned so that they read, and their quarter turns. All lines of a page that lie alike are turned alike,

    because the model that tells upside down is right about most lines, not about each.
    """
    sizes = [_size(box) for box in boxes]
    ways = _ways(sizes)
    lying = []
    for crop, (width, height), lies in zip(crops, sizes, ways, strict=True):
        was_turned = int(height) / max(int(width), 1) >= _TALL
        lying.append(np.rot90(crop, lies - was_turned) if lies != was_turned else crop)
    for way in sorted(set(ways)):
        # Turn all crops of one way upside down if most of their length is.
        members = [index for index, other in enumerate(ways) if other == way]
        long = sorted(members, key=lambda index: -lying[index].shape[1])[:16]
        labels = engine._load_cls_model()([np.ascontiguousarray(lying[index]) for index in long]).cls_res
        votes = [
            (lying[index].shape[1] * score, label == "180") for index, (label, score) in zip(long, labels, strict=True)
        ]
        if sum(weight for weight, over in votes if over) * 2 > sum(weight for weight, _ in votes):
            for index in members:
                lying[index] = np.rot90(lying[index], 2)
                ways[index] = way + 2
    return [np.ascontiguousarray(crop) for crop in lying], ways


def _ways(sizes: list[Point]) -> list[int]:
    """Whether each line lies on its side; a short one, such as a digit, does as the page."""
    usual = median(min(size) for size in sizes)
    sideways = sum(height for width, height in sizes if height > _TALL * width)
    upright = sum(width for width, height in sizes if width > _TALL * height)
    if sideways > upright:
        return [int(width <= max(3 * usual, _TALL * height)) for width, height in sizes]
    return [int(height > max(3 * usual, _TALL * width)) for width, height in sizes]


def _size(box: Any) -> Point:
    """Width and height of a box, along its own sides."""
    width = max(np.linalg.norm(box[0] - box[1]), np.linalg.norm(box[2] - box[3]))
    return float(width), float(max(np.linalg.norm(box[0] - box[3]), np.linalg.norm(box[1] - box[2])))


def _places(text: str, found: Any) -> list[tuple[str, float]]:
    """Each letter and the share of the line that lies before its middle.

    Words part at a space that was recognized, and at a tab where none was but the letters are far apart.
    """
    columns = [column for word in found.word_cols for column in word]
    letters = [letter for word in found.words for letter in word]
    length = max(found.line_txt_len, columns[-1] + 1 if columns else 1)
    places: list[tuple[str, float]] = []
    position = 0
    for letter, column in zip(letters, columns, strict=True):
        at = text.find(letter, position)
        if places and " " in text[position:at]:
            places.append((" ", places[-1][1]))
        elif places and column - 5 > places[-1][1] * length:
            places.append(("\t", places[-1][1]))
        places.append((letter, (column + 0.5) / length))
        position = at + len(letter)
    return places


def _words(lines: Sequence[OcrLine], view: View, points: Point) -> list[Word]:
    """Words of lines that lie alike, upright, with the slope of a crooked scan taken out."""
    placed = [(line, _edges(line, points)) for line in lines]
    slope = slope_of([edges for _, edges in placed], lines[0].way, view)
    return [word for line, edges in placed for word in _line_words(line, edges, view, slope)]


Edges = tuple[Point, Point, Point, Point]
"""Upper start, upper end, lower end and lower start of a line as it is read, in points from the top left."""


def _edges(line: OcrLine, points: Point) -> Edges:
    corners = [(float(x) * points[0], float(y) * points[1]) for x, y in line.corners]
    first, second, third, fourth = corners[line.way :] + corners[: line.way]
    return first, second, third, fourth


def slope_of(lines: Sequence[Edges], way: int, view: View) -> float:
    """How much the longer lines fall to the right: nothing, unless three in four of them fall the same way.

    The corners of short lines are a few points off, and always to the same side.
    """
    slopes = []
    for _, _, end, start in lines:
        (x0, y0), (x1, y1) = _upright(start, way, view), _upright(end, way, view)
        if x1 - x0 > 60:
            slopes.append((y1 - y0) / (x1 - x0))
    slopes.sort()
    quarter = len(slopes) // 4
    return median(slopes) if slopes and slopes[quarter] * slopes[-1 - quarter] > 0 else 0.0


def _upright(point: Point, way: int, view: View) -> Point:
    """A point of the page, with the page turned so that what is written this way reads."""
    (x, y), (width, height) = point, view.size
    return ((x, y), (y, width - x), (width - x, height - y), (height - y, x))[way]


def _line_words(line: OcrLine, edges: Edges, view: View, slope: float) -> Iterator[Word]:
    upper, upper_end, _, lower = edges
    height = max(0.8 * math.dist(upper, lower), 1.0)
    half = 0.3 * height / max(math.dist(upper, upper_end), 1e-6)
    before = -math.inf
    found = _split_words(line.places)
    drawn = _drawn_in(line.ink, [[middle for _, middle in letters] for letters, _ in found])
    for number, ((letters, joined), (left, top, right, bottom)) in enumerate(zip(found, drawn, strict=True), 1):
        # Where letters begin and end, halfway between their middles.
        middles = [middle for _, middle in letters]
        inner = [(left + right) / 2 for left, right in pairwise(middles)]
        outer = median(right - left for left, right in pairwise(middles)) / 2 if inner else half
        cuts = [max(middles[0] - outer, 0.0), *inner, min(middles[-1] + outer, 1.0)]
        # The ends of the line are surer than the places of its outer letters.
        cuts[0], cuts[-1] = cuts[0] if number > 1 else 0.0, cuts[-1] if number < len(found) else 1.0
        tight = [left, *(min(max(cut, left), right) for cut in cuts[1:-1]), right]
        boxes = [(begin, top, end, bottom) for begin, end in pairwise(tight)]
        corners = [number for box in boxes for number in _letter_corners(edges, box, view)]
        (x0, y0), (x1, y1) = (_upright(_between(edges, cut, 0.5), line.way, view) for cut in (cuts[0], cuts[-1]))
        if joined and x0 - before < _LOOSE * height:
            x0 = min(x0, before + 0.3 * height)
        before, middle = x1, (y0 + y1) / 2
        level, shift = middle - slope * (x0 + x1) / 2, slope * middle
        text = "".join(letter for letter, _ in letters)
        yield Word(text, x0 + shift, x1 + shift, level, height, array("f", corners), joined)


def _split_words(places: list[tuple[str, float]]) -> list[tuple[list[tuple[str, float]], bool]]:
    """The letters of each word, and whether a space was recognized before it."""
    words: list[tuple[list[tuple[str, float]], bool]] = [([], False)]
    for letter, middle in places:
        if letter.isspace():
            words.append(([], letter == " "))
        else:
            words[-1][0].append((letter, middle))
    return [word for word in words if word[0]]


def _between(edges: Edges, along: float, across: float) -> Point:
    """The point at a share of a line's length and height."""
    upper, upper_end, lower_end, lower = edges
    top = [start + (end - start) * along for start, end in zip(upper, upper_end, strict=True)]
    bottom = [start + (end - start) * along for start, end in zip(lower, lower_end, strict=True)]
    x, y = (high + (low - high) * across for high, low in zip(top, bottom, strict=True))
    return x, y


def _ink(crop: Any) -> Any:
    """Where the picture of a line differs much from its ground, without lines that are drawn along its edges."""
    gray = np.asarray(crop, np.float32).mean(axis=2)
    away = np.abs(gray - np.median(gray))
    ink = away > max(_FAINT, _CONTRAST * float(away.max()))
    ink[ink.mean(axis=1) > _DRAWN] = False
    ink[:, ink.mean(axis=0) > _DRAWN] = False
    return ink


def _drawn_in(ink: Any, words: list[list[float]]) -> Iterator[tuple[float, float, float, float]]:
    """The ink of each word, by the middles of its letters: left, top, right and bottom as shares of the line.

    Words part in the middle of the widest blank between their outer letters.
    """
    height, width = ink.shape
    inked = ink.any(axis=0)
    cuts = [0]
    for before, behind in pairwise(words):
        start, end = round(before[-1] * width), round(behind[0] * width)
        marks = [start, *(start + np.flatnonzero(inked[start:end])), end]
        left, right = max(pairwise(marks), key=lambda gap: gap[1] - gap[0])
        cuts.append(round(float(left + right) / 2))
    for start, end in pairwise([*cuts, width]):
        across = start + np.flatnonzero(inked[start:end])
        if not len(across):
            yield start / width, 0.0, max(end, start + 1) / width, 1.0
            continue
        left, right = int(across[0]), int(across[-1]) + 1
        down = np.flatnonzero(ink[:, left:right].any(axis=1))
        yield left / width, int(down[0]) / height, right / width, (int(down[-1]) + 1) / height


def _letter_corners(
    edges: Edges, box: tuple[float, float, float, float], view: View
) -> tuple[float, float, float, float]:
    begin, top, end, bottom = box
    points = [_between(edges, along, across) for along in (begin, end) for across in (top, bottom)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return view.unplace(min(xs), min(ys), max(xs), max(ys))
