"""A stream as the web engine reads it. The engine calls from a thread of its own: nothing here but the stream is touched."""

from PySide6.QtCore import QIODevice

from lime_desktop.host.view.bodies import ByteStream


class StreamDevice(QIODevice):
    """A device that is at its end only when the stream is."""

    def __init__(self, stream: ByteStream) -> None:
        super().__init__()
        self._stream = stream
        self.open(QIODevice.OpenModeFlag.ReadOnly | QIODevice.OpenModeFlag.Unbuffered)
        stream.connect_reader(self.readyRead.emit)

    def isSequential(self) -> bool:  # noqa: N802 - Qt calls this
        """Stop being one at the end: the engine takes the end from nothing else."""
        return not self._stream.is_at_end

    def atEnd(self) -> bool:  # noqa: N802 - Qt calls this
        """Whether everything was read."""
        return self._stream.is_at_end

    def bytesAvailable(self) -> int:  # noqa: N802 - Qt calls this
        """How much could be read now."""
        return self._stream.unread

    def readData(self, maxlen: int) -> bytes:  # noqa: N802  # pyright: ignore[reportIncompatibleMethodOverride] - PySide wants the bytes themselves
        """Give what is there, up to so many bytes."""
        return self._stream.read(maxlen)

    def writeData(self, data: bytes | bytearray | memoryview, len: int) -> int:  # noqa: A002, N802 - Qt's names
        """Nobody writes through the device."""
        del data, len
        return -1
