"""An address as a person can judge it: the host large and as the network knows it, the whole below."""

from PySide6.QtWidgets import QWidget

from lime_desktop.protocol.plain_text import address_host, plain_address, plain_line
from lime_desktop.shell.widgets.parts import column, label


def shown_address(url: str) -> QWidget:
    """The host first: everything else in an address may say what it likes."""
    try:
        host = address_host(url)
    except ValueError:
        host = ""
    whole = label(plain_address(url), "mono")
    whole.setAccessibleName(plain_line(url))
    return column(label(host, "heading"), whole, spacing=4) if host else whole
