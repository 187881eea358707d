"""Records of made-up bytes: as a built-in record, with the tree ids of other files, and the archive that holds them."""

from archives import COMMIT, archive
from beholder.io.git_tree import read_folder, tree_id


def refitted(record, place, name=""):
    """A record of the files in a folder, which has the layout of what is fetched, and the archives of them."""
    folders, held = [], {}
    for folder in record.folders:
        files = read_folder(place / folder.to)
        if not files:
            continue  # of a folder that the loader does not read, nothing need be made up
        inner = [one.to for one in record.folders if one is not folder and one.to and not folder.to]
        own = {path: found for path, found in files.items() if not any(path.startswith(f"{to}/") for to in inner)}
        size = sum((place / folder.to / path).stat().st_size for path in own) / 1e6
        folders.append(folder._replace(commit=COMMIT, tree=tree_id(own), files=len(own), megabytes=size))
        there = held.setdefault(folder.repository, {"README.md": b"not asked for"})
        there |= {f"{folder.folder}/{path}".lstrip("/"): (place / folder.to / path).read_bytes() for path in own}
    if not all(folder.folder for folder in record.folders):
        for files in held.values():
            del files["README.md"]  # where the folder is the whole repository
    made = record._replace(name=name or record.name, folders=tuple(folders))
    return made, {repository: archive(files) for repository, files in held.items()}
