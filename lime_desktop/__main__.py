"""Run the command line as ``python -m lime_desktop``."""

from lime_desktop.cli.main import main

main(prog_name="lime-desktop")
