"""Runs in the machine: the test asks through a port of it, a line of JSON each, and gets a line as the answer."""

import base64
import json
import os
import subprocess
import time
from pathlib import Path

PORT = "/dev/virtio-ports/throwlock.test"
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LANG": "C.UTF-8",
}


def run(words):
    done = subprocess.run(
        words,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        env=ENVIRONMENT,
        cwd="/root",
    )
    return done.returncode, done.stdout, done.stderr


def read(path):
    try:
        return base64.b64encode(Path(path).read_bytes()).decode()
    except OSError:
        return None


def write(path, content):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(base64.b64decode(content))


def watch(paths, seconds):
    """Return what is in files time and again for some seconds: the time, and a line of all files."""
    files = [os.open(path, os.O_RDONLY) for path in paths]
    seen, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        seen.append((time.monotonic(), "".join(os.pread(file, 16, 0).decode().strip() for file in files)))
        time.sleep(0.02)
    for file in files:
        os.close(file)
    return seen


DOES = {"run": run, "read": read, "write": write, "watch": watch}


def main():
    with Path(PORT).open("r+b", buffering=0) as port:
        rest = b""
        while True:
            *lines, rest = (rest + os.read(port.fileno(), 1 << 20)).split(b"\n")
            for line in lines:
                name, *arguments = json.loads(line)
                answer = json.dumps(DOES[name](*arguments)).encode() + b"\n"
                while answer:
                    answer = answer[os.write(port.fileno(), answer) :]
            if not lines and not rest:
                time.sleep(0.1)  # the test is not connected


if __name__ == "__main__":
    main()
