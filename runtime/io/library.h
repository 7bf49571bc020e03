// A program as a library: what the functions of its C API do (Futhark's, with the same names), whatever C types they
// are declared with. The generated functions only name the type or entry point and hand over their arguments.
//
// A value crosses as what `void*` points to: the scalar itself, or, for arrays and opaque values, a struct hd_object
// that C knows under the name of its type. Arrays in objects are dense. Every function that takes a context may be
// called from any thread; the value of `out` parameters changes only on success. Functions that return an int return 0
// or an error whose text futhark_context_get_error has; those that return a pointer return NULL then.
#ifndef HD_LIBRARY_H
#define HD_LIBRARY_H

#include <pthread.h>

#include "runtime/core/context.h"

struct futhark_context_config {
  struct hd_config* config;
  struct futhark_context* contexts;  // that are alive and were made from it, linked by `next`
};

struct futhark_context {
  struct hd_context* ctx;
  struct futhark_context_config* config;
  struct futhark_context* next;
  pthread_mutex_t lock;  // around all that touches ctx and error
  char* error;           // the first that nobody has asked for yet; ctx holds those of the call under way only
};

struct hd_object {
  const struct hd_type* type;
  struct hd_constituent constituents[];
};

HD_API struct futhark_context_config* hd_library_config_new(const struct hd_program* program);
HD_API void hd_library_config_free(struct futhark_context_config* config);
// Also reaches the contexts that are alive. 0, or 1 when there is no parameter of that name.
HD_API int hd_library_set_param(struct futhark_context_config* config, const char* name, int64_t value);

HD_API struct futhark_context* hd_library_new(struct futhark_context_config* config);
HD_API void hd_library_free(struct futhark_context* ctx);
// Around everything that is done with ctx->ctx. Errors that come up in between are kept by leaving.
HD_API struct hd_context* hd_library_enter(struct futhark_context* ctx);
HD_API void hd_library_leave(struct futhark_context* ctx);
// The first error since the last call of this, to be freed by the caller; NULL if there was none.
HD_API char* hd_library_take_error(struct futhark_context* ctx);

// Types, fields, variants and entry points are numbered as in the program's tables.
HD_API void* hd_library_new_array(struct futhark_context* ctx, int type, const void* data, const int64_t* shape);
// Around memory of the device that the caller keeps, and frees after the array and all values made from it.
HD_API void* hd_library_new_raw(struct futhark_context* ctx, int type, void* data, const int64_t* shape);
HD_API int hd_library_values(struct futhark_context* ctx, const void* array, void* data);
HD_API void* hd_library_values_raw(struct futhark_context* ctx, const void* array);
// Of arrays, of opaque ones too.
HD_API const int64_t* hd_library_shape(struct futhark_context* ctx, const void* array);
HD_API int hd_library_index(struct futhark_context* ctx, void* out, const void* array, const int64_t* index);

HD_API int hd_library_release(struct futhark_context* ctx, void* object);  // NULL is fine
HD_API int hd_library_store(struct futhark_context* ctx, const void* object, void** p, size_t* n);
HD_API void* hd_library_restore(struct futhark_context* ctx, int type, const void* p);

// Of records, and of arrays of records from one array per field.
HD_API int hd_library_new_record(struct futhark_context* ctx, int type, void* out, const void* const* fields);
HD_API int hd_library_project(struct futhark_context* ctx, int field, void* out, const void* record);

HD_API int hd_library_new_sum(struct futhark_context* ctx, int type, int variant, void* out,
                              const void* const* payloads);
HD_API int hd_library_destruct(struct futhark_context* ctx, int variant, void* const* outs, const void* sum);
HD_API int hd_library_variant(struct futhark_context* ctx, const void* sum);

HD_API int hd_library_call(struct futhark_context* ctx, int entry, void* const* outs, const void* const* ins);

#endif
