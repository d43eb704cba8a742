"""How does a small file stay whole, with several writers and a power cut? Knows bytes, not what they mean.

``writing`` puts a file in its place in one step; ``changing`` lets one process at a time do so, and is the one way to
read, change and write a file that more than one process writes.
"""
