"""How parts share the room they are given: side by side, in lines, in a grid. Knows no part in particular."""
