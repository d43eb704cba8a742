"""The desktop process without Qt: what apps see, ask and get. Knows no widget and no web engine."""
