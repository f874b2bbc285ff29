"""Runs a command in a network of its own, in which every name has an address and every address answers, and prints as
JSON what the command sent:

    unshare --net --mount [--map-root-user] python tests/helpers/network_trap.py COMMAND [ARGUMENT ...]

All addresses lead back to this machine (a local route to everywhere), where a name server answers every question and a
listener takes connections to port 443. Every packet is captured, to whatever port and by whatever protocol."""

import contextlib
import json
import select
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ALL_PROTOCOLS = 3  # ETH_P_ALL of if_ether.h
ANSWER_IPV4 = socket.inet_aton("192.0.2.1")  # of the network for documentation, RFC 5737
PROTOCOLS = {1: "icmp", 6: "tcp", 17: "udp", 58: "icmp6"}


def lead_everything_here() -> socket.socket:
    """Route every address to this namespace, name 127.0.0.1 the name server, and return what captures packets."""
    for line in ("link set lo up", "route add local 0.0.0.0/0 dev lo", "-6 route add local ::/0 dev lo"):
        subprocess.run(["ip", *line.split()], check=line.startswith("link"), stderr=subprocess.DEVNULL)
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("nameserver 127.0.0.1\n")
        file.flush()
        subprocess.run(["mount", "--bind", file.name, str(Path("/etc/resolv.conf").resolve())], check=True)
    capture = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.ntohs(ALL_PROTOCOLS))
    capture.bind(("lo", 0))
    return capture


def answer_names(server: socket.socket, names: list[str]) -> None:
    """Answer every question for an IPv4 address with ``ANSWER_IPV4``, and others with nothing."""
    while True:
        query, asker = server.recvfrom(2048)
        end = query.index(0, 12)
        labels, at = [], 12
        while at < end:
            labels.append(query[at + 1 : at + 1 + query[at]].decode(errors="replace"))
            at += 1 + query[at]
        names.append(".".join(labels))
        question = query[12 : end + 5]
        is_ipv4 = question[-4:-2] == b"\0\1"
        record = b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4" + ANSWER_IPV4 if is_ipv4 else b""
        server.sendto(query[:2] + struct.pack(">HHHHH", 0x8180, 1, int(is_ipv4), 0, 0) + question + record, asker)


def accept_all(listener: socket.socket, first_bytes: list[str]) -> None:
    """Take connections, and note the first bytes of each."""
    while True:
        connection, _ = listener.accept()
        with contextlib.suppress(OSError), connection:
            connection.settimeout(2)
            first_bytes.append(connection.recv(16).hex())


def describe(packet: bytes) -> str:
    """Return a packet's protocol and destination."""
    version = packet[0] >> 4
    if version == 4:
        protocol, destination, rest = packet[9], socket.inet_ntoa(packet[16:20]), packet[4 * (packet[0] & 15) :]
    elif version == 6:
        protocol, destination, rest = packet[6], socket.inet_ntop(socket.AF_INET6, packet[24:40]), packet[40:]
    else:
        return f"link layer {packet[:8].hex()}"
    ports = f" {struct.unpack('>HH', rest[:4])}" if protocol in (6, 17) and len(rest) >= 4 else ""
    return f"{PROTOCOLS.get(protocol, protocol)} {destination}{ports}"


def main() -> None:
    """Run the command, then print what was captured."""
    capture = lead_everything_here()
    names: list[str] = []
    first_bytes: list[str] = []
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("", 53))
    listener = socket.create_server(("", 443))
    threading.Thread(target=answer_names, args=(server, names), daemon=True).start()
    threading.Thread(target=accept_all, args=(listener, first_bytes), daemon=True).start()
    packets = set()
    with tempfile.TemporaryFile("w+", errors="replace") as printed:
        process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT)
        while select.select([capture], [], [], 0.1)[0] or process.poll() is None:
            with contextlib.suppress(BlockingIOError):
                packets.add(describe(capture.recv(2048, socket.MSG_DONTWAIT)))
        printed.seek(0)
        found = {"status": process.returncode, "output": printed.read()[-4000:]}
    print(json.dumps({**found, "packets": sorted(packets), "names": names, "first_bytes": first_bytes}))


if __name__ == "__main__":
    main()
