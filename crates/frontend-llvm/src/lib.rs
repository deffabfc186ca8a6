//! LLVM modules to the program form: reads, links, prepares and lowers, then drops LLVM.
