"""May this call happen? Pure: call and facts in, a decision that names its rule out."""
