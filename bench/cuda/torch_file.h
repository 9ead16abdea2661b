/* What torch_rows.py wrote: a speed for each case. */
#ifndef BENCH_CUDA_TORCH_FILE_H
#define BENCH_CUDA_TORCH_FILE_H

#include <string>

/* Whether the file could be read. */
bool torch_open(const char *path);
/* Its version; "" without a file. */
const std::string &torch_version();
/* GB/s; 0 where the file does not have it. */
double torch_speed(const std::string &name);

#endif
