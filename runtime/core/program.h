// The contract between a generated program and the runtime.
//
// A generated program is one self-contained C file: the runtime's text (the files that runtime/CMakeLists.txt lists for
// all programs, for those of its backend and of the families of its kernels, concatenated in
// order), then static tables of the types below, then one function per entry point that calls the functions declared in array.h and launch.h. The program ends with `static const struct
// hd_program hd_this_program = {...};` and a `main` that hands it to hd_main_executable or hd_main_server.
//
// Conventions: every int-returning function yields 0 on success, HD_ERROR_PROGRAM (2) or HD_ERROR_MEMORY (3) on
// failure, with a message in the context; nothing here calls exit. Shapes and strides count elements, never bytes.
// Ownership is said at each function.
#ifndef HD_PROGRAM_H
#define HD_PROGRAM_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // sched_getaffinity, dlopen and friends; before any system header
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/device/limits.h"

#define HD_SUCCESS 0
#define HD_ERROR_PROGRAM 2
#define HD_ERROR_MEMORY 3

// The C file is whole: with none of these macros defined it is all of the program. heddle compiles it as parts, each an
// object of its own: the runtime (HD_ONLY_RUNTIME), which is the same in all programs for a backend and therefore
// compiled when heddle is; the program's host functions and tables (HD_ONLY_HOST); and the kernels of a CPU program
// (HD_ONLY_KERNELS), which alone are worth much optimisation, or one half of them (HD_KERNELS_HALF, 0 or 1, besides).
#if defined(HD_ONLY_RUNTIME) || defined(HD_ONLY_HOST) || defined(HD_ONLY_KERNELS)
#if defined(HD_ONLY_RUNTIME) + defined(HD_ONLY_HOST) + defined(HD_ONLY_KERNELS) > 1
#error HD_ONLY_RUNTIME, HD_ONLY_HOST and HD_ONLY_KERNELS exclude each other
#endif
#define HD_IN_PARTS 1
#else
#define HD_IN_PARTS 0
#endif
#if defined(HD_ONLY_RUNTIME) || !HD_IN_PARTS
#define HD_HAS_RUNTIME 1
#endif
#if defined(HD_ONLY_HOST) || !HD_IN_PARTS
#define HD_HAS_HOST 1
#endif
#if defined(HD_ONLY_KERNELS) || !HD_IN_PARTS
#define HD_HAS_KERNELS 1
#endif
#ifndef HD_KERNELS_HALF
#define HD_KERNELS_HALF (-1)  // both
#endif

// Functions of the runtime, and tables that one part defines and another uses. In a whole file all are local, and
// functions stay functions: with -O3, what is inlined into the long functions of a program costs more of the compiler's
// time than all else. Tests define HD_API as nothing to reach them from outside.
#if HD_IN_PARTS
#define HD_API __attribute__((visibility("hidden")))
#define HD_TABLE_ELSEWHERE extern __attribute__((visibility("hidden")))
#define HD_TABLE __attribute__((visibility("hidden")))
#else
#ifndef HD_API
#define HD_API static __attribute__((unused, noinline))
#endif
#define HD_TABLE_ELSEWHERE static __attribute__((unused))
#define HD_TABLE static __attribute__((unused))
#endif

enum hd_elem { HD_I8, HD_I16, HD_I32, HD_I64, HD_F16, HD_F32, HD_F64, HD_BOOL, HD_UNIT };

// One scalar or array behind a value that crosses an entry point. `is_unsigned` only matters to I/O and to type names.
struct hd_value_type {
  enum hd_elem elem;
  bool is_unsigned;
  int rank;  // 0: scalar
};

struct hd_field {
  const char* name;
  int type;  // index into hd_program.types
};

struct hd_variant {
  const char* name;
  int num_payloads;
  const int* payload_types;  // index into hd_program.types, per payload
  // Per payload: which of the sum's constituents hold it. They are numbered from 0, which is the tag.
  const int* const* payload_slots;
};

enum hd_type_kind {
  HD_TYPE_TRANSPARENT,
  HD_TYPE_OPAQUE,
  HD_TYPE_RECORD,
  HD_TYPE_SUM,
  HD_TYPE_OPAQUE_ARRAY,
  HD_TYPE_RECORD_ARRAY
};

// A type as it is named at entry points. A transparent type has exactly one constituent, itself. Opaque ones are made
// of `num_constituents` transparent values, in the order in which the compiled entry point takes and returns them.
struct hd_type {
  const char* name;  // as Futhark prints it: "[][]f32", "u8", "my_record"
  enum hd_type_kind kind;
  int num_constituents;
  const struct hd_value_type* constituents;
  int num_fields;  // HD_TYPE_RECORD, HD_TYPE_RECORD_ARRAY
  const struct hd_field* fields;
  int num_variants;  // HD_TYPE_SUM
  const struct hd_variant* variants;
  int array_rank;  // HD_TYPE_OPAQUE_ARRAY, HD_TYPE_RECORD_ARRAY
  int elem_type;   // index into hd_program.types, -1 if none: what one element of an opaque array is
};

struct hd_mem;  // a reference-counted block of device memory (mem.h)

// An array: a strided window onto a block. Whoever holds a struct hd_array with mem != NULL owns one reference to the
// block. Arrays of no elements may have mem == NULL.
struct hd_array {
  struct hd_mem* mem;
  int64_t offset;  // elements
  enum hd_elem elem;
  int rank;
  int64_t shape[HD_MAX_RANK];
  int64_t stride[HD_MAX_RANK];  // elements
};

// A constituent of an entry-point value, in host memory when it is a scalar.
union hd_scalar {
  int8_t i8;
  int16_t i16;
  int32_t i32;
  int64_t i64;
  uint16_t f16;  // IEEE binary16 bits
  float f32;
  double f64;
  bool b;
};

struct hd_constituent {
  bool is_array;
  enum hd_elem elem;
  union hd_scalar scalar;
  struct hd_array array;
};

struct hd_param_type {
  const char* name;  // of the parameter in the source; NULL for results
  int type;          // index into hd_program.types
  bool unique;       // consumed (parameter) or fresh (result)
};

struct hd_context;

struct hd_entry {
  const char* name;
  int num_inputs;
  const struct hd_param_type* inputs;
  int num_outputs;
  const struct hd_param_type* outputs;
  // `in` holds the constituents of all inputs one after the other, `out` has room for those of all outputs. Input
  // arrays are borrowed (consumed ones may be overwritten in place); output arrays are owned by the caller. Sizes that
  // the entry point takes implicitly are not passed: the function derives them from the shapes and fails with a message
  // when they contradict each other. Runs asynchronously: the caller syncs.
  int (*run)(struct hd_context* ctx, const struct hd_constituent* in, struct hd_constituent* out);
};

enum hd_tuning_class {
  HD_TUNE_THREAD_BLOCK_SIZE,
  HD_TUNE_GRID_SIZE,
  HD_TUNE_TILE_SIZE,
  HD_TUNE_REG_TILE_SIZE,
  HD_TUNE_SHARED_MEMORY,
  HD_TUNE_REGISTERS,
  HD_TUNE_CACHE,
  HD_TUNE_THRESHOLD,
  HD_TUNE_BESPOKE
};

// A tuning parameter. Value 0 or less means "use the class' default".
struct hd_tuning_param {
  const char* name;  // as users see it: "main.suff_outer_par_0"
  enum hd_tuning_class cls;
  const char* class_text;  // as --print-params shows it: "threshold(def, !main.suff_outer_par_0)"
  int64_t default_value;   // 0: the class' default
};

// A place where the program may fail at run time. `format` is the message with one conversion per argument ("%lld" for
// integers and bools, "%f" for floats) and "%%" for a per cent sign; arg_kinds decides how an argument is printed.
// `backtrace` is the text after "Backtrace:\n", or NULL.
struct hd_failure {
  const char* format;
  const char* arg_kinds;  // one letter per argument: 'i' signed integer, 'f' float, 'b' bool; passed as 64-bit slots
  const char* backtrace;
};

// What one call of a kernel's CPU form must execute: all threads in [first_thread, end_thread) of all blocks in
// [first_block, end_block). The runtime spreads blocks over cores; a kernel with barriers gets one thread per call,
// each in a fiber of its own.
struct hd_cpu_launch {
  int64_t first_block, end_block;
  int first_thread, end_thread;
  int block_size;
  int64_t num_blocks;
  char* shared;  // the block's dynamic shared memory
  bool alone;    // no other thread runs meanwhile
};

struct hd_kernel {
  const char* name;  // of the function in the kernel text
  bool has_barriers;
  void (*cpu)(const struct hd_cpu_launch* launch, void** args);  // NULL in a CUDA program; `args` as for cuLaunchKernel
  const char* const* text;  // CUDA: NULL-terminated pieces, or NULL where it is in hd_program.kernel_text; CPU: NULL
  int threads;              // of a block, where they are as many in all launches; else 0
  bool waits;               // CPU: blocks wait for those before them, which therefore are to begin first
  bool updates;             // CPU: most of what they do is atomic updates
  bool updates_some;        // CPU: there are atomic updates among it
};

struct hd_family;

// A kernel whose constants are fixed at run time: its text is compiled alone, behind the device's.
struct hd_specialized_kernel {
  const char* name;
  const char* label;        // "main.contraction_0": what tuning files call it
  const char* const* text;  // NULL-terminated pieces
  int num_constants;
  const char* const* constants;             // their names, in the order in which values are given
  const struct hd_family* (*family)(void);  // who chooses the first of them (family.h)
};

enum hd_backend { HD_BACKEND_CPU, HD_BACKEND_CUDA };

struct hd_backend_ops;

struct hd_program {
  enum hd_backend backend;
  const struct hd_backend_ops* (*backend_ops)(
      void);  // hd_backend_cpu or hd_backend_cuda; of the other there is no text
  const char* name;
  int num_types;
  const struct hd_type* types;
  int num_entries;
  const struct hd_entry* entries;
  int num_params;
  const struct hd_tuning_param* params;
  int num_failures;
  const struct hd_failure* failures;
  int num_kernels;
  const struct hd_kernel* kernels;
  const char* const* device_text;  // CUDA: what every kernel needs, in NULL-terminated pieces; CPU: NULL
  const char* const* kernel_text;  // CUDA: the runtime's kernels, in NULL-terminated pieces; CPU: NULL
  int num_specialized;
  const struct hd_specialized_kernel* specialized;
  int num_constants;  // arrays computed once per context before the first entry point
  int (*init_constants)(struct hd_context* ctx, struct hd_constituent* constants);
};

#endif
