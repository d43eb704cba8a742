"""Run the command line: as ``lime-desktop``, or as ``python -m lime_desktop``."""

import gc
import sys

from lime_desktop.own_programs import AS_PRODUCT
from lime_desktop.product import worn_product


def start() -> None:
    """Import the command line and hand over to it."""
    # Nothing that is imported becomes garbage, yet looking for some took 50 ms of every start. The
    # command line turns the collector on again once the command is loaded.
    gc.disable()
    become_product(sys.argv)
    from lime_desktop.cli.main import main  # noqa: PLC0415

    main(prog_name="lime-desktop")


def become_product(arguments: list[str]) -> None:
    """Be the product that a launcher names, if it is the first word of the command, and take that word away.

    Which product a process is must be settled before anything else is loaded.
    """
    if arguments[1:2] != [AS_PRODUCT] or worn_product() is not None:
        return
    from lime_desktop.registration.products import become  # noqa: PLC0415 - rarely needed

    become(arguments[2] if len(arguments) > 2 else "")
    del arguments[1:3]


if __name__ == "__main__":
    start()
