"""The same subscriptions and events through penstock and through engines that people use."""
