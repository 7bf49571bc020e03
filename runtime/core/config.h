// What a user may choose before a context exists.
#ifndef HD_CONFIG_H
#define HD_CONFIG_H

#include "runtime/core/text.h"

// The parameters that stand for whole classes of tuning parameters; 0 means "as the device suggests".
enum hd_default {
  HD_DEFAULT_THREAD_BLOCK_SIZE,
  HD_DEFAULT_GRID_SIZE,
  HD_DEFAULT_TILE_SIZE,
  HD_DEFAULT_REG_TILE_SIZE,
  HD_DEFAULT_SHARED_MEMORY,
  HD_DEFAULT_REGISTERS,
  HD_DEFAULT_CACHE,
  HD_DEFAULT_THRESHOLD,
  HD_NUM_DEFAULTS
};

struct hd_tile_param;

struct hd_config {
  const struct hd_program* program;
  bool debugging;
  bool logging;
  bool profiling;
  int unified_memory;  // 0: no; 1: yes; 2: where the device has it
  int64_t defaults[HD_NUM_DEFAULTS];
  bool default_set[HD_NUM_DEFAULTS];  // by the user, who wants to hear when the device allows less
  int64_t* params;                    // one per hd_program.params, as the user set it
  char* device;                       // part of a device's name; empty: any
  int device_number;                  // which of the devices that match
  int num_threads;                    // CPU backend; 0: all cores
  int specialize_after;               // launches with the same sizes; negative: never
  int64_t memory_limit;               // bytes of device memory; 0: as much as there is
  char* cache_file;
  bool cache_folder;  // compiled kernels are also kept in the user's cache folder
  char* dump_cuda;
  char* load_cuda;
  char* dump_ptx;
  char* load_ptx;
  char* cuda_text;  // instead of the program's own kernels; NULL: those
  int num_nvrtc_options;
  char** nvrtc_options;
  int num_tile_params;
  struct hd_tile_param* tile_params;  // in the order in which they were set
  char* tune_tilings;                 // a tuning file to be made; NULL: nothing is measured
  int tune_runs;                      // of each tiling that is measured
  int tune_seconds;                   // for each contraction; 0: no limit
  int tune_progress;                  // the file descriptor that hears about it
  char* tune_record;                  // a file to which each is appended as a line of JSON; NULL: none
};

HD_API struct hd_config* hd_config_new(const struct hd_program* program);  // NULL when out of host memory
HD_API void hd_config_free(struct hd_config* config);

// Debugging implies logging and profiling.
HD_API void hd_config_set_debugging(struct hd_config* config, bool flag);
HD_API void hd_config_set_logging(struct hd_config* config, bool flag);
HD_API void hd_config_set_profiling(struct hd_config* config, bool flag);
HD_API void hd_config_set_unified_memory(struct hd_config* config, int choice);
// "#k" (the k'th device), a part of its name, or "#k part" (the k'th of those).
HD_API void hd_config_set_device(struct hd_config* config, const char* choice);
HD_API void hd_config_set_default(struct hd_config* config, enum hd_default which, int64_t value);
HD_API void hd_config_set_num_threads(struct hd_config* config, int num_threads);
// How many launches with the same sizes come before a kernel is compiled for these; negative: no kernel ever is.
HD_API void hd_config_set_specialize_after(struct hd_config* config, int launches);
HD_API void hd_config_set_cache_file(struct hd_config* config, const char* path);
HD_API void hd_config_set_dump_cuda(struct hd_config* config, const char* path);
HD_API void hd_config_set_load_cuda(struct hd_config* config, const char* path);
HD_API void hd_config_set_dump_ptx(struct hd_config* config, const char* path);
HD_API void hd_config_set_load_ptx(struct hd_config* config, const char* path);
// Instead of the kernels that the program has; load_cuda, a file, goes before it.
HD_API void hd_config_set_cuda_text(struct hd_config* config, const char* text);
// Whether compiled kernels are kept in the user's cache folder. They are, unless this says otherwise.
HD_API void hd_config_set_cache_folder(struct hd_config* config, bool flag);
// Tilings of contractions are measured and the fastest written to this tuning file.
HD_API void hd_config_set_tune_tilings(struct hd_config* config, const char* path);
HD_API void hd_config_set_tune_runs(struct hd_config* config, int runs);
HD_API void hd_config_set_tune_seconds(struct hd_config* config, int seconds);
HD_API void hd_config_set_tune_progress(struct hd_config* config, int file_descriptor);
HD_API void hd_config_set_tune_record(struct hd_config* config, const char* path);
HD_API void hd_config_add_nvrtc_option(struct hd_config* config, const char* option);

// Sets a tuning parameter, a tile parameter, or one of the class defaults by a name such as "default_tile_size". 0, or
// 1 when there is no such name.
HD_API int hd_config_set_param(struct hd_config* config, const char* name, int64_t value);
// Reads NAME=INT lines; names that are not known are left out with a note on standard error. NULL, or what is wrong
// with the file, to be freed by the caller; the lines before it count.
HD_API char* hd_config_load_tuning(struct hd_config* config, const char* path);

#endif
