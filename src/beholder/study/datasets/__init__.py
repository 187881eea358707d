"""Tables of ratings, one file each."""
