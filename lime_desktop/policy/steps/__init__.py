"""The steps of the standard's order, one module each: manifest, readiness, policy and deny rules, risk, approval."""
