"""Commands that read, judge, pack and sign a package."""
