"""What takes seconds to make out of a resource, kept on disk for the next process."""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import secrets
import struct
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from karat.resources.files import place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from numpy.typing import NDArray

CACHE = "KARAT_CACHE"

_MAGIC = b"karat\r\n\x1a"
_HEADER = struct.Struct("=8sII32s32sQ")
"""Magic, byte order, layout, hash of the source, hash of the image, bytes of the image; a multiple of eight bytes."""
_BYTE_ORDER = 0x01020304
_BLOCK = 1 << 20
_ABANDONED_SECONDS = 24 * 60 * 60


class ImageKind(NamedTuple):
    """What is kept: its name, and a number that is another one whenever images are laid out in another way."""

    name: str
    layout: int


def cache_directory() -> Path:
    """Where compiled resources are kept: as `KARAT_CACHE` says, else where the platform has such files."""
    if sys.platform == "win32":
        usual = Path(os.environ.get("LOCALAPPDATA") or "~/AppData/Local") / "karat" / "Cache"
    elif sys.platform == "darwin":
        usual = Path("~/Library/Caches/karat")
    else:
        named = os.environ.get("XDG_CACHE_HOME", "")
        usual = Path(named if Path(named).is_absolute() else "~/.cache") / "karat"
    return place(CACHE, str(usual))


def compiled(source: Path, kind: ImageKind, make: Callable[[], NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """The image of a file: mapped where it is kept, else made and, if that can be, kept.

    It is known by a hash of the file, and read only if its own hash is right. Processes that make it at the same time
    each write a file of their own, and the last to finish puts its in the place of the others'.
    """
    identity = _file_hash(source)
    try:
        path = cache_directory() / f"{kind.name}-{kind.layout}-{identity.hex()[:32]}.bin"
    except RuntimeError:  # a user without a home
        return make()
    image = _mapped(path, kind, identity)
    if image is not None:
        return image
    image = make()
    kept = _mapped(path, kind, identity) if _keep(path, _header(kind, identity, image), image) else None
    return image if kept is None else kept


def _header(kind: ImageKind, identity: bytes, image: NDArray[np.uint64]) -> bytes:
    digest = hashlib.sha256(image.data).digest()
    return _HEADER.pack(_MAGIC, _BYTE_ORDER, kind.layout, identity, digest, image.nbytes)


def _mapped(path: Path, kind: ImageKind, identity: bytes) -> NDArray[np.uint64] | None:
    """The image in a file; None if there is none, or not the whole of it as it was written."""
    try:
        with path.open("rb") as file:
            if not _is_whole(file, kind, identity):
                return None
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    return np.frombuffer(mapping, dtype=np.uint64, offset=_HEADER.size)


def _is_whole(file: BinaryIO, kind: ImageKind, identity: bytes) -> bool:
    head = file.read(_HEADER.size)
    size = os.fstat(file.fileno()).st_size - _HEADER.size
    if len(head) < _HEADER.size or size % 8:
        return False
    *known, digest, image_bytes = _HEADER.unpack(head)
    if known != [_MAGIC, _BYTE_ORDER, kind.layout, identity] or image_bytes != size:
        return False
    return bool(_hash(file) == digest)


def _keep(path: Path, header: bytes, image: NDArray[np.uint64]) -> bool:
    """Write a file under another name and rename it; false where that cannot be done."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(8)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _clear_abandoned(path.parent)
        with part.open("xb") as file:
            file.write(header)
            file.write(image.data)
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        return False
    return True


def _clear_abandoned(directory: Path) -> None:
    """Remove what processes left that were killed while they wrote."""
    for part in directory.glob("*.part"):
        with contextlib.suppress(OSError):
            if part.stat().st_mtime < time.time() - _ABANDONED_SECONDS:
                part.unlink()


def _file_hash(path: Path) -> bytes:
    with path.open("rb") as file:
        return _hash(file)


def _hash(file: BinaryIO) -> bytes:
    """The hash of the rest of a file, which is read piece by piece so that none of it stays in memory."""
    hasher = hashlib.sha256()
    for block in _blocks(file):
        hasher.update(block)
    return hasher.digest()


def _blocks(file: BinaryIO) -> Iterator[memoryview]:
    buffer = memoryview(bytearray(_BLOCK))
    while count := file.readinto(buffer):  # type: ignore[attr-defined]
        yield buffer[:count]
