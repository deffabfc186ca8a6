//! Bytes at concrete or symbolic addresses: objects, the address space, pointer resolution.
