"""A bundle's own inline scripts run, injected ones do not (ours: published apps bring inline import maps)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.host.web_content.content_policy import mark_scripts


def unmarked(marked: bytes, source: str) -> bytes:
    return marked.replace(f' nonce="{source[7:-1]}"'.encode(), b"")


def test_every_inline_script_gets_the_nonce_of_this_answer() -> None:
    page = b'<script type="importmap">{}</script>\n<p>\xe4\xbd\xa0\xe5\xa5\xbd<SCRIPT>1</SCRIPT>'
    marked, source = mark_scripts(page)
    nonce = source[7:-1]
    assert re.fullmatch(r"'nonce-[0-9a-f]{32}'", source)
    assert marked.count(f'nonce="{nonce}"'.encode()) == 2
    assert mark_scripts(page)[1] != source


@pytest.mark.parametrize(
    "page",
    [
        b"<!-- <script>no()</script> -->",
        b"<title><script></title>",
        b"<p title='<script>'>",
        b"<textarea><script></textarea>",
        b"<![if lt IE 9]>",
        b"<![<",
        b"<![CDATA[<script>]]>",
        b'<script src="/a.js"></script>',
        b"<script type=module SRC=/a.js async></script>",
    ],
)
def test_what_only_looks_like_a_script_is_left_alone(page: bytes) -> None:
    assert mark_scripts(page)[0] == page


PIECES = [
    "<",
    "script",
    "SCRIPT",
    " ",
    ">",
    "/",
    "!",
    "-",
    "[",
    "]",
    "=",
    "'",
    "\n",
    "\r",
    "<![",
    "?",
]


@given(
    st.binary(max_size=200)
    | st.lists(st.sampled_from(PIECES)).map(lambda parts: "".join(parts).encode())
)
def test_any_page_keeps_every_byte(page: bytes) -> None:
    marked, source = mark_scripts(page)
    assert unmarked(marked, source) == page
