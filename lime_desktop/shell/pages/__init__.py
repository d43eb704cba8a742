"""The shell's own pages. Each is built anew from the facts it shows; none keeps a truth of its own."""
