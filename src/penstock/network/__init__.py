"""The content-based network: routers that forward by content, and a simulator that drives them."""
