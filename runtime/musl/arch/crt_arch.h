/* Nothing: `_start` is no C. The engine enters at `_start_c(long *p)`, where p points to argc, the arguments, 0, the environment, 0 and the
 * auxiliary vector, as the kernel lays them out; the native program has its own `_start`. */
