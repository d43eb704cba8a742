"""SQL that somebody else wrote gets no name of ours, ends in time, and fails with our own word (ours)."""

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from itertools import product

import pytest

from lime_desktop.database.foreign_functions import bound_functions
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
        "length(printf('%1000000s', n))",
        "length(replace(printf('%1000000s', n), ' ', 'a'))",
        "length(hex(zeroblob(500000 + n % 2)))",
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


LONG = "replace(hex(zeroblob({0} / 2)), '0', 'a')"
HALF, WHOLE = LONG.format(500_000), LONG.format(1_000_000)


@pytest.mark.parametrize(
    "what",
    [
        f"instr({WHOLE}, {HALF} || 'b')",
        f"length(replace({WHOLE}, {HALF} || 'b', ''))",
        f"length(trim({HALF}, replace({HALF}, 'a', 'b') || 'a'))",
        f"length(ltrim({HALF}, replace({HALF}, 'a', 'b') || 'a'))",
        f"length(rtrim({HALF}, replace({HALF}, 'a', 'b') || 'a'))",
        f"{WHOLE} LIKE '%{'a' * 60}b'",
        f"{WHOLE} LIKE '%{'a_' * 30}b'",
        f"{WHOLE} LIKE '%{'a%' * 30}b'",
        f"{WHOLE} GLOB '*{'[ab]' * 15}b'",
        f"{WHOLE} GLOB '*[{'b' * 60}]'",
        f"length(printf('%q', {WHOLE}))",
        "length(randomblob(1000000))",
        f"strftime(replace({HALF}, 'aa', '%J'))",
    ],
)
def test_one_call_of_a_function_ends_soon(connection: sqlite3.Connection, what: str) -> None:
    """Bug: SQLite looks at no clock inside a function, and `instr` and `trim` took minutes. The bound is generous."""
    began = time.monotonic()
    with contextlib.suppress(ForeignSqlRefused):
        run_foreign_sql(connection, f"SELECT {what}", RESERVED, deadline_s=1)
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    "script",
    [
        "SELECT json_patch('{}', '{}')",
        "SELECT load_extension('x')",
        "SELECT fts3_tokenizer('simple')",
        "SELECT length(replace(printf('%1000000s', 1), ' ', printf('%1000000s', 1)))",
        "SELECT length(zeroblob(2000000) || '')",
    ],
)
def test_what_cannot_be_bounded_is_refused(connection: sqlite3.Connection, script: str) -> None:
    with pytest.raises(ForeignSqlRefused):
        run_foreign_sql(connection, script, RESERVED, deadline_s=10)


VALUES = (
    None,
    "",
    "a",
    "aXbX",
    "XX",
    "\u00e9X",
    b"",
    b"aX",
    b"X",
    0,
    -12,
    1.0,
    1.5,
    1e15,
    1e300,
    0.1,
)


def test_the_bounded_functions_answer_as_sqlites_own_do(connection: sqlite3.Connection) -> None:
    own = sqlite3.connect(":memory:")
    bound_functions(connection, 1000)
    asked = [(f"{name}(?, ?)", 2) for name in ("instr", "trim", "ltrim", "rtrim")]
    for call, count in (*asked, ("replace(?, ?, ?)", 3)):
        for given in product(VALUES, repeat=count):
            sql = f"SELECT {call}, typeof({call})"
            both = (*given, *given)
            wanted = own.execute(sql, both).fetchone()
            if call.startswith("replace") and wanted[1] in {"integer", "real"}:
                # An older SQLite gives a number back as it is where nothing is replaced; newer ones write it.
                wanted = (own.execute("SELECT CAST(? AS TEXT)", given[:1]).fetchone()[0], "text")
            assert connection.execute(sql, both).fetchone() == wanted, (call, given)
    own.close()


def test_a_script_is_split_where_its_statements_end(connection: sqlite3.Connection) -> None:
    script = """
    -- a; comment
    INSERT INTO note VALUES ('a;b'); /* ; */ INSERT INTO note VALUES ('c;d');;
    CREATE TABLE [x;y] (`z;` TEXT); INSERT INTO note VALUES ('it''s;') -- no end; here
    """
    run_foreign_sql(connection, script, RESERVED, deadline_s=10)
    assert [row[0] for row in connection.execute("SELECT a FROM note")] == ["a;b", "c;d", "it's;"]
    assert connection.execute("SELECT count(*) FROM [x;y]").fetchone() == (0,)


@pytest.mark.parametrize(
    "script",
    ["SELECT '{}'", "SELECT 1 /*{}", "SELECT '{}", "/*{}*/ SELECT 1", "SELECT [{}", "--{}"],
)
@pytest.mark.parametrize("piece", [";", "/*;", "';", '"', "`[", "--;"])
def test_splitting_a_script_grows_with_its_length(
    connection: sqlite3.Connection, script: str, piece: str
) -> None:
    """Bug: each semicolon inside a text had everything before it read again; these took an hour. The bound is generous."""
    began = time.monotonic()
    with contextlib.suppress(ForeignSqlRefused):
        run_foreign_sql(connection, script.replace("{}", piece * 200_000), RESERVED, deadline_s=5)
    assert time.monotonic() - began < 30


def test_many_statements_end_with_the_deadline(connection: sqlite3.Connection) -> None:
    with pytest.raises(ForeignSqlRefused, match="took too long"):
        run_foreign_sql(connection, "SELECT 1;" * 300_000, RESERVED, deadline_s=0.2)


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
