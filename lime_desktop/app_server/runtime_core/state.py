"""What a session must remember to judge its next event: small, bounded, stored with every append.

It holds what is *open*: the active turn with its tools, questions and model rounds, and the queue.
What is finished lives in records (see `log.records`), so this never grows with the history.
"""

import msgspec

MAX_OPEN_TOOLS = 256
MAX_OPEN_ACTIONS = 64
MAX_QUEUED_TURNS = 100


class OpenTool(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tool that was started and has no result yet."""

    step_id: str
    owner: str | None = None
    """The message or item that asked for it; every later event of the tool must agree."""
    waits_for: str | None = None
    """The question that must be answered before any output."""
    is_refused: bool = False
    """A person, a rule or the sandbox said no: only its failure may follow."""


class OpenAction(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question to a person without an answer."""

    action_type: str
    tool_call_id: str | None = None
    expires_at_ms: int | None = None
    decisions: tuple[str, ...] = ()
    """The answers that were offered; empty when the asker named none."""
    can_change: bool = True
    """Whether a yes may change what is done; False where the asker says so."""
    can_wait: bool = True
    """Whether it may be put off, likewise."""


class OpenModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """A model round that was requested and has not finished."""

    request_id: str | None = None
    message_id: str | None = None


class ActiveTurn(msgspec.Struct, frozen=True, omit_defaults=True):
    """The one turn that runs."""

    turn_id: str
    thread_id: str
    task_id: str
    run_id: str
    trace_id: str | None = None
    is_cancelling: bool = False
    tools: dict[str, OpenTool] = {}
    actions: dict[str, OpenAction] = {}
    models: tuple[OpenModel, ...] = ()
    processes: tuple[str, ...] = ()
    subagents: tuple[str, ...] = ()


class QueuedTurn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A turn that was accepted and waits for the active one."""

    turn_id: str
    task_id: str
    run_id: str
    queued_at: str
    trace_id: str | None = None


class SessionState(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything the gates need, after the event numbered `last_sequence`."""

    session_id: str
    thread_id: str = ""
    last_sequence: int = 0
    last_event_id: str | None = None
    check: int = 0
    """Checksum chained over every stored event: what the next one continues."""
    active: ActiveTurn | None = None
    queue: tuple[QueuedTurn, ...] = ()
    is_queue_paused: bool = False
    last_turn_id: str | None = None
    is_closed: bool = False
    active_tasks: int = 0
    completed_tasks: int = 0
    failed_tasks: int = 0
    counts: dict[str, int] = {}
    """How many records of each kind exist, so that a page can say how much it leaves out."""

    def queued(self, turn_id: str) -> QueuedTurn | None:
        """The queued turn of this id."""
        return next((turn for turn in self.queue if turn.turn_id == turn_id), None)


def encode_state(state: SessionState) -> bytes:
    """The stored form."""
    return _ENCODER.encode(state)


class DamagedState(Exception):
    """A stored state cannot be read. Nothing is lost by it: the state follows from the log."""


def decode_state(body: bytes) -> SessionState:
    """Read the stored form.

    Raises:
        DamagedState: these bytes were not written here.
    """
    try:
        return _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError):
        # Bytes that are no text within a text are found by Python, not by the decoder; damage respects no column type.
        raise DamagedState from None


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(SessionState)
