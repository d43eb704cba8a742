"""What do we add to the first word of a local model? Run by hand: ``python -m tests.benchmarks.bench_embedded``.

Asks the same questions, turn by turn, of the bare library in a process of its own and of the embedded engine behind
RuntimeCore, whose first word is counted when it is a durable fact. Every question is new, so that neither may answer
from what it has read before. The figure is a ratio within one run: the machine may be busy. Needs SmolLM2's weights.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from lime_desktop.app_server.execution.embedded.model_host import CONTEXT_TOKENS, PROGRAM
from lime_desktop.app_server.models.catalogue import SMOLLM2
from lime_desktop.app_server.models.store import ModelStore, default_folder
from tests.app_server.execution.embedded.runs import Embedded, OfferingBox, open_embedded

ROUNDS = 15
AIM = 1.3
WORDS = ("stone", "river", "lamp", "cloud", "bread", "winter", "garden", "letter", "music", "paper")


def bare(path: str) -> None:
    """The child: answers each line of questions with the seconds to its first word."""
    llama: Any = import_module("xllamacpp")
    chosen = llama.CommonParams()
    chosen.model.path = path
    chosen.n_ctx = CONTEXT_TOKENS
    chosen.n_parallel = 1
    chosen.verbosity = 0
    chosen.api_keys = ["closed"]
    chosen.cpuparams.n_threads = chosen.cpuparams_batch.n_threads = max(
        1, (os.cpu_count() or 2) - 1
    )
    voice = os.dup(1)
    os.dup2(2, 1)
    server = llama.Server(chosen)
    os.write(voice, b"ready\n")
    for line in sys.stdin:
        first: list[float] = []
        began = time.perf_counter()

        def hear(chunk: str, first: list[float] = first, began: float = began) -> None:
            if not first and '"content":"' in chunk:
                first.append(time.perf_counter() - began)

        server.handle_chat_completions(line.strip(), hear)
        os.write(voice, f"{first[0]}\n".encode())


def question(number: int) -> str:
    words = [WORDS[(number * 5 + index * 7) % len(WORDS)] for index in range(30)]
    return f"Question {number}: make a sentence of {' '.join(words)}."


def ask_bare(child: "subprocess.Popen[str]", messages: list[dict[str, str]]) -> float:
    assert child.stdin is not None
    assert child.stdout is not None
    body = {"messages": messages, "max_tokens": 4, "stream": True, "temperature": 0.4}
    child.stdin.write(json.dumps(body) + "\n")
    child.stdin.flush()
    return float(child.stdout.readline())


async def ask_engine(embedded: Embedded, number: int) -> float:
    session, turn = f"session_{number}", f"turn_{number}"
    await embedded.runtime.session(session)
    began = time.perf_counter()
    await embedded.runtime.turn(session, question(number), turn)
    await embedded.runtime.saw("model.delta", turn)
    took = time.perf_counter() - began
    await embedded.runtime.cancel(session, turn)
    return took


async def measure(folder: Path, child: "subprocess.Popen[str]") -> None:
    instructions = import_module("lime_desktop.app_server.execution.embedded.prompt")._INSTRUCTIONS
    store = ModelStore(default_folder())
    embedded = await open_embedded(folder, OfferingBox(), store=store, program=PROGRAM)
    rounds: list[tuple[float, float]] = []
    for number in range(ROUNDS + 1):
        ours = await ask_engine(embedded, number)
        messages = [
            {"role": "system", "content": instructions},
            {"role": "user", "content": question(number)},
        ]
        rounds.append((ours, await asyncio.to_thread(ask_bare, child, messages)))
    await embedded.runtime.core.close()
    report(rounds[1:])  # the first one loads the model


def report(rounds: list[tuple[float, float]]) -> None:
    ours = statistics.median(each[0] for each in rounds)
    theirs = statistics.median(each[1] for each in rounds)
    ratio = statistics.median(mine / bare for mine, bare in rounds)
    print(f"bare library      {theirs * 1000:6.0f} ms to the first word")
    print(f"embedded engine   {ours * 1000:6.0f} ms to the first word as a durable fact")
    print(f"ratio             {ratio:6.2f} ×  {'ok' if ratio <= AIM else f'over {AIM} ×'}")


def main() -> None:
    """Compare the two, question by question."""
    found = ModelStore(default_folder()).find(SMOLLM2.model_id)
    if found is None:
        sys.exit(f"run `lime-desktop models install {SMOLLM2.model_id}` first")
    command = [sys.executable, "-m", "tests.benchmarks.bench_embedded", "bare", str(found.path)]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout"), subprocess.PIPE)
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(command, stderr=subprocess.DEVNULL, text=True, **pipes) as child,
    ):
        assert child.stdout is not None
        child.stdout.readline()
        asyncio.run(measure(Path(folder), child))
        child.kill()


if __name__ == "__main__":
    if sys.argv[1:2] == ["bare"]:
        bare(sys.argv[2])
    else:
        main()
