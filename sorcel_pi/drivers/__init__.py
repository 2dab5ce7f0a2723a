"""What touches the world: contacts and lights, simulated and real, behind two small contracts."""
