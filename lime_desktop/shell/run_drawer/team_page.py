"""The agents that work on a run, and who works on what now."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QWidget

from lime_desktop.protocol.plain_text import plain_line, plain_name
from lime_desktop.readiness.naming import plain_words
from lime_desktop.runtime_views.views import SessionViews, SubagentThread, ToolCallView
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import (
    Tone,
    button,
    column,
    label,
    name_button,
    pill,
    row,
    rows_card,
)

_TONES: dict[str, Tone] = {"running": "info", "completed": "ok", "failed": "danger"}


class TeamPage(Page):
    """One row for each agent, in the order in which they were called."""

    def __init__(self, look: Look, show_work: Callable[[str], None]) -> None:
        super().__init__(margin=16)
        self._look = look
        self._show_work = show_work
        self._shown: object = None

    def show_views(self, views: SessionViews) -> None:
        """Bring the rows to what is known now."""
        told = (views.subagents, self._calls(views), self._look.texts.locale)
        if told != self._shown:
            self._shown = told
            team = views.subagents.threads
            self.refill(rows_card(*(self._member(each, views) for each in team)))

    def _calls(self, views: SessionViews) -> tuple[ToolCallView, ...]:
        return tuple(each for each in views.tool_calls.values() if each.subagent_id is not None)

    def _member(self, member: SubagentThread, views: SessionViews) -> QWidget:
        texts = self._look.texts
        name = plain_name(member.title or member.role or texts("drawer.node.subagent"))
        words = [label(name, "strong"), label(self._work_of(member, views), "small")]
        if member.role and member.role != member.title:
            words.insert(1, label(plain_line(plain_words(member.role)), "small"))
        show = button(texts("drawer.team.show"), partial(self._show_work, member.subagent_id))
        name_button(show, texts, name)
        state = "pending" if member.status == "queued" else member.status
        return row(
            column(*words, spacing=0),
            pill(texts(f"state.{state}"), _TONES.get(member.status, "plain")),
            show,
            stretch_at=0,
        )

    def _work_of(self, member: SubagentThread, views: SessionViews) -> str:
        """The tool that it uses now; else the last that it was asked or said, and how much it used."""
        texts = self._look.texts
        own = [each for each in self._calls(views) if each.subagent_id == member.subagent_id]
        used = [each for each in own if each.status == "running" and each.tool_name]
        if used and member.status == "running":
            return texts("drawer.team.using", tool=plain_line(used[-1].tool_name or ""))
        acts = [e for e in views.subagents.activities if e.subagent_id == member.subagent_id]
        last = plain_line(acts[-1].title) if acts else ""
        count = texts("drawer.team.tools", count=len(own)) if own else ""
        return " · ".join(part for part in (last, count) if part)
