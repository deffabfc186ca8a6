//! KQuery.
