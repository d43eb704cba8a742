"""The log says what happened and where, and repeats nobody's words."""

import io
import json
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from lime_desktop.app_server.children.leashed_process import scrub
from lime_desktop.app_server.server.authentication import new_token
from lime_desktop.app_server.server.logs import JsonFormatter, log_to


@pytest.fixture
def log() -> Iterator[tuple[logging.Logger, io.StringIO]]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    logger = logging.getLogger("test.logs")
    logger.addHandler(handler)
    yield logger, stream
    logger.removeHandler(handler)


def test_a_record_is_one_line_of_json(log: tuple[logging.Logger, io.StringIO]) -> None:
    logger, stream = log
    logger.warning("call refused\nnext", extra={"method": "m", "traceId": "t", "params": "no"})
    (line,) = stream.getvalue().splitlines()
    entry = json.loads(line)
    assert entry["message"] == "call refused\nnext"
    assert (entry["level"], entry["method"], entry["traceId"]) == ("warning", "m", "t")
    assert "params" not in entry


def test_an_exception_is_logged_without_its_text(
    log: tuple[logging.Logger, io.StringIO],
) -> None:
    logger, stream = log
    try:
        int("what the person wrote")
    except ValueError:
        logger.exception("call failed")
    entry = json.loads(stream.getvalue())
    assert entry["exception"]["kind"] == "ValueError"
    assert "test_logs.py" in entry["exception"]["frames"][0]
    assert "what the person wrote" not in stream.getvalue()


def test_variables_that_could_hold_a_secret_are_removed() -> None:
    environment = {
        "OPENAI_API_KEY": "1",
        "GITHUB_TOKEN": "2",
        "MY_SECRET": "3",
        "db_password": "4",
        "AWS_SECRET_ACCESS_KEY": "5",
        "PATH": "/bin",
        "LANG": "zh_CN.UTF-8",
        "KEYBOARD": "de",
    }
    assert set(scrub(environment)) == {
        "OPENAI_API_KEY",
        "GITHUB_TOKEN",
        "MY_SECRET",
        "db_password",
        "AWS_SECRET_ACCESS_KEY",
    }
    assert set(environment) == {"PATH", "LANG", "KEYBOARD"}


@pytest.mark.skipif(os.name == "nt", reason="modes are of Unix")
def test_a_token_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("an old one")
    path.chmod(0o644)
    token = new_token()
    token.write(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    token.check(path.read_text(), None)


def test_what_libraries_say_in_passing_is_not_logged() -> None:
    """Ours: a client of a model provider writes whole requests to its log, where one asks for details."""
    stream = io.StringIO()
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    try:
        log_to(stream, level="DEBUG")
        logging.getLogger("openai._base_client").debug("Request options: %s", "a private prompt")
        logging.getLogger("openai").warning("worth knowing")
        logging.getLogger("lime_desktop.x").debug("ours")
    finally:
        root.handlers[:] = before
        root.setLevel(level)
        logging.captureWarnings(capture=False)
    assert "private" not in stream.getvalue()
    assert "worth knowing" in stream.getvalue()
    assert "ours" in stream.getvalue()
