//! Source to bitcode and native program: drives clang and lld, keeps the libc cache.
