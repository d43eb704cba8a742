"""The browser that an agent works in: `guards` says where it may go, `window` shows it, `browsers` takes the steps."""
