"""Which secrets there are, whose they are and where their values lie. Never a value."""

from dataclasses import dataclass

from lime_desktop.app_server.secrets.place import PlaceName
from lime_desktop.database.connection import Connection
from lime_desktop.database.migrations import Migration, Schema, statements

SECRET_INDEX = Schema(
    "secret-index",
    (
        Migration(
            "owners and places",
            statements(
                """
                CREATE TABLE secret (
                    id TEXT PRIMARY KEY,
                    owner TEXT NOT NULL,
                    slot TEXT NOT NULL,
                    place TEXT NOT NULL,
                    updated_at TEXT NOT NULL,
                    UNIQUE (owner, slot)
                )
                """
            ),
        ),
    ),
)

_COLUMNS = "id, owner, slot, place, updated_at"


@dataclass(frozen=True, slots=True)
class SecretRecord:
    """A filled slot."""

    id: str
    owner: str
    """Who may use it: ``app:<id>`` or a part of the product, such as ``model-provider:<id>``."""
    slot: str
    place: PlaceName
    updated_at: str

    @property
    def ref(self) -> str:
        """What stands for the value wherever it is not needed."""
        return f"secret://{self.id}"


def find(connection: Connection, owner: str, slot: str) -> SecretRecord | None:
    """The record of a slot."""
    query = f"SELECT {_COLUMNS} FROM secret WHERE owner = ? AND slot = ?"  # noqa: S608 - constants
    row = connection.execute(query, (owner, slot)).fetchone()
    return SecretRecord(*row) if row else None


def find_by_id(connection: Connection, secret_id: str) -> SecretRecord | None:
    """The record behind a reference."""
    query = f"SELECT {_COLUMNS} FROM secret WHERE id = ?"  # noqa: S608 - constants
    row = connection.execute(query, (secret_id,)).fetchone()
    return SecretRecord(*row) if row else None


def list_of(connection: Connection, owner: str) -> tuple[SecretRecord, ...]:
    """Every filled slot of an owner."""
    query = f"SELECT {_COLUMNS} FROM secret WHERE owner = ? ORDER BY slot"  # noqa: S608 - constants
    return tuple(SecretRecord(*row) for row in connection.execute(query, (owner,)))


def keep(connection: Connection, record: SecretRecord) -> SecretRecord | None:
    """Write a record in the place of an earlier one of the same slot, and return that one."""
    before = find(connection, record.owner, record.slot)
    connection.execute(
        "DELETE FROM secret WHERE owner = ? AND slot = ?", (record.owner, record.slot)
    )
    connection.execute(
        "INSERT INTO secret VALUES (?, ?, ?, ?, ?)",
        (record.id, record.owner, record.slot, record.place, record.updated_at),
    )
    return before


def remove(connection: Connection, secret_id: str) -> None:
    """Forget a record."""
    connection.execute("DELETE FROM secret WHERE id = ?", (secret_id,))
