"""The commands of `sorcel`, one module each; `cli` puts them together."""
