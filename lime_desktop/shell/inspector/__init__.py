"""The inspector: what one view of an app says, is told, is refused and stands on, for whoever writes it."""
