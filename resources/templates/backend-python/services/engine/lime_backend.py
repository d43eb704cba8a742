"""Speaks Lime's backend contract, version 1, over stdin and stdout. Standard library only; yours to change.

    from lime_backend import Backend

    backend = Backend()

    @backend.method
    def count(call, input):
        call.progress(1, 2, "half way")
        return {"words": len(input["text"].split())}

    backend.serve()

Each call runs on a thread of its own, so that `cancel`, `health` and `shutdown` are heard meanwhile. What is printed goes to
stderr, which the host keeps as the backend's log.
"""

import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

CONTRACT = 1
METHOD_NOT_FOUND, INTERNAL_ERROR, CANCELLED = -32601, -32603, -32800


class Cancelled(Exception):
    """Nobody waits for this call any more."""


class LimeError(Exception):
    """The host refused or failed a call of a capability; `data` says more, with `code` and `stableCode`."""

    def __init__(self, message, data=None):
        super().__init__(message)
        self.data = data or {}


class Call:
    """One call of a page or an agent, while it is worked on."""

    def __init__(self, backend, call_id):
        self._backend = backend
        self._id = call_id
        self._cancelled = threading.Event()

    def progress(self, progress, total=None, message=None):
        """Tell how far it is. Raises Cancelled once nobody waits any more."""
        self.check()
        told = {"callId": self._id, "progress": progress, "total": total, "message": message}
        known = {name: value for name, value in told.items() if value is not None}
        self._backend.send({"method": "event", "params": known})

    def check(self):
        """Raise Cancelled once nobody waits any more; for long work that tells nothing."""
        if self._cancelled.is_set():
            raise Cancelled

    def cancel(self):
        """Have the next look find out."""
        self._cancelled.set()


class Backend:
    """Methods that pages and agents reach by `lime.tools.invoke("<service>/<method>")`."""

    def __init__(self):
        self.host = {}
        """What the host said when it began: app, service, folders, limits."""
        self._methods = {}
        self._calls = {}
        self._asked = {}
        self._number = 0
        self._lock = threading.Lock()
        self._workers = ThreadPoolExecutor(32)
        # What anything prints goes to the log: stdout belongs to the contract.
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)

    def method(self, function):
        """Let a function be called, by its name; it is given the call and its input."""
        self._methods[function.__name__] = function
        return function

    def lime(self, name, **params):
        """Call a capability in the app's name, such as `lime.storage.get`. Raises LimeError."""
        answered, answer = threading.Event(), {}
        with self._lock:
            self._number += 1
            asked = f"b{self._number}"
            self._asked[asked] = (answered, answer)
        wanted = {"call": name, "params": params}
        self.send({"id": asked, "method": "lime/call", "params": wanted})
        answered.wait()
        if "error" in answer:
            raise LimeError(answer["error"]["message"], answer["error"].get("data"))
        return answer.get("result")

    def serve(self):
        """Answer until the host says goodbye or is gone."""
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if "method" not in message:
                self._hear(message)
            elif self._take(message) is False:
                break
        self._out.flush()
        os._exit(0)

    def send(self, message):
        """Write one message: whole lines, whichever thread writes."""
        text = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n"
        with self._lock:
            self._out.write(text)
            self._out.flush()

    def _take(self, message):
        method, params, number = message["method"], message.get("params") or {}, message.get("id")
        if method == "call":
            self._workers.submit(self._work, number, params)
        elif method == "cancel":
            if (call := self._calls.get(params.get("callId"))) is not None:
                call.cancel()
        elif method == "initialize":
            self.host = params
            self.send({"id": number, "result": {"contract": CONTRACT}})
        elif method in {"health", "shutdown"}:
            self.send({"id": number, "result": {}})
            return method != "shutdown"
        elif number is not None:
            self._refuse(number, METHOD_NOT_FOUND, f"There is no {method}")
        return True

    def _work(self, number, params):
        method = self._methods.get(params["method"])
        if method is None:
            self._refuse(number, METHOD_NOT_FOUND, f"There is no method {params['method']}")
            return
        call = self._calls[params["callId"]] = Call(self, params["callId"])
        try:
            self.send({"id": number, "result": method(call, params.get("input") or {})})
        except Cancelled:
            self._refuse(number, CANCELLED, "The call was cancelled")
        except Exception as error:
            import traceback

            traceback.print_exc()
            self._refuse(number, INTERNAL_ERROR, f"{type(error).__name__}: {error}")
        finally:
            del self._calls[params["callId"]]

    def _refuse(self, number, code, text):
        self.send({"id": number, "error": {"code": code, "message": text}})

    def _hear(self, message):
        with self._lock:
            answered, answer = self._asked.pop(message["id"], (threading.Event(), {}))
        answer.update(message)
        answered.set()
