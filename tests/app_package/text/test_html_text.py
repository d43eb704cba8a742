"""HTML is read as browsers read it (the HTML standard's tokenizer), and in one pass (ours)."""

import pytest

from lime_desktop.app_package.text.html_text import EndTag, StartTag, Text, Token, read_html
from tests.fuzz.growth import assert_work_grows_with_size


def start(name: str, at: int = 0, **attributes: str) -> StartTag:
    return StartTag(name, attributes, at)


@pytest.mark.parametrize(
    ("page", "tokens"),
    [
        ("a < b", [Text("a < b")]),
        (
            "<P Class=a b='c&amp;d' b=2>x</P >",
            [StartTag("p", {"class": "a", "b": "c&d"}, 0), Text("x"), EndTag("p")],
        ),
        ("<br/>", [start("br")]),
        ("<a x=1 / y>", [start("a", x="1", y="")]),
        ("</>x", [Text("x")]),
        ("<//x>y", [Text("y")]),
        ("<!-->a<!--->b<!--c--!>d<!-- -- ->", [Text("a"), Text("b"), Text("d")]),
        ("<![CDATA[x]]>y", [Text("y")]),
        ("<![", []),
        ("<!doctype html>a<?php b ?>c", [Text("a"), Text("c")]),
        ("<a href='x", []),
        ("a<b", [Text("a")]),
        ("&lt;&#65;&#x42;&copy;&notit;&", [Text("<AB©¬it;&")]),
        ("<title><b>&amp;</title>", [start("title"), Text("<b>&"), EndTag("title")]),
        (
            "<style></b>&amp;</style>",
            [start("style"), Text("</b>&amp;", is_raw=True), EndTag("style")],
        ),
        ("<plaintext></plaintext>", [start("plaintext"), Text("</plaintext>", is_raw=True)]),
        ("<textarea>a", [start("textarea"), Text("a")]),
        ("</p class=x>", [EndTag("p")]),
    ],
)
def test_a_page_is_read_as_browsers_read_it(page: str, tokens: list[Token]) -> None:
    assert list(read_html(page)) == tokens


@pytest.mark.parametrize(
    ("page", "script"),
    [
        ("<script>1<2</script>", "1<2"),
        ("<script>'</scripts>'</script>", "'</scripts>'"),
        ("<script><!--<script></script>--></script>", "<!--<script></script>-->"),
        ("<script><!-- x </script>", "<!-- x "),
        ("<script><!--><script></script>", "<!--><script>"),
        ("<script>left open", "left open"),
    ],
)
def test_a_script_ends_where_browsers_end_it(page: str, script: str) -> None:
    assert list(read_html(page))[1] == Text(script, is_raw=True)


@pytest.mark.parametrize(
    "piece",
    [
        "<a ",
        "<![",
        "<!--",
        "</",
        "<a b='",
        '<a b="c" ',
        "<a =",
        "<script>",
        "<script><!--",
        "<title>",
        "<p>",
        "</p",
        "<?",
        "&#1",
        "&amp",
        "<!--<script>-->",
        "<",
        "&",
    ],
)
def test_the_work_grows_with_the_length_whatever_is_repeated(piece: str) -> None:
    """A bug demands it: 48 kB of `<a ` held the window for 95 s."""
    assert_work_grows_with_size(lambda page: list(read_html(page)), piece)


def test_a_reference_with_too_many_digits_stands_for_itself() -> None:
    """A bug demands it: Python refuses to read a number of 5,000 digits."""
    page = "&#" + "1" * 5_000 + ";"
    assert list(read_html(page)) == [Text(page)]
