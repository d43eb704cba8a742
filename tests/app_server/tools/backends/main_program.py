"""The program of the app that these tests call: each method does one thing that a backend may do, or should not."""

MAIN = '''
import os, signal, subprocess, sys, threading, time
from lime_backend import Backend, LimeError

backend = Backend()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
TOKEN = os.urandom(8).hex()
seen = []


@backend.method
def add(call, input):
    return {"sum": input["a"] + input["b"], "token": TOKEN}


@backend.method
def host(call, input):
    return backend.host


@backend.method
def slow(call, input):
    try:
        for step in range(100_000):
            call.progress(step, 100_000, f"step {step}")
            time.sleep(0.01)
    finally:
        seen.append("cancelled")


@backend.method
def looked(call, input):
    return {"seen": seen, "token": TOKEN}


@backend.method
def deaf(call, input):
    """Hears no cancel and no signal, and says that it is well."""
    time.sleep(3600)


@backend.method
def hang(call, input):
    """Nothing that it would say gets out any more."""
    backend._lock.acquire()
    time.sleep(3600)


@backend.method
def crash(call, input):
    print("token ghp_" + "a1B2c3" * 6, flush=True)
    print("about to die", flush=True)
    os._exit(3)


@backend.method
def events(call, input):
    while True:
        call.progress(1, 2, "x" * 50)


@backend.method
def logs(call, input):
    for _ in range(20_000):
        print("l" * 99)
    sys.stdout.flush()
    return TOKEN


@backend.method
def nonsense(call, input):
    for _ in range(200):
        backend._out.write(b"Traceback (most recent call last)\\n")
    backend._out.flush()
    time.sleep(3600)


@backend.method
def huge(call, input):
    return "x" * 9_000_000


@backend.method
def memory(call, input):
    try:
        held = bytearray(1024 ** 3)
    except MemoryError:
        return "refused"
    return len(held)


@backend.method
def processes(call, input):
    started = []
    try:
        for _ in range(200):
            started.append(subprocess.Popen(["sleep", "3600"]))
    except OSError:
        return "refused"
    return len(started)


@backend.method
def family(call, input):
    """A child that ignores everything it can, in a session of its own."""
    code = "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(3600)"
    subprocess.Popen([sys.executable, "-c", code, input["mark"]], start_new_session=True)
    return TOKEN


@backend.method
def keep(call, input):
    with open("kept.txt", "a") as file:
        file.write("x")
    with open("kept.txt") as file:
        return file.read()


@backend.method
def lime(call, input):
    try:
        return {"value": backend.lime(input["call"], **input.get("params", {}))}
    except LimeError as error:
        return {"refused": error.data.get("code"), "details": error.data.get("details")}


backend.serve()
'''
