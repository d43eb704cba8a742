"""Every message that crosses a boundary, declared once. Knows no I/O and no other package."""
