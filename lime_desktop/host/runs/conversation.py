"""Talking to an agent of an app: the sessions of one entry, and what is said in them. Approvals are not made here.

Knows the App Server's methods; knows no widget. Every fact comes back as an event, see `session_feed`.
"""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.runs.chat_files import ChatFile
from lime_desktop.host.runs.run_actions import stop_run
from lime_desktop.protocol.calls.models import LIST_MODELS, ListModelsParams
from lime_desktop.protocol.calls.sessions import (
    LIST_SESSIONS,
    START_SESSION,
    ListSessionsParams,
    StartSessionParams,
)
from lime_desktop.protocol.calls.turns import (
    START_TURN,
    RuntimeOptions,
    StartTurnParams,
    TurnInput,
)
from lime_desktop.protocol.errors import ProviderNotReady
from lime_desktop.protocol.ids import AppId, SessionId, TurnId
from lime_desktop.protocol.runtime.sessions import AgentSession, BusinessObjectRef

_ENTRY = "entry"
"""What a session of an entry is about, so that its history is found again."""
_TITLE_CHARACTERS = 80
_TIMEOUT_S = 30.0
_LISTED = 100


@dataclass(frozen=True, slots=True)
class Speaker:
    """Whose agent is spoken to."""

    app_id: str
    entry_key: str
    title: str
    locale: str = "en"


def speaker_of(app: RegisteredApp, entry_key: str, locale: str) -> Speaker:
    """The agent behind an entry."""
    return Speaker(app.app_id, entry_key, app.entry_title(entry_key, locale), locale)


class Conversations:
    """The sessions of one entry."""

    def __init__(self, call: CallServer, speaker: Speaker) -> None:
        self._call = call
        self._speaker = speaker

    async def begin(self, about: str) -> AgentSession:
        """Open a new session, named by what it is about.

        Raises:
            ProviderNotReady: nobody could answer in it, so that none was opened.
        """
        await self._require_model()
        speaker = self._speaker
        asked = StartSessionParams(
            app_id=AppId(speaker.app_id),
            title=" ".join(about.split())[:_TITLE_CHARACTERS] or speaker.title,
            locale=speaker.locale,
            business_object_ref=BusinessObjectRef(
                kind=_ENTRY, id=speaker.entry_key, title=speaker.title
            ),
        )
        return (await self._call(START_SESSION, asked, timeout_s=_TIMEOUT_S)).session

    async def past(self) -> tuple[AgentSession, ...]:
        """Earlier sessions of this entry, the newest first."""
        asked = ListSessionsParams(app_id=AppId(self._speaker.app_id), limit=_LISTED)
        found = (await self._call(LIST_SESSIONS, asked, timeout_s=_TIMEOUT_S)).sessions
        return tuple(each for each in found if self._is_ours(each))

    async def say(
        self,
        session_id: str,
        words: str,
        replaces: str | None = None,
        files: Iterable[ChatFile] = (),
    ) -> TurnId:
        """Give the agent something to do; said during an answer, it waits for its turn.

        `replaces` names an earlier turn that is asked anew: it stays a fact, and the agent no longer reads it. `files` go
        along by reference.
        """
        speaker = self._speaker
        # The App Server gives the agent the entry's persona and skills, out of the registered package.
        options = RuntimeOptions(stream=True, host_options={"entryKey": speaker.entry_key})
        asked = StartTurnParams(
            session_id=SessionId(session_id),
            # Our own id: should the answer to this call be lost, repeating it starts no second turn.
            turn_id=TurnId(f"turn_{uuid.uuid4().hex}"),
            input=TurnInput(text=words, attachments=tuple(each.as_attachment() for each in files)),
            queue_if_busy=True,
            replaces_turn_id=TurnId(replaces) if replaces else None,
            runtime_options=options,
        )
        return (await self._call(START_TURN, asked, timeout_s=_TIMEOUT_S)).turn.turn_id

    async def stop(self, session_id: str, turn_id: str) -> None:
        """Stop what the agent is doing."""
        await stop_run(self._call, session_id, turn_id)

    async def _require_model(self) -> None:
        asked = ListModelsParams(include_unavailable=False)
        obstacle = (await self._call(LIST_MODELS, asked, timeout_s=_TIMEOUT_S)).obstacle
        if obstacle is not None:
            details = {"reasonCode": obstacle.reason_code, "setupAction": obstacle.setup_action}
            raise ProviderNotReady(obstacle.message, details=details)

    def _is_ours(self, session: AgentSession) -> bool:
        about = session.business_object_ref
        return about is not None and (about.kind, about.id) == (_ENTRY, self._speaker.entry_key)


def can_ask_again(session: AgentSession) -> bool:
    """Whether a session is a conversation with an entry: what an app asked for, only the app can ask again."""
    about = session.business_object_ref
    return about is not None and about.kind == _ENTRY


async def ask_again(
    call: CallServer, session: AgentSession, words: str, turn_id: str, locale: str
) -> None:
    """Ask what an earlier turn of a conversation asked, in its place."""
    about = session.business_object_ref
    if about is None:
        return
    speaker = Speaker(session.app_id, about.id, about.title or about.id, locale)
    await Conversations(call, speaker).say(session.session_id, words, turn_id)
