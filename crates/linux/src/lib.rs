//! The symbolic kernel behind every front end: descriptors, files, system calls.
