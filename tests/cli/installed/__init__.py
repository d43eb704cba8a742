"""Commands about installed apps."""
