"""One class per resource of the protocol, one method per call: `routes` leads to them."""
