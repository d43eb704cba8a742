"""Tool servers (MCP): set up, tried, removed. An agent uses them as far as its app's manifest and its owner let it."""

import shlex

from pydantic import SecretStr, ValidationError
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from lime_desktop.host.wording.joining import listed, named
from lime_desktop.protocol.calls.mcp_servers import (
    ADD_MCP_SERVER,
    LIST_MCP_SERVERS,
    REMOVE_MCP_SERVER,
    TEST_MCP_SERVER,
    AddMcpServerParams,
    GivenValue,
    ListMcpServersParams,
    McpServerSettings,
    McpServerStatus,
    RemoveMcpServerParams,
    TryMcpServerParams,
)
from lime_desktop.shell.settings.section import SectionContext, group, refill, setting
from lime_desktop.shell.widgets.parts import (
    Tone,
    button,
    card,
    column,
    label,
    name_button,
    pill,
    row,
)

_TONES: dict[str, Tone] = {"running": "ok", "starting": "info", "down": "danger"}


def build(context: SectionContext) -> QWidget:
    """The servers there are, and a form for one more."""
    servers = _ToolServers(context)
    context.work.start(servers.read())
    return column(servers.listing, servers.form(), spacing=16)


class _ToolServers:
    def __init__(self, context: SectionContext) -> None:
        self._context = context
        self._name = QLineEdit()
        self._aliases = QLineEdit()
        self._command = QLineEdit()
        self._command.setPlaceholderText(context.look.texts("settings.tools.command.example"))
        self._hidden_name = QLineEdit()
        self._hidden_name.setPlaceholderText(context.look.texts("settings.tools.hidden.example"))
        self._hidden = QLineEdit()
        self._hidden.setEchoMode(QLineEdit.EchoMode.Password)
        self.listing = column(label(context.look.texts("settings.reading"), "muted"), spacing=12)

    async def read(self) -> None:
        """Show every server as it is now."""
        removed = self._context.removals.watch()
        listed = await self._context.call(LIST_MCP_SERVERS, ListMcpServersParams())
        left = [each for each in listed.servers if not removed(_key(each.settings.server_id))]
        shown = [self._server(each) for each in left]
        refill(self.listing, *(shown or [self._context.empty("tool", "settings.tools.none")]))

    async def _changed(self) -> None:
        """Apps that wait for a server stand otherwise now."""
        await self.read()
        await self._context.services.setup.read_all(self._context.call)

    def form(self) -> QFrame:
        """Where one more is set up: a program of this computer, or an address."""
        texts = self._context.look.texts
        return group(
            texts("settings.tools.add"),
            setting(texts("settings.tools.name"), texts("settings.tools.name.about"), self._name),
            setting(
                texts("settings.tools.aliases"),
                texts("settings.tools.aliases.about"),
                self._aliases,
            ),
            setting(
                texts("settings.tools.command"),
                texts("settings.tools.command.about"),
                self._command,
            ),
            setting(
                texts("settings.tools.hidden.name"),
                texts("settings.tools.hidden.name.about"),
                self._hidden_name,
            ),
            setting(
                texts("settings.tools.hidden"), texts("settings.tools.hidden.about"), self._hidden
            ),
            row(button(texts("settings.tools.add.do"), self._add, "primary")),
        )

    def _server(self, server: McpServerStatus) -> QFrame:
        texts, settings = self._context.look.texts, server.settings
        title = settings.title or settings.server_id
        state = pill(
            texts(f"settings.tools.state.{server.state}"), _TONES.get(server.state, "plain")
        )
        trying = button(texts("settings.tools.try"), lambda: self._try(settings.server_id))
        name_button(trying, texts, title)
        removing = button(
            texts("settings.tools.remove"),
            lambda: self._remove(settings.server_id, title),
            "danger",
        )
        removing.setAccessibleName(named(texts, removing.text(), title))
        where = settings.url or shlex.join(settings.command)
        parts = [row(label(title, "strong"), state, trying, removing, stretch_at=0)]
        parts.append(label(where, "mono"))
        if settings.aliases:
            parts.append(
                label(texts("settings.tools.also", names=listed(texts, settings.aliases)), "small")
            )
        if settings.hidden:
            shown = listed(texts, (each.name for each in settings.hidden))
            parts.append(label(texts("settings.tools.shown", names=shown), "small"))
        if server.reason:
            parts.append(label(server.reason, "small"))
        if server.tools:
            names = listed(texts, (tool.name for tool in server.tools))
            parts.append(label(texts("settings.tools.offers", tools=names), "small"))
        return card(*parts)

    def _add(self) -> None:
        texts = self._context.look.texts
        try:
            settings = read_server(self._name.text(), self._command.text(), self._aliases.text())
            values = read_hidden(settings, self._hidden_name.text(), self._hidden.text())
        except ValueError:
            self._context.say(texts("settings.tools.add.wrong"), "error")
            return
        self._hidden.clear()

        async def add() -> None:
            asked = AddMcpServerParams(settings=settings, values=values)
            await self._context.call(ADD_MCP_SERVER, asked)
            for field in (self._name, self._aliases, self._command, self._hidden_name):
                field.clear()
            await self._changed()

        self._context.work.start(add())

    def _try(self, server_id: str) -> None:
        async def attempt() -> None:
            found = await self._context.call(
                TEST_MCP_SERVER, TryMcpServerParams(server_id=server_id), timeout_s=60.0
            )
            words = self._context.look.texts("settings.tools.tried", count=len(found.server.tools))
            self._context.say(words, "success" if found.server.state == "running" else "warning")
            await self._changed()

        self._context.work.start(attempt())

    def _remove(self, server_id: str, title: str) -> None:
        context = self._context

        async def remove() -> None:
            await context.call(REMOVE_MCP_SERVER, RemoveMcpServerParams(server_id=server_id))
            await context.services.setup.read_all(context.call)

        words = context.look.texts("undo.removed", name=title)
        context.removals.remove(_key(server_id), words, remove, self.listing, self._show_again)

    def _show_again(self) -> None:
        self._context.work.start(self.read())


def _key(server_id: str) -> str:
    return f"mcp-server/{server_id}"


def read_server(name: str, where: str, aliases: str = "") -> McpServerSettings:
    """What was typed, as settings: an address where it begins like one, else a program with its arguments.

    Further names stand behind commas, as those who wrote the apps wrote them.

    Raises:
        ValueError: it is neither.
    """
    where = where.strip()
    is_address = where.startswith(("http://", "https://"))
    try:
        return McpServerSettings(
            server_id=name.strip(),
            aliases=tuple(filter(None, map(str.strip, aliases.split(",")))),
            url=where if is_address else None,
            command=() if is_address else tuple(shlex.split(where)),
        )
    except ValidationError as error:
        raise ValueError(str(error.error_count())) from None


def read_hidden(settings: McpServerSettings, name: str, value: str) -> tuple[GivenValue, ...]:
    """What the server is to be shown, if anything was typed: a header for an address, a variable for a program.

    Raises:
        ValueError: one of the two is missing, or it cannot be shown.
    """
    name, value = name.strip(), value.strip()
    if not name and not value:
        return ()
    if not name or not value:
        raise ValueError("a name and a value belong together")
    kind = "header" if settings.url else "variable"
    try:
        return (GivenValue(kind=kind, name=name, value=SecretStr(value)),)
    except ValidationError as error:
        raise ValueError(str(error.error_count())) from None
