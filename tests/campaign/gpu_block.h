// A block of a pretended GPU: its threads take turns from barrier to barrier, in another order every time, and what
// they copy asynchronously arrives as late as it may. So a missing barrier or wait shows as a wrong result.
#ifndef HD_GPU_BLOCK_H
#define HD_GPU_BLOCK_H

#include "runtime/core/program.h"

// False when there is no memory.
bool gpu_run_block(void (*kernel)(const struct hd_cpu_launch*, void**), const struct hd_cpu_launch* launch,
                   void** args);

// What the words of kernel text mean in such a block.
struct gpu_words {
  void (*barrier)(void);
  void (*warp_barrier)(void);
  void (*shuffle)(void* variable, int bytes, int lane);
  void (*move)(void* to, const void* from, int bytes);
  void (*copy)(void* to, const void* from, int bytes, bool valid);
  void (*commit)(void);
  void (*wait)(int pending);
};
extern const struct gpu_words gpu_words;

#endif
