"""Recordings: what is written, what is hidden, how a replay follows it and where it stops (ours)."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from lime_desktop.developer.recording.lines import (
    BodyLine,
    FetchPieceLine,
    Head,
    Recording,
    RecordingUnreadable,
    ToAppLine,
    read_recording,
    subject_of,
)
from lime_desktop.developer.recording.recorder import Recorder
from lime_desktop.developer.recording.replay import Difference, Replay, first_difference
from lime_desktop.host.bridge.timeline import Record

HEAD = Head(
    app_id="demo",
    app_version="1.0.0",
    entry_key="main",
    route="/",
    package="demo",
    package_hash="sha256:0",
    bundle_hash="sha256:0",
    locale="en",
    timezone="UTC",
    seed=7,
    host_version="0",
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


class Tape:
    """A recording while it is made."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: list[str] = []
        self._recorder = Recorder(HEAD, self._lines.append)

    def app_says(self, **message: object) -> None:
        self._say("from-app", message)

    def host_says(self, **message: object) -> None:
        self._say("to-app", message)

    def mark(self, kind: str, **facts: object) -> None:
        mark = {"protocol": "lime.recording", "mark": kind, "at": 5.0, **facts}
        self._recorder.hear_mark(json.dumps(mark))

    def read(self) -> Recording:
        self.path.write_text("".join(self._lines), "utf-8")
        return read_recording(self.path)

    def _say(self, direction: Any, message: dict[str, object]) -> None:
        text = json.dumps(message)
        record = Record(at_ms=0, direction=direction, type="x", characters=len(text))
        self._recorder.hear_message(record, text)


@pytest.fixture
def tape(tmp_path: Path) -> Tape:
    return Tape(tmp_path / "tape.jsonl")


class FakePage:
    """A page that does what its script says: one answer of its own per command."""

    def __init__(self) -> None:
        self.posted: list[dict[str, Any]] = []
        self.loads = 0
        self.ends: list[Difference | None] = []

    def post(self, message: str) -> None:
        self.posted.append(json.loads(message))

    def load(self) -> None:
        self.loads += 1

    def open_route(self, route: str) -> None:
        self.posted.append({"route": route})


def replayed(recording: Recording) -> tuple[Replay, FakePage]:
    page = FakePage()
    replay = Replay(recording, page, page.ends.append)
    replay.go_to(None)
    return replay, page


def finish(replay: Replay, page: FakePage) -> None:
    """The page has done what it was told last."""
    commands = [each for each in page.posted if each.get("protocol") == "lime.recording"]
    replay.hear_mark(json.dumps({"mark": "done", "step": commands[-1]["step"]}))


def test_what_the_host_says_stands_where_the_page_met_it(tape: Tape) -> None:
    tape.host_says(type="host:theme")
    tape.host_says(type="host:response", requestId="r1")
    tape.app_says(type="app:ready")
    tape.mark("heard", type="host:response", requestId="r1")
    tape.mark("heard", type="host:theme")
    kinds = [
        line.message["type"]
        if isinstance(line, ToAppLine) and isinstance(line.message, dict)
        else line.kind
        for line in tape.read().lines
    ]
    assert kinds == ["from-app", "host:response", "host:theme"]


def test_credentials_and_typed_passwords_never_reach_the_file(tape: Tape) -> None:
    token = "ghp_" + "aB3" * 12
    tape.app_says(type="x", payload={"apiKey": "plain", "text": f"use {token}"})
    tape.mark("input", event={"type": "input", "path": [], "value": token})
    tape.mark("fetch-piece", id=1, base64=base64.b64encode(token.encode()).decode())
    tape.mark("input", event={"type": "keydown", "path": [], "key": "Enter", "code": "Enter"})
    tape.read()
    written = tape.path.read_text("utf-8")
    assert token not in written
    assert base64.b64encode(token.encode()).decode() not in written
    assert '"plain"' not in written
    assert '"key":"Enter"' in written


def test_what_was_fetched_is_kept_once_and_referred_to(tape: Tape) -> None:
    for _ in range(2):
        tape.mark("fetch-piece", id=1, base64="aGVsbG8=")
    recording = tape.read()
    [body] = [line for line in recording.lines if isinstance(line, BodyLine)]
    pieces = [line for line in recording.events if isinstance(line, FetchPieceLine)]
    assert [piece.body for piece in pieces] == [body.hash, body.hash]
    assert recording.bodies == {body.hash: "aGVsbG8="}


def test_a_file_cut_off_in_its_last_line_is_read_up_to_there(tape: Tape) -> None:
    tape.app_says(type="a")
    tape.app_says(type="b")
    tape.read()
    tape.path.write_text(tape.path.read_text("utf-8")[:-5], "utf-8")
    assert len(read_recording(tape.path).lines) == 1


@pytest.mark.parametrize("text", ["", "{}\n", "not json\n"])
def test_what_is_no_recording_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "x").write_text(text)
    with pytest.raises(RecordingUnreadable):
        read_recording(tmp_path / "x")


def test_a_line_that_says_nothing_known_is_named(tape: Tape) -> None:
    tape.read()
    with tape.path.open("a") as file:
        file.write('{"kind":"dream"}\n')
    with pytest.raises(RecordingUnreadable, match=":2 "):
        read_recording(tape.path)


def test_each_event_is_told_from_the_next_in_a_few_words(tape: Tape) -> None:
    tape.app_says(type="capability:invoke", payload={"capability": "lime.storage", "method": "get"})
    tape.app_says(type="app:ready")
    tape.mark("input", event={"type": "click", "path": ["#save"], "label": "Save"})
    tape.mark("input", event={"type": "keydown", "path": [], "key": "Enter", "code": "Enter"})
    tape.mark("timer", id=3)
    assert [subject_of(line) for line in tape.read().lines] == [
        "lime.storage.get",
        "app:ready",
        "click · Save",
        "keydown · Enter",
        "3",
    ]


def conversation(tape: Tape) -> Recording:
    tape.mark("begin", number=1)
    tape.app_says(type="ask", payload={"n": 1})
    tape.host_says(type="answer", requestId="r1")
    tape.mark("heard", type="answer", requestId="r1")
    tape.mark("timer", id=3)
    tape.app_says(type="thank")
    return tape.read()


def test_a_replay_gives_the_page_what_it_met_and_ends_with_no_difference(tape: Tape) -> None:
    replay, page = replayed(conversation(tape))
    replay.hear_mark('{"mark": "begin"}')
    assert page.posted == []
    replay.hear('{"type": "ask", "payload": {"n": 1}}')
    command, answer = page.posted
    assert (command["do"], command["at"]) == ("hear", 5.0)
    assert answer == {"type": "answer", "requestId": "r1"}
    finish(replay, page)
    assert (page.posted[-1]["do"], page.posted[-1]["id"]) == ("timer", 3)
    finish(replay, page)
    assert page.ends == []
    replay.hear('{"type": "thank"}')
    assert page.ends == [None]


def test_the_first_message_that_differs_ends_it_with_its_place(tape: Tape) -> None:
    replay, page = replayed(conversation(tape))
    replay.hear_mark('{"mark": "begin"}')
    replay.hear('{"type": "ask", "payload": {"n": 2}}')
    [difference] = page.ends
    assert difference is not None
    assert difference.event == 2
    assert difference.place is not None
    assert (difference.place.path, difference.place.expected, difference.place.actual) == (
        "$.payload.n",
        1,
        2,
    )
    replay.hear('{"type": "thank"}')
    assert len(page.ends) == 1


def test_a_message_that_comes_earlier_than_recorded_is_the_same_message(tape: Tape) -> None:
    replay, page = replayed(conversation(tape))
    replay.hear_mark('{"mark": "begin"}')
    replay.hear('{"type": "ask", "payload": {"n": 1}}')
    replay.hear('{"type": "thank"}')
    finish(replay, page)
    finish(replay, page)
    assert page.ends == [None]


def test_silence_is_a_difference_that_says_what_was_waited_for(tape: Tape) -> None:
    replay, page = replayed(conversation(tape))
    replay.hear_mark('{"mark": "begin"}')
    replay.give_up()
    [difference] = page.ends
    assert difference is not None
    assert (difference.event, difference.waited_for) == (2, "from-app")
    assert difference.expected == {"type": "ask", "payload": {"n": 1}}


def test_a_replay_can_be_stepped_through(tape: Tape) -> None:
    page = FakePage()
    replay = Replay(conversation(tape), page, page.ends.append)
    replay.go_to(1)
    replay.hear_mark('{"mark": "begin"}')
    replay.hear('{"type": "ask", "payload": {"n": 1}}')
    assert (replay.at, page.posted) == (1, [])
    replay.go_to(3)
    assert page.posted[0]["do"] == "hear"


@given(JSON)
def test_a_value_does_not_differ_from_itself(value: JsonValue) -> None:
    assert first_difference(value, json.loads(json.dumps(value))) is None


@given(JSON, JSON)
def test_values_that_differ_have_a_place_that_differs(one: JsonValue, other: JsonValue) -> None:
    found = first_difference(one, other)
    assert (found is None) == (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))


def test_what_a_socket_heard_is_played_and_what_is_not_covered_is_only_noted(tape: Tape) -> None:
    tape.mark("begin", number=1)
    tape.mark("note", code="WORKER_NOT_RECORDED", about="/first.js")
    tape.mark("socket-opened", id=1, subprotocol="chat")
    tape.mark("note", code="WORKER_NOT_RECORDED", about="/second.js")
    tape.mark("socket-message", id=1, text="hello, Bearer abcdefghijklmnop1234")
    tape.mark("socket-closed", id=1, code=1000, reason="done", wasClean=True)
    recording = tape.read()
    kinds = ["begin", "socket-opened", "socket-message", "socket-closed"]
    assert [each.kind for each in recording.events] == kinds
    assert [(each.code, each.about) for each in recording.notes] == [
        ("WORKER_NOT_RECORDED", "/first.js")
    ]
    assert subject_of(recording.events[3]) == "done"
    assert "abcdefghijklmnop1234" not in tape.path.read_text("utf-8")
