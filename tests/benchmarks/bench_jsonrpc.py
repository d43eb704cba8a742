"""What the App Server's door costs, against bare processes in the same run.

Run ``python -m tests.benchmarks.bench_jsonrpc``. Rounds alternate, so that a busy machine is busy
for both sides; the figures are medians, and the ratios are what counts.
"""

import json
import subprocess
import sys
import time
from statistics import median, quantiles

ROUNDS = 30
CALLS_PER_ROUND = 200
BURST_EVENTS = 50_000
PACED_EVENTS = 30_000

LIST = b'{"id":1,"method":"agentSession/list","params":{}}\n'
HANDSHAKE = (
    b'{"id":"hello","method":"initialize","params":{"clientInfo":{"name":"bench"}}}\n'
    b'{"method":"initialized"}\n'
)
WATCH = b'{"id":"w","method":"agentSession/compact","params":{"sessionId":"session_01"}}\n'


class Child:
    """A process at the other end of two pipes."""

    def __init__(self, role: str, *arguments: int) -> None:
        command = [sys.executable, "-m", "tests.benchmarks.jsonrpc_children", role]
        self.process = subprocess.Popen(
            [*command, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.to, self.out = self.process.stdin, self.process.stdout

    def say(self, data: bytes) -> None:
        self.to.write(data)
        self.to.flush()

    def round_trips(self, request: bytes, count: int) -> list[float]:
        times: list[float] = []
        for _ in range(count):
            begin = time.perf_counter()
            self.say(request)
            self.out.readline()
            times.append(time.perf_counter() - begin)
        return times

    def end(self) -> None:
        self.to.close()
        self.out.close()
        self.process.wait(10)


def bench_round_trip() -> None:
    """An empty method through the whole door, against echoes that parse and answer each line."""
    bare, looped, server = Child("echo"), Child("async-echo"), Child("serve")
    server.say(HANDSHAKE)
    server.out.readline()
    contestants = {
        "bare echo": (bare, LIST),
        "echo on asyncio": (looped, LIST),
        "empty method": (server, LIST),
        "method of a session": (server, WATCH),
    }
    times: dict[str, list[list[float]]] = {name: [] for name in contestants}
    for number in range(-2, ROUNDS):
        for name, (child, request) in contestants.items():
            round_times = child.round_trips(request, CALLS_PER_ROUND)
            if number >= 0:
                times[name].append(round_times)
    for name, rounds in times.items():
        every = [each for one in rounds for each in one]
        p99 = quantiles(every, n=100)[98]
        against = {
            base: median(median(a) / median(b) for a, b in zip(rounds, times[base], strict=True))
            for base in ("bare echo", "echo on asyncio")
        }
        print(
            f"round trip  {name:<24} p50 {median(every) * 1e6:6.1f} µs  p99 {p99 * 1e6:7.1f} µs"
            f"  {against['bare echo']:.2f}x bare  {against['echo on asyncio']:.2f}x asyncio"
        )
    for child in (bare, looped, server):
        child.end()


def bench_throughput() -> None:
    """Events a second, against ready-made lines down a bare pipe."""
    rates: dict[str, list[float]] = {"bare": [], "burst": []}
    for _ in range(3):
        for role, found in rates.items():
            child = Child(role, BURST_EVENTS)
            child.say(HANDSHAKE + WATCH)
            while b"agentSession/event" not in child.out.readline():
                pass
            begin = time.perf_counter()
            count = 1 + sum(b"agentSession/event" in line for line in child.out)
            found.append(count / (time.perf_counter() - begin))
            assert count == BURST_EVENTS, f"{BURST_EVENTS - count} events were lost"
            child.end()
    bare, ours = median(rates["bare"]), median(rates["burst"])
    print(f"throughput  bare pipe  {bare:9,.0f} lines/s")
    print(f"throughput  app server {ours:9,.0f} events/s   ratio {bare / ours:.1f}")


def bench_pace() -> None:
    """10,000 events a second through the fan-out: none lost, none late for long."""
    child = Child("paced", PACED_EVENTS)
    child.say(HANDSHAKE + WATCH)
    sequences: list[int] = []
    arrivals: list[float] = []
    for line in child.out:
        if b"agentSession/event" in line:
            arrivals.append(time.perf_counter())
            sequences.append(json.loads(line)["params"]["event"]["sequence"])
    child.end()
    is_whole = sequences == list(range(1, PACED_EVENTS + 1))
    rate = len(arrivals) / (arrivals[-1] - arrivals[0])
    late = [at - arrivals[0] - number / 10_000 for number, at in enumerate(arrivals)]
    p99 = quantiles(late, n=100)[98]
    print(
        f"paced       {rate:,.0f} events/s, nothing lost: {is_whole}, p99 late {p99 * 1e3:.1f} ms"
    )


if __name__ == "__main__":
    bench_round_trip()
    bench_throughput()
    bench_pace()
