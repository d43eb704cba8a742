"""Finding an app by what a person types (the standard: names, keywords, triggers, scenarios)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.host.app_center.catalog.search import search
from lime_desktop.host.app_center.records.offers import Offer


def offer(app_id: str, **facts: object) -> Offer:
    return Offer.model_validate(
        {"appId": app_id, "title": app_id.title(), "version": "1", "location": ".", "source": "."}
        | facts
    )


NOTES = offer("notes", keywords=["memo"], triggerKeywords=["记下来"], scenarios=["take_notes"])
MAIL = offer(
    "mail", tagline="Write and read, with notes beside each letter.", titles={"zh-CN": "邮件"}
)
OFFERS = (MAIL, NOTES)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("notes", [("notes", "name"), ("mail", "text")]),
        ("MEMO", [("notes", "keyword")]),
        ("记下来", [("notes", "trigger")]),
        ("take notes", [("notes", "name")]),
        ("take_notes", [("notes", "scenario")]),
        ("邮件", [("mail", "name")]),
        ("letter write", [("mail", "text")]),
        ("memo letter", []),
        ("", [("mail", "text"), ("notes", "text")]),
    ],
)
def test_an_app_is_found_by(query: str, found: list[tuple[str, str]]) -> None:
    assert [(each.offer.app_id, each.found_by) for each in search(OFFERS, query)] == found


@given(st.text())
def test_searching_never_fails_and_never_makes_up_an_app(query: str) -> None:
    assert {each.offer.app_id for each in search(OFFERS, query)} <= {"notes", "mail"}
