"""penstock itself, measured like a peer."""
