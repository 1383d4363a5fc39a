"""The bridge's far end for fake engines: copied beside engine.cjs, which is Python in these tests."""

import json
import os
import sys


class Host:
    def __init__(self):
        self.inbox = []
        self._last = 0

    def write(self, data):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def send(self, message):
        self.write(json.dumps(dict(message, jsonrpc="2.0")).encode() + b"\n")

    def read(self):
        """The next message; leaves when the host is gone."""
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        return json.loads(line.decode())

    def ask(self, method, **params):
        """The number of the call, whose answer is not waited for."""
        self._last += 1
        self.send({"id": self._last, "method": method, "params": params})
        return self._last

    def call(self, method, **params):
        """The answer's message; what comes in between is kept in the inbox."""
        return self.answer(self.ask(method, **params))

    def answer(self, number):
        """The answer to the call of this number."""
        for message in self.inbox:
            if "method" not in message and message.get("id") == number:
                self.inbox.remove(message)
                return message
        while True:
            message = self.read()
            if "method" not in message and message.get("id") == number:
                return message
            self.inbox.append(message)

    def wait_for(self, method):
        """The next message of that method from the host, answering pings meanwhile."""
        while True:
            for message in self.inbox:
                if message.get("method") == method:
                    self.inbox.remove(message)
                    return message
            message = self.read()
            if message.get("method") == "ping" and method != "ping":
                self.send({"id": message["id"], "result": "pong"})
            else:
                self.inbox.append(message)

    def tell(self, name: str, value: object = "x"):
        """Lets the test know, by a window property."""
        self.call("property.set", name="test." + name, value=str(value))


def die():
    os.kill(os.getpid(), 9)
