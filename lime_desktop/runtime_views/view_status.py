"""How a thing that is shown stands: one word for every kind of thing."""

from typing import Literal, TypeAlias

ViewStatus: TypeAlias = Literal[
    "pending", "running", "waiting", "completed", "failed", "cancelled", "unknown"
]
