"""A disk that behaves like an SD card whose power may be cut: what was written since the last flush may be lost."""

import mmap
import random
import socket
import struct
import threading
from contextlib import suppress
from pathlib import Path

BLOCK = 4096
NBD_MAGIC, OPTION_MAGIC, REPLY_MAGIC = b"NBDMAGIC", b"IHAVEOPT", 0x3E889045565A9
REQUEST_MAGIC, SIMPLE_REPLY_MAGIC = 0x25609513, 0x67446698
FIXED_NEWSTYLE, EXPORT_NAME, GO = 1, 1, 7
ACKNOWLEDGED, INFORMATION, UNSUPPORTED = 1, 3, 0x80000001
READ, WRITE, DISCONNECT, FLUSH = range(4)
HAS_FLAGS, SENDS_FLUSH, SENDS_FUA = 1, 4, 8
FORCE_UNIT_ACCESS = 1
"""Numbers of the protocol: https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md."""


class Card:
    """Serves the disk image ``image`` to QEMU at a Unix ``socket``, one connection after another."""

    def __init__(self, image: Path, socket_path: Path) -> None:
        with image.open("r+b") as file:
            self._data = mmap.mmap(file.fileno(), 0)
        self._unflushed: dict[int, bytes] = {}
        """What was in each block written since the last flush, by its number."""
        socket_path.unlink(missing_ok=True)
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(socket_path))
        self._server.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def cut_power(self, seed: int) -> tuple[int, int]:
        """Lose each block that was written since the last flush, or not, by chance: nothing may be connected. Return
        how many were lost, of how many."""
        chance = random.Random(seed)
        lost = [number for number in self._unflushed if chance.random() < 0.5]
        for number in lost:
            self._data[number * BLOCK : (number + 1) * BLOCK] = self._unflushed[number]
        result = len(lost), len(self._unflushed)
        self._unflushed.clear()
        return result

    def _serve(self) -> None:
        while True:
            connection, _ = self._server.accept()
            with connection, connection.makefile("rb") as stream, suppress(OSError, struct.error):
                self._negotiate(connection, stream)
                self._answer_requests(connection, stream)

    def _negotiate(self, connection: socket.socket, stream) -> None:
        connection.sendall(NBD_MAGIC + OPTION_MAGIC + struct.pack(">H", FIXED_NEWSTYLE))
        stream.read(4)
        export = struct.pack(">QH", len(self._data), HAS_FLAGS | SENDS_FLUSH | SENDS_FUA)
        while True:
            _, option, length = struct.unpack(">8sII", stream.read(16))
            stream.read(length)
            if option == EXPORT_NAME:
                connection.sendall(export + bytes(124))
                return
            if option == GO:
                connection.sendall(struct.pack(">QIIIH", REPLY_MAGIC, option, INFORMATION, 12, 0) + export)
                connection.sendall(struct.pack(">QIII", REPLY_MAGIC, option, ACKNOWLEDGED, 0))
                return
            connection.sendall(struct.pack(">QIII", REPLY_MAGIC, option, UNSUPPORTED, 0))

    def _answer_requests(self, connection: socket.socket, stream) -> None:
        while True:
            _, flags, kind, handle, offset, length = struct.unpack(">IHHQQI", stream.read(28))
            answer = b""
            if kind == READ:
                answer = self._data[offset : offset + length]
            elif kind == WRITE:
                self._write(offset, stream.read(length), is_kept=bool(flags & FORCE_UNIT_ACCESS))
            elif kind == FLUSH:
                self._unflushed.clear()
            elif kind == DISCONNECT:
                return
            connection.sendall(struct.pack(">IIQ", SIMPLE_REPLY_MAGIC, 0, handle) + answer)

    def _write(self, offset: int, content: bytes, *, is_kept: bool) -> None:
        for number in range(offset // BLOCK, (offset + len(content) - 1) // BLOCK + 1):
            if is_kept:
                self._unflushed.pop(number, None)
            elif number not in self._unflushed:
                self._unflushed[number] = self._data[number * BLOCK : (number + 1) * BLOCK]
        self._data[offset : offset + len(content)] = content
