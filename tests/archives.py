"""Archives of repositories, as a public host makes them."""

import gzip
import io
import tarfile

COMMIT = "0" * 40


def archive(files, *, top="set-000", extra=()):
    """A .tar.gz of a repository: path → bytes, or (mode, bytes); `extra` are further members."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as out:
        for path, content in files.items():
            mode, data = content if isinstance(content, tuple) else (0o644, content)
            member = tarfile.TarInfo(f"{top}/{path}")
            member.size, member.mode = len(data), mode
            out.addfile(member, io.BytesIO(data))
        for member in extra:
            out.addfile(member, io.BytesIO(b"x" * member.size))
    return gzip.compress(held.getvalue(), 1, mtime=0)
