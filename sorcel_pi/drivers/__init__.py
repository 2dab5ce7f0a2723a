"""What touches the world: contacts and lights, pretended and real, behind two small contracts."""
