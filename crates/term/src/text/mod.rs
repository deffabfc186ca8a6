//! Terms as text: SMT-LIB 2.6 and KQuery, read and written.
