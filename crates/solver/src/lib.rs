//! Query -> Answer.
