"""Policies: each a module with `choose`, compiled when it is loaded. Built in, from an entry point, or from a file."""
