"""One class per resource of the protocol, one method per call: `served` leads to them."""
