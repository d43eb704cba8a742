"""Run by `python3 -m unittest discover -s services/engine`: the work alone, and the whole program as the host speaks with it."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

from counting import count_words

HERE = Path(__file__).parent


class Counting(unittest.TestCase):
    def test_words_are_counted_whatever_their_case(self):
        self.assertEqual(
            count_words("A lime, a pie"), {"total": 4, "words": [("a", 2), ("lime", 1), ("pie", 1)]}
        )

    def test_chinese_is_counted_by_the_character(self):
        self.assertEqual(count_words("青柠 青")["words"], [("青", 2), ("柠", 1)])

    def test_how_far_it_is_is_told(self):
        told = []
        count_words("a\n" * 2_000, lambda *far: told.append(far))
        self.assertEqual(told, [(0, 2_000), (1_000, 2_000)])


class Contract(unittest.TestCase):
    def setUp(self):
        pipe = subprocess.PIPE
        self.program = subprocess.Popen([sys.executable, HERE / "main.py"], stdin=pipe, stdout=pipe)
        self.ask(1, "initialize", {"contract": 1})

    def tearDown(self):
        self.ask(99, "shutdown", {})
        self.assertEqual(self.program.wait(timeout=10), 0)
        self.program.stdin.close()
        self.program.stdout.close()

    def ask(self, number, method, params):
        """Ask as the host does, and give the answer; events before it are left out."""
        text = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        self.program.stdin.write(text.encode() + b"\n")
        self.program.stdin.flush()
        while "id" not in (answer := json.loads(self.program.stdout.readline())):
            pass
        return answer

    def test_a_call_is_answered(self):
        answer = self.ask(
            2, "call", {"callId": "c", "method": "count", "input": {"text": "one two"}}
        )
        self.assertEqual(answer["result"]["total"], 2)

    def test_a_method_that_is_not_there_is_refused(self):
        answer = self.ask(2, "call", {"callId": "c", "method": "nothing", "input": {}})
        self.assertEqual(answer["error"]["message"], "There is no method nothing")


if __name__ == "__main__":
    unittest.main()
