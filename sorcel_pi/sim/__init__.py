"""Simulated people who see only the lights and the wood, and whole games on a virtual clock."""
