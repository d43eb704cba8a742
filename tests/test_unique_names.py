"""A name stands once in a table: two parts of the program that claim one are found at start."""

import click
import pytest

from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.unique_names import DuplicateName, add_unique, unique_table


def test_the_second_of_a_name_is_refused_and_the_first_stays() -> None:
    table = {"open": 1}
    with pytest.raises(DuplicateName, match="route open"):
        add_unique(table, "open", 2, of="route")
    add_unique(table, "close", 3, of="route")
    assert table == {"open": 1, "close": 3}


def test_a_table_of_rows_holds_each_name_once() -> None:
    assert unique_table([("a", 1), ("b", 2)], of="handler") == {"a": 1, "b": 2}
    with pytest.raises(DuplicateName, match="handler a"):
        unique_table([("a", 1), ("b", 2), ("a", 1)], of="handler")


def test_a_second_command_of_a_name_is_refused() -> None:
    group = CommandGroup("things")

    @group.command("list")
    def first() -> None:
        """List them."""

    with pytest.raises(DuplicateName, match="command list"):
        group.command("list")(lambda: None)
    with pytest.raises(DuplicateName, match="command list"):
        group.add_command(click.Command("other"), "list")
    assert group.commands == {"list": first}
