"""Stands where the model's process stands, and says what the input asks it to say. Started by its path.

``[say WORDS]`` streams the words; ``[json VALUE]`` streams the value; ``[tool NAME ARGUMENTS]`` chooses a tool once;
``[crash]`` dies, ``[killed]`` as the system would end it, ``[crash once FILE]`` dies the first time; ``[cut]`` breaks off; ``[garbage]`` sends no JSON;
``[hang]`` says a word and then nothing; ``[flood N]`` says a lot.
"""

import json
import os
import re
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ORDER: dict[str, Any] = json.loads(sys.stdin.readline())


class Model(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Nothing is logged."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers["Authorization"] != f"Bearer {ORDER['key']}":
            self.answer(401, {"error": {"message": "no key"}})
        elif self.path == "/tokenize":
            self.answer(200, {"tokens": body["content"].split()})
        else:
            self.complete(body)

    def answer(self, status: int, value: object) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def complete(self, body: dict[str, Any]) -> None:
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        if "never://" in json.dumps(schema):
            error = {"message": "JSON schema error at #", "type": "invalid_request_error"}
            self.answer(400, {"error": error})
            return
        said = [m["content"] for m in body["messages"] if m["role"] == "user"]
        asked = next((text for text in reversed(said) if "[" in text), said[-1])
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        if schema and "anyOf" in schema:
            self.words(choice(asked, has_result=any("The tool" in text for text in said)))
        else:
            self.act(asked)

    def act(self, asked: str) -> None:
        once = re.search(r"\[crash once (.*?)\]", asked)
        if "[crash]" in asked or (once and not Path(once[1]).exists()):
            if once:
                Path(once[1]).touch()
            os._exit(139)
        if "[killed]" in asked:
            os.kill(os.getpid(), signal.SIGKILL)
        if "[cut]" in asked:
            self.send("half a ")
            return
        if "[garbage]" in asked:
            self.wfile.write(b"data: {not json\n\n")
            return
        if "[hang]" in asked:
            self.send("word")
            threading.Event().wait()
        if flood := re.search(r"\[flood (\d+)\]", asked):
            self.words("x" * 10 + " " + "".join(f"y{n} " for n in range(int(flood[1]))))
            return
        found = re.search(r"\[(?:say|json) (.*)\]", asked, re.DOTALL)
        self.words(found[1] if found else f"You said: {asked}")

    def words(self, text: str) -> None:
        for piece in re.findall(r"\s*\S+\s*", text):
            self.send(piece)
        self.event({"choices": [{"delta": None, "finish_reason": "stop"}]})
        usage = {"prompt_tokens": 7, "completion_tokens": len(text.split())}
        self.event({"choices": [], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")

    def send(self, text: str) -> None:
        self.event({"choices": [{"delta": {"content": text}, "finish_reason": None}]})

    def event(self, value: object) -> None:
        self.wfile.write(b"data: " + json.dumps(value).encode() + b"\n\n")


def choice(asked: str, *, has_result: bool) -> str:
    found = re.search(r"\[tool (\w+) (\{.*?\})\]", asked)
    if found is None or has_result:
        return '{"action": "answer"}'
    return json.dumps({"action": "use_tool", "tool": found[1], "arguments": json.loads(found[2])})


if "[will not load]" in ORDER["path"]:
    sys.exit(3)
server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdout.write(json.dumps({"address": f"http://127.0.0.1:{server.server_port}"}) + "\n")
sys.stdout.flush()
sys.stdin.read()
