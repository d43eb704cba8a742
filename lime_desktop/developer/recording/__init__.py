"""A session of one view as a file: everything that crossed its bridge and everything a person did, to be played again."""
