"""SQL that somebody else wrote gets no name of ours, ends in time, and fails with our own word (ours)."""

import sqlite3
import time
from collections.abc import Iterator

import pytest

from lime_desktop.database.foreign_sql import ForeignSqlRefused, Reserved, run_foreign_sql

RESERVED = Reserved("lime_", frozenset({"kept"}))
ROWS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 100000000) "


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(":memory:", isolation_level=None)
    opened.execute("CREATE TABLE lime_own (a)")
    opened.execute("CREATE TABLE note (a)")
    yield opened
    opened.close()


@pytest.mark.parametrize(
    "script",
    [
        "ALTER TABLE note RENAME TO lime_note",
        "ALTER TABLE note RENAME TO Lime_Note",
        "ALTER TABLE note RENAME TO kept",
        "ALTER TABLE lime_own RENAME TO mine",
        "CREATE TABLE x (a); ALTER TABLE x RENAME TO 'lime_x'",
        "SELECT 1; SELECT '\0'",
        "\0",
    ],
)
def test_no_name_becomes_ours_and_no_script_fails_otherwise(
    connection: sqlite3.Connection, script: str
) -> None:
    with pytest.raises(ForeignSqlRefused):
        run_foreign_sql(connection, script, RESERVED, deadline_s=10)


@pytest.mark.parametrize(
    "what",
    [
        "length(printf('%8000000s', n))",
        "length(replace(printf('%4000000s', n), ' ', 'a'))",
        "length(hex(zeroblob(3000000 + n % 2)))",
        "replace(printf('%80000s', n), ' ', 'a') LIKE '%a%a%a%a%a%b'",
    ],
)
def test_no_function_outlasts_the_deadline(connection: sqlite3.Connection, what: str) -> None:
    """Bug: `printf` made values past its end. The bound is generous."""
    script = f"{ROWS} SELECT sum({what}) FROM r"  # noqa: S608 - written above
    began = time.monotonic()
    with pytest.raises(ForeignSqlRefused, match="took too long"):
        run_foreign_sql(connection, script, RESERVED, deadline_s=0.2)
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("name", ["trim", "ltrim", "rtrim"])
def test_trimming_takes_no_square_of_its_texts(connection: sqlite3.Connection, name: str) -> None:
    """Bug: nobody looks at the clock inside one call, and this one took minutes."""
    text, characters = "a" * 200_000, "b" * 200_000 + "a"
    connection.execute("CREATE TABLE told (value)")
    connection.execute("INSERT INTO note VALUES (?), (?)", (text, characters))
    script = f"INSERT INTO told SELECT length({name}(min(a), max(a))) FROM note"  # noqa: S608 - written above
    began = time.monotonic()
    run_foreign_sql(connection, script, RESERVED, deadline_s=60)
    assert time.monotonic() - began < 20
    assert connection.execute("SELECT value FROM told").fetchone() == (0,)


@pytest.mark.parametrize(
    "expression",
    [
        "trim('xxayx', 'xy')",
        "ltrim('xxax', 'x')",
        "rtrim('xxax', 'x')",
        "trim(NULL, 'x')",
        "trim('a', NULL)",
        "trim(1210, 10)",
        "rtrim(1.50, '5')",
        "trim('häh', 'h')",
        "trim('  a b ')",
        "trim('a', '')",
    ],
)
def test_trimming_answers_as_before(connection: sqlite3.Connection, expression: str) -> None:
    before = connection.execute(f"SELECT {expression}").fetchone()
    connection.execute("CREATE TABLE told (value)")
    run_foreign_sql(connection, f"INSERT INTO told SELECT {expression}", RESERVED, deadline_s=60)
    assert connection.execute("SELECT value FROM told").fetchone() == before
    assert connection.execute(f"SELECT {expression}").fetchone() == before
