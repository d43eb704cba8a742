"""externalAgent/*: agents on the user's machine that speak the Agent Client Protocol and run turns for apps."""

from pydantic import Field

from lime_desktop.protocol.ids import NonEmpty
from lime_desktop.protocol.wire import HostOnlyParams, Maybe, Method, WireModel


class ExternalAgent(WireModel):
    """A program that the user set up."""

    agent_id: str = Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")
    title: str = Field(min_length=1, max_length=100)
    command: tuple[str, ...] = Field(min_length=1, max_length=64)
    """The program and its arguments. Keys do not belong here: an agent has its own sign-in."""
    folder: Maybe[str] = None
    """Where it works; without one, each conversation gets an empty folder of its own."""


class ListedAgent(WireModel):
    """An agent and whether it could run now."""

    agent: ExternalAgent
    problem: Maybe[str] = None


class ListAgentsResult(WireModel):
    """Every agent that is set up."""

    agents: tuple[ListedAgent, ...]


class AddAgentParams(HostOnlyParams):
    """Set an agent up; one of the same id is replaced."""

    agent: ExternalAgent


class AgentParams(HostOnlyParams):
    """Name an agent."""

    agent_id: NonEmpty[str]


class AgentResult(WireModel):
    """The agent as it is now."""

    agent: ListedAgent


class RemoveAgentResult(WireModel):
    """Whether there was one to remove."""

    was_there: bool


class CheckAgentResult(WireModel):
    """What came of starting it and shaking hands."""

    is_working: bool
    name: Maybe[str] = None
    """What it calls itself."""
    version: Maybe[str] = None
    problem: Maybe[str] = None


LIST_AGENTS = Method(
    "externalAgent/list", HostOnlyParams, ListAgentsResult, "List the agents that are set up."
)
ADD_AGENT = Method("externalAgent/add", AddAgentParams, AgentResult)
REMOVE_AGENT = Method(
    "externalAgent/remove", AgentParams, RemoveAgentResult, "Forget an agent; its program stays."
)
CHECK_AGENT = Method(
    "externalAgent/check", AgentParams, CheckAgentResult, "Start an agent and shake hands with it."
)
