"""A package as one `.lapp` file: opened, checked to its last byte, packed, extracted."""
