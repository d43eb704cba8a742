"""Bare DBOS: one workflow of so many empty steps, on SQLite in WAL with full synchronisation. Prints the seconds that it took.

Runs by a Python that has `dbos` and `pysqlite3`; needs nothing of this project.
"""

import asyncio
import importlib
import sys
import time
from typing import Any

# Loaded by name: this project's own environment has none of them.
sqlite: Any = importlib.import_module("pysqlite3.dbapi2")
sqlalchemy: Any = importlib.import_module("sqlalchemy")
dbos: Any = importlib.import_module("dbos")
DBOS: Any = dbos.DBOS


def main(file: str, count: int) -> None:
    """Run it twice, and say how long the second took."""
    engine = sqlalchemy.create_engine(f"sqlite:///{file}", module=sqlite)

    @sqlalchemy.event.listens_for(engine, "connect")
    def _settings(connection: Any, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")

    DBOS(
        config={
            "name": "bench",
            "system_database_url": f"sqlite:///{file}",
            "system_database_engine": engine,
            "serializer": dbos.DBOSPortableJSONSerializer(),
            "application_version": "1",
            "log_level": "ERROR",
            "run_migrations": True,
        }
    )

    @DBOS.step()
    async def step(number: int) -> int:
        return number

    @DBOS.workflow()
    async def flow(steps: int) -> int:
        for number in range(steps):
            await step(number)
        return steps

    async def scene() -> float:
        DBOS.launch()
        await flow(5)
        began = time.perf_counter()
        await flow(count)
        return time.perf_counter() - began

    print(asyncio.run(scene()))
    DBOS.destroy()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
