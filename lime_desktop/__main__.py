"""Run the command line: as ``lime-desktop``, or as ``python -m lime_desktop``."""

import gc


def start() -> None:
    """Import the command line and hand over to it."""
    # Nothing that is imported becomes garbage, yet looking for some took 50 ms of every start. The
    # command line turns the collector on again once the command is loaded.
    gc.disable()
    from lime_desktop.cli.main import main  # noqa: PLC0415

    main(prog_name="lime-desktop")


if __name__ == "__main__":
    start()
