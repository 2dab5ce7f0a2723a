"""The build pack: everything that somebody needs to build the board, made from board and config.

One `Geometry` says where everything is; drawings, templates, wiring, parts and pieces derive from
it.  Values in, bytes out: only `files` knows folders.  The libraries that draw are an extra
(`hardware`); nothing else in the program needs them.
"""
