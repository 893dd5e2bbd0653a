"""HTML as browsers read it: each page with the words that a browser shows of it."""

from __future__ import annotations

import pytest

from paxman.documents.reading import read_document

SHOWN = [
    # Quotes and tags that do not end.
    ("<p title='a'b'>Total: 5</p><p title='c'd'>Next: 6</p>", "Total: 5 Next: 6"),
    ('<p title="a"b">Total: 5</p><p title="c"d">Next: 6</p>', "Total: 5 Next: 6"),
    ('<a href=x"y>Total: 5</a><p>Next: "6"</p>', 'Total: 5 Next: "6"'),
    ('<img alt="5" screen" src=x><p>Total: 5</p><img alt="6" screen"><p>7</p>', "Total: 5 7"),
    ('<a href="x""class=y>Total: 5</a>', "Total: 5"),
    ("<p =x>Odd</p><p \"\">Odder</p><p ''>Oddest</p>", "Odd Odder Oddest"),
    ("<p data-x='<p>Not</p>'>Shown</p>", "Shown"),
    ("<p class=a/b>Slash</p><br/ ><p\nclass='a'\n>Line</p\n>", "Slash Line"),
    ("<p>a<b</p><p>Total: 5</p>", "a Total: 5"),
    ("<p>x <3 y, 1 < 2 and 3 > 2</p>", "x <3 y, 1 < 2 and 3 > 2"),
    ("<<p>Double</p></p></span>end", "< Double end"),
    # Comments, and what looks like one.
    ("<!-- a -- > b --><p>Shown</p>", "Shown"),
    ("<!-- a --!><p>Shown</p>", "Shown"),
    ("<!--><p>One</p><!---><p>Two</p>", "One Two"),
    ("<!-- open <p>Total: 5</p>", ""),
    ("<! odd><p>Shown</p><?php echo 1 ?><p>Also</p>", "Shown Also"),
    # Elements that hold no markup.
    ("<title>T<p>Not closed</p>", ""),
    ("<script>var a='<p>No</p>';</script><p>Yes</p>", "Yes"),
    ("<script><!-- document.write('<script>x</script>'); --></script><p>Yes</p>", "Yes"),
    ("<script/>alert(1)</script><title/>T</title><p>Yes</p>", "Yes"),
    ("<script src=a.js/><script>no()</script><p>Yes</p>", "Yes"),
    ("<style>p{color:red}<p>No</p></style><iframe><p>No</p></iframe><p>Yes</p>", "Yes"),
    ("<xmp><b>raw</b></xmp><p>Yes</p>", "<b>raw</b> Yes"),
    # Words in a line that a style sets on lines of their own.
    ("<style>small{display:block}</style><p><small>Vessel</small>Aurora</p>", "Vessel Aurora"),
    ("<style>td .cap, b.x { display: flex }</style><p><span class=cap>Vessel</span>Aurora</p>", "Vessel Aurora"),
    ("<p>Aurora<span style='display:block'>Vessel</span></p>", "Aurora Vessel"),
    ("<style>.cap{display:inline-block}</style><p><span class=cap>Vess</span>el</p>", "Vessel"),
    # A head ends where something stands that none can hold.
    ("<html><head><title>T</title><div>In head</div></head><body><p>Body</p>", "In head Body"),
    ("<html><head><title>T</title>Text</head><body><p>Body</p>", "Text Body"),
    ("<head><title>T</title><body><p>Never closed</p>", "Never closed"),
    ("<head><meta charset=utf-8><link rel=x><p>Total: 5</p>", "Total: 5"),
    # Elements that end others.
    ("<p>One<p>Two<div>Three <span>4</div> five</span>", "One Two Three 4 five"),
    ("<table><tr><td>A<td>B<tr><td>C<td>D</table>after", "A B C D after"),
    ("<ul><li>One<li>Two<ul><li>In</ul><li>Three</ul>", "One Two In Three"),
    ("<dl><dt>Name<dd>Ann<dt>Age<dd>9</dl>", "Name Ann Age 9"),
    ("<body><p>One</body></html><p>After</p><body>", "One After"),
    ("<td>Cell alone</td><p>Yes</p>", "Cell alone Yes"),
    # What is hidden.
    ("<p hidden>No</p><p style='DISPLAY : none'>No</p><p style='-x-display:none'>Yes</p>", "Yes"),
    ("<div style='display:none !important'><p>No<p>No</div><p>Yes</p>", "Yes"),
    (
        "<style>.x{display:none} #y, b.z {visibility: hidden}</style><p class='a x'>No<p id=y>No<p>Yes<b class=z>No",
        "Yes",
    ),
    ("<style>/* .x{display:none} */ p{}</style><p class=x>Yes</p>", "Yes"),
    ("<style>@media print{.x{display:none}}</style><p class=x>Yes</p>", "Yes"),
    ("<style media=print>.x{display:none}</style><p class=x>Yes</p>", "Yes"),
    ("<style>.x{display:none}.x.on{display:block}</style><p class='x on'>Yes</p>", "Yes"),
    ("<noscript><style>.x{display:none}</style></noscript><p class=x>Yes</p>", "Yes"),
    ("<style>#x{display:none}</style><script>show('x')</script><p id=x>Yes</p>", "Yes"),
    ("<style id=guard>#x{display:none}</style><script>drop('guard')</script><div id=x>Yes</div>", "Yes"),
    ("<template><p>No</p></template><noscript>No</noscript><meter>3 of 5</meter><p>Yes</p>", "Yes"),
    # Entities.
    ("<p>Fish &amp Chips &copy 2024 &#8364;5 &#x20ac;6 &bogus; &lt</p>", "Fish & Chips © 2024 €5 €6 &bogus; <"),
]


@pytest.mark.parametrize("page, words", SHOWN)
def test_a_page_says_what_a_browser_shows(page: str, words: str) -> None:
    document = read_document(f"<!DOCTYPE html>{page}".encode())
    assert document.body is not None
    assert " ".join(document.text[: document.body[1]].split()) == words
