"""rule-engine: rules as Python expressions, tried one after the other."""
