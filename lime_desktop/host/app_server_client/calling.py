"""What those who call the App Server need of it: one function. Whether a server runs is not their business."""

from typing import Protocol

from lime_desktop.protocol.wire import Method, ParamsT, ResultT


class CallServer(Protocol):
    """Asks the App Server, or fails with the reason why there is none."""

    async def __call__(
        self, method: Method[ParamsT, ResultT], params: ParamsT, *, timeout_s: float = ...
    ) -> ResultT:
        """Ask and wait for the typed answer."""
        ...
