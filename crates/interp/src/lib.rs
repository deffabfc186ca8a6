//! A state and an instruction to outcomes.
