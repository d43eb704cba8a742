"""What an app's data costs, as ratios to doing the same with nothing in between. Run as a module.

`python -m tests.benchmarks.bench_app_data [rows] [passages]`
"""

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from lime_desktop.app_server.knowledge.passages import Passage
from lime_desktop.app_server.knowledge.rows import SourceFile, put_document, search
from lime_desktop.app_server.knowledge.schema import KNOWLEDGE_INDEX
from lime_desktop.app_server.knowledge.tokens import query_of
from lime_desktop.app_server.storage.app_tables import read_tables
from lime_desktop.app_server.storage.schema import APP_STORAGE
from lime_desktop.app_server.storage.table_files import shape_tables
from lime_desktop.app_server.storage.table_rows import query_rows
from lime_desktop.database.connection import Connection, open_for_writing
from lime_desktop.database.migrations import migrate
from lime_desktop.protocol.capability_calls.storage_tables import QueryRowsParams

ROUNDS = 300
TURNS = 3
"""The processes take turns, so that a busy machine is busy for both."""
WORDS = ["lime", "travel", "审批", "报销", *(f"word{number}" for number in range(20_000))]
# As in real texts: the tenth word is a tenth as common as the first.
WEIGHTS = [1 / rank for rank in range(1, len(WORDS) + 1)]
SCHEMA = {
    "tables": [{"name": "note"}],
    "indexes": [{"table": "note", "fields": ["status", "rank"]}],
}


def milliseconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The usual time of some work."""
    times: list[float] = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1_000)
    return statistics.median(times)


def through_the_bridge() -> dict[str, float]:
    """lime.storage.get and set from a page, against the same statements in a slot of a raw web channel."""
    rounds = [(_measured("bridge"), _measured("floor")) for _ in range(TURNS)]
    return {
        f"{prefix}{name} ms": statistics.median(each[side][name] for each in rounds)
        for side, prefix in enumerate(("", "bare "))
        for name in ("set", "get")
    }


def _measured(way: str) -> Mapping[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.storage_children", way]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not done.stdout.strip():
        raise RuntimeError(f"{way}: {done.stderr[-500:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def _opened(path: Path) -> Connection:
    return open_for_writing(path, trusts_schema=True)


def rows_by_index(folder: Path, count: int) -> dict[str, float]:
    """A page of a query over an index, against the statement that a person would write."""
    connection = _opened(folder / "rows.db")
    migrate(connection, APP_STORAGE)
    tables = read_tables(SCHEMA)
    connection.execute("BEGIN")
    shape_tables(connection, tables)
    connection.executemany(
        "INSERT INTO note (id, body) VALUES (?, ?)",
        (
            (number, json.dumps({"id": number, "status": f"s{number % 1_000}", "rank": number}))
            for number in range(count)
        ),
    )
    connection.execute("COMMIT")
    query = QueryRowsParams.model_validate(
        {"table": "note", "where": {"status": "s7"}, "order_by": [{"field": "rank"}], "limit": 100}
    )
    ours = milliseconds(lambda: query_rows(connection, tables.named("note"), query))
    statement = """SELECT id, body, version, updated_at FROM note
        WHERE json_extract(body, '$."status"') = 's7'
        ORDER BY json_extract(body, '$."rank"'), id LIMIT 101"""
    bare = milliseconds(lambda: connection.execute(statement).fetchall())
    connection.close()
    return {"rows": count, "query ms": ours, "bare query ms": bare}


def knowledge(folder: Path, count: int) -> dict[str, float]:
    """Search over passages in Chinese and English."""
    connection = _opened(folder / "knowledge.db")
    migrate(connection, KNOWLEDGE_INDEX)
    chance = random.Random(7)  # noqa: S311 - the same texts each time
    connection.execute("BEGIN")
    for number in range(count // 100):
        passages = [
            Passage("", "", " ".join(chance.choices(WORDS, WEIGHTS, k=60)) + f" unique{number}")
            for _ in range(100)
        ]
        put_document(connection, "handbook", SourceFile(str(number), "n.md", 1, 1), passages)
    connection.execute("COMMIT")
    rare = query_of("unique42 审批") or ""
    common = query_of("travel word90 报销流程") or ""
    found = {
        "passages": float(count),
        "rare ms": milliseconds(lambda: search(connection, rare, None, 8), 10),
        "common ms": milliseconds(lambda: search(connection, common, None, 8), 10),
    }
    bare = "SELECT rowid FROM word WHERE word MATCH ? ORDER BY rank LIMIT 8"
    found["bare common ms"] = milliseconds(
        lambda: connection.execute(bare, (common,)).fetchall(), 10
    )
    connection.close()
    return found


def main() -> None:
    """Print every figure, and the ratios."""
    rows, passages = (int(text) for text in (sys.argv[1:] or ["1000000", "100000"]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = {
            **through_the_bridge(),
            **rows_by_index(folder, rows),
            **knowledge(folder, passages),
        }
    for label, figure in figures.items():
        print(f"{label}: {figure:.3f}")
    for label in ("set", "get", "query", "common"):
        print(f"{label}: {figures[f'{label} ms'] / figures[f'bare {label} ms']:.1f} x bare")


if __name__ == "__main__":
    main()
