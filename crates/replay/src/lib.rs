//! A test and a native program to what happened: sandbox and comparison.
