//! What a run leaves behind, as plain data and in its disk form: tests, errors, statistics, coverage.
