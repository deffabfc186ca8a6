//! The main loop: strategies, workers, limits.
