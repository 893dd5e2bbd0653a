"""What the system itself refuses a helper process: the network, and starting programs.

A filter of system calls where Linux has one, else a network namespace of its own, else nothing.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterator, Mapping

QUIET = {"ORT_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"}
"""For every helper: onnxruntime would otherwise look for its maker's host, and keep what it means to send in $HOME."""
_NAMES = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
_DEVICES = ("CUDA_", "HIP_", "ROCR_", "GGML_", "OMP_")

_NUMBERS = {
    "x86_64": (0xC000003E, (41, 53, 42, 44, 46, 307, 59, 322, 101)),
    "aarch64": (0xC00000B7, (198, 199, 203, 206, 211, 269, 221, 281, 117)),
}
"""The kernel's code for a machine, and its numbers of: socket, socketpair, connect, sendto, sendmsg, sendmmsg, execve,
execveat, ptrace."""
_IO_URING_SETUP = 425
_X32 = 0x4000_0000
"""Numbers of a second set of calls on x86_64 that do the same."""
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _MACHINE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _REFUSE = 0x7FFF_0000, 0x0005_0000 | errno.EACCES
_AF_UNIX = 1
_NO_NEW_PRIVILEGES, _SET_FILTER, _FILTER_MODE = 38, 22, 2
_NEW_USER, _NEW_NETWORK = 0x1000_0000, 0x4000_0000


def environment(given: Mapping[str, str], devices: bool = False) -> dict[str, str]:
    """All that a helper gets to know of the environment, which may hold secrets."""
    known = {name: value for name, value in given.items() if name in _NAMES or (devices and name.startswith(_DEVICES))}
    return known | QUIET


def isolate(local_sockets: bool = False) -> str:
    """Cut this process off, for good; says by what: "seccomp", "namespace" or "none".

    `local_sockets` leaves the sockets that are files, which the local model insists on; even these connect nowhere.
    """
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        if _filter(libc, local_sockets):
            return "seccomp"
        return "namespace" if _unshare(libc) else "none"
    except (OSError, AttributeError, TypeError):
        return "none"


def _filter(libc: ctypes.CDLL, local_sockets: bool) -> bool:
    if platform.system() != "Linux" or platform.machine() not in _NUMBERS:
        return False
    machine, numbers = _NUMBERS[platform.machine()]
    code = [struct.pack("HBBI", *step) for step in _program(machine, numbers, local_sockets)]
    held = ctypes.create_string_buffer(b"".join(code))
    program = ctypes.create_string_buffer(struct.pack("H0PP", len(code), ctypes.addressof(held)))
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    return bool(libc.prctl(_SET_FILTER, _FILTER_MODE, program, 0, 0) == 0)


def _program(machine: int, numbers: tuple[int, ...], local_sockets: bool) -> Iterator[tuple[int, int, int, int]]:
    """Steps of (what, how many to skip if so, if not so, operand); a refused call fails, and the process goes on."""
    yield from ((_LOAD, 0, 0, _MACHINE), (_EQUAL, 1, 0, machine), (_RETURN, 0, 0, _REFUSE))
    yield from ((_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE))
    for number in (*numbers[local_sockets:], _IO_URING_SETUP):
        yield from ((_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE))
    if local_sockets:
        yield from ((_EQUAL, 0, 3, numbers[0]), (_LOAD, 0, 0, _FIRST_ARGUMENT))
        yield from ((_EQUAL, 1, 0, _AF_UNIX), (_RETURN, 0, 0, _REFUSE))
    yield _RETURN, 0, 0, _ALLOW


def _unshare(libc: ctypes.CDLL) -> bool:
    """A network of its own, without a way out; needs a system that lets ordinary users have one."""
    mine = _NEW_NETWORK if os.geteuid() == 0 else _NEW_USER | _NEW_NETWORK
    return bool(libc.unshare(mine) == 0)
