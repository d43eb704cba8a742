"""What kind of file is this? A table of our own: the system's may say anything.

A wrong type is more than cosmetic. With `nosniff` a module served as text does not run, and a text served as HTML does.
"""

from pathlib import PurePosixPath

HTML = "text/html"
_UNKNOWN = "application/octet-stream"
_BY_ENDING = {
    ".avif": "image/avif",
    ".bmp": "image/bmp",
    ".css": "text/css",
    ".csv": "text/csv",
    ".gif": "image/gif",
    ".htm": HTML,
    ".html": HTML,
    ".ico": "image/x-icon",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".md": "text/markdown",
    ".mjs": "text/javascript",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".oga": "audio/ogg",
    ".ogg": "audio/ogg",
    ".ogv": "video/ogg",
    ".otf": "font/otf",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".wav": "audio/wav",
    ".webm": "video/webm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}


def media_type(path: str) -> str:
    """The type of a file by its ending; what is unknown is only ever downloaded."""
    return _BY_ENDING.get(PurePosixPath(path).suffix.lower(), _UNKNOWN)
