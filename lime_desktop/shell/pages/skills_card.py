"""The skills of an app on its page: which its agents read, a switch for those that a person turns on, and what is missing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtWidgets import QCheckBox, QWidget

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.wording.joining import sentences
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.skills import (
    LIST_APP_SKILLS,
    SWITCH_SKILL,
    ListAppSkillsParams,
    SwitchSkillParams,
)
from lime_desktop.protocol.capability_calls.skills import Skill
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.plain_text import plain_line, plain_name
from lime_desktop.shell.pages.given_card import Change
from lime_desktop.shell.widgets.parts import (
    button,
    card,
    column,
    label,
    name_button,
    no_mnemonic,
    pill,
    row,
)

_MOST_SHOWN = 50


@dataclass(frozen=True, slots=True)
class SkillLinks:
    """What the card does when it is pressed."""

    call: CallServer
    install: Callable[[RegisteredApp], Change]
    """Has a person choose the folder of a skill."""


class SkillCards:
    """The card of whichever app is shown, by what was last read of it."""

    def __init__(self, texts: Texts, links: SkillLinks) -> None:
        self._texts = texts
        self._links = links
        self._skills: dict[str, tuple[Skill, ...]] = {}

    async def look(self, app: RegisteredApp) -> bool:
        """Read an app's skills, and tell whether they are news; without an App Server nobody knows."""
        manifest = app.package.manifest
        if not (app.package.skills or manifest.skills or manifest.skill_refs):
            return False
        try:
            asked = ListAppSkillsParams(app_id=AppId(app.app_id))
            found = (await self._links.call(LIST_APP_SKILLS, asked)).skills
        except AppError:
            return False
        is_news = found != self._skills.get(app.app_id, ())
        self._skills[app.app_id] = found
        return is_news

    def parts(self, app: RegisteredApp, start: Callable[[Change], None]) -> Iterator[QWidget]:
        """The card, where there is anything to show; what it does is begun by `start`."""
        skills = self._skills.get(app.app_id, ())[:_MOST_SHOWN]
        if skills:
            heading = label(self._texts("skills.title"), "heading")
            about = label(self._texts("skills.about"), "muted")
            made = card(heading, about, *(self._skill(app, each, start) for each in skills))
            made.setObjectName("skills")
            yield made

    def _skill(self, app: RegisteredApp, skill: Skill, start: Callable[[Change], None]) -> QWidget:
        texts = self._texts
        name = plain_name(app.skill_title(skill.skill_id, texts.locale) or skill.title)
        words = column(label(name), label(self._about(app, skill), "small"), spacing=0)
        if not skill.available:
            add = button(texts("skills.add"), lambda: start(self._links.install(app)))
            name_button(add, texts, name)
            return row(words, pill(texts("skills.missing"), "warning"), add, stretch_at=0)
        if skill.activation != "manual":
            return row(words, pill(texts(f"skills.{skill.activation}"), "plain"), stretch_at=0)
        switch = QCheckBox(no_mnemonic(texts("skills.manual")))
        switch.setAccessibleName(f"{texts('skills.manual')}: {name}")
        switch.setChecked(skill.enabled)

        def turn(is_on: bool) -> None:  # noqa: FBT001 - Qt's own signal
            start(self._switch(app, skill, is_on=is_on))

        switch.clicked.connect(turn)
        return row(words, switch, stretch_at=0)

    def _about(self, app: RegisteredApp, skill: Skill) -> str:
        """What it is for, or what is missing and how to get it."""
        texts = self._texts
        if skill.available:
            translated = app.skill_about(skill.skill_id, texts.locale)
            return plain_line(translated or skill.description)
        wanted = skill.wanted_version
        if skill.reason_code == "version_unfit":
            found = skill.version or texts("skills.version.none")
            lacking = texts("skills.missing.version", found=found, wanted=wanted or "")
        elif wanted:
            lacking = texts("skills.missing.wanted", wanted=wanted)
        else:
            lacking = texts("skills.missing.any")
        return sentences(texts, lacking, texts("skills.get"))

    async def _switch(self, app: RegisteredApp, skill: Skill, *, is_on: bool) -> None:
        asked = SwitchSkillParams(app_id=AppId(app.app_id), skill_id=skill.skill_id, is_on=is_on)
        await self._links.call(SWITCH_SKILL, asked)
