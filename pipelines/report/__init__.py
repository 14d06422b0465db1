"""The report of a sweep, for people: its sections, its replays, and the files it is written as."""
