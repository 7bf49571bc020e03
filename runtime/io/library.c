#include "runtime/io/library.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/core/backend.h"
#include "runtime/io/call.h"
#include "runtime/io/opaque.h"

// ---- Configurations and contexts. ----

HD_API struct futhark_context_config* hd_library_config_new(const struct hd_program* program) {
  struct futhark_context_config* config = calloc(1, sizeof *config);
  if (config == NULL) return NULL;
  config->config = hd_config_new(program);
  if (config->config == NULL) {
    free(config);
    return NULL;
  }
  // A library compiles nothing behind its user's back, and touches no files, unless it is told to.
  hd_config_set_specialize_after(config->config, -1);
  hd_config_set_cache_folder(config->config, false);
  return config;
}

HD_API void hd_library_config_free(struct futhark_context_config* config) {
  if (config == NULL) return;
  hd_config_free(config->config);
  free(config);
}

HD_API int hd_library_set_param(struct futhark_context_config* config, const char* name, int64_t value) {
  int unknown = hd_config_set_param(config->config, name, value);
  for (struct futhark_context* ctx = config->contexts; ctx != NULL; ctx = ctx->next) {
    hd_context_set_param(hd_library_enter(ctx), name, value);
    hd_library_leave(ctx);
  }
  return unknown;
}

HD_API struct hd_context* hd_library_enter(struct futhark_context* ctx) {
  pthread_mutex_lock(&ctx->lock);
  struct hd_context* c = ctx->ctx;
  hd_ahead_forget(c);  // whoever has an array's address may have written there
  if (c->device != NULL && c->backend->remember != NULL) c->backend->remember(c);
  return c;
}

// A call that fails does not make those after it fail, whether or not anybody wants to know why.
static void hd_library_keep_error(struct futhark_context* ctx) {
  char* error = hd_context_take_error(ctx->ctx);
  if (ctx->error == NULL) {
    ctx->error = error;
  } else {
    free(error);
  }
}

HD_API void hd_library_leave(struct futhark_context* ctx) {
  struct hd_context* c = ctx->ctx;
  if (c->device != NULL && c->backend->restore != NULL) c->backend->restore(c);
  hd_library_keep_error(ctx);
  pthread_mutex_unlock(&ctx->lock);
}

HD_API char* hd_library_take_error(struct futhark_context* ctx) {
  pthread_mutex_lock(&ctx->lock);
  char* error = ctx->error;
  ctx->error = NULL;
  pthread_mutex_unlock(&ctx->lock);
  return error;
}

HD_API struct futhark_context* hd_library_new(struct futhark_context_config* config) {
  struct futhark_context* ctx = calloc(1, sizeof *ctx);
  if (ctx == NULL) return NULL;
  ctx->ctx = hd_context_new(config->config);
  if (ctx->ctx == NULL || pthread_mutex_init(&ctx->lock, NULL) != 0) {
    hd_context_free(ctx->ctx);
    free(ctx);
    return NULL;
  }
  struct hd_context* c = ctx->ctx;
  if (c->device != NULL && c->backend->restore != NULL) c->backend->restore(c);
  hd_library_keep_error(ctx);
  ctx->config = config;
  ctx->next = config->contexts;
  config->contexts = ctx;
  return ctx;
}

HD_API void hd_library_free(struct futhark_context* ctx) {
  if (ctx == NULL) return;
  struct futhark_context** place = &ctx->config->contexts;
  while (*place != ctx) place = &(*place)->next;
  *place = ctx->next;
  hd_context_free(hd_library_enter(ctx));
  pthread_mutex_unlock(&ctx->lock);
  pthread_mutex_destroy(&ctx->lock);
  free(ctx->error);
  free(ctx);
}

// ---- Objects. ----

static bool hd_is_scalar(const struct hd_type* type) {
  return type->kind == HD_TYPE_TRANSPARENT && type->constituents[0].rank == 0;
}

// Blank; NULL with the context's error set when host memory ran out.
static struct hd_object* hd_object_new(struct hd_context* ctx, const struct hd_type* type) {
  struct hd_object* object = malloc(sizeof *object + (size_t)type->num_constituents * sizeof object->constituents[0]);
  if (object == NULL) {
    hd_memory_error(ctx, "Out of host memory.");
    return NULL;
  }
  object->type = type;
  hd_constituents_init(type, object->constituents);
  return object;
}

static void hd_object_free(struct hd_context* ctx, struct hd_object* object) {
  if (object == NULL) return;
  hd_constituents_release(ctx, object->type->num_constituents, object->constituents);
  free(object);
}

// Gives the object, or the scalar in it, to whoever wants it at `out`.
static void hd_hand_over(struct hd_object* object, void* out) {
  if (hd_is_scalar(object->type)) {
    memcpy(out, &object->constituents[0].scalar, (size_t)hd_elem_size(object->constituents[0].elem));
    free(object);
  } else {
    memcpy(out, &object, sizeof object);
  }
}

// The constituents of an argument, which are borrowed.
static void hd_take(const struct hd_type* type, const void* argument, struct hd_constituent* constituents) {
  if (hd_is_scalar(type)) {
    hd_constituents_init(type, constituents);
    memcpy(&constituents->scalar, argument, (size_t)hd_elem_size(constituents->elem));
  } else {
    const struct hd_object* object = argument;
    memcpy(constituents, object->constituents, (size_t)type->num_constituents * sizeof *constituents);
  }
}

HD_API int hd_library_release(struct futhark_context* ctx, void* object) {
  hd_object_free(hd_library_enter(ctx), object);
  hd_library_leave(ctx);
  return HD_SUCCESS;
}

// ---- Arrays. ----

static const struct hd_type* hd_library_type(const struct hd_context* c, int type) { return &c->program->types[type]; }

HD_API void* hd_library_new_array(struct futhark_context* ctx, int type, const void* data, const int64_t* shape) {
  struct hd_context* c = hd_library_enter(ctx);
  struct hd_object* object = hd_object_new(c, hd_library_type(c, type));
  if (object != NULL) {
    struct hd_array* array = &object->constituents[0].array;
    int status = hd_array_alloc(c, array, array->elem, array->rank, shape);
    if (status == HD_SUCCESS) status = hd_array_upload(c, array, data);
    if (status != HD_SUCCESS) {
      hd_object_free(c, object);
      object = NULL;
    }
  }
  hd_library_leave(ctx);
  return object;
}

HD_API void* hd_library_new_raw(struct futhark_context* ctx, int type, void* data, const int64_t* shape) {
  struct hd_context* c = hd_library_enter(ctx);
  struct hd_object* object = hd_object_new(c, hd_library_type(c, type));
  if (object != NULL) {
    struct hd_array* array = &object->constituents[0].array;
    int64_t elem_size = hd_elem_size(array->elem);
    int64_t num_elems = hd_checked_num_elems(shape, array->rank, elem_size);
    int status = num_elems < 0 ? hd_error(c, "Error: no array can have the sizes given.")
                               : hd_mem_borrow(c, &array->mem, data, num_elems * elem_size);
    if (status != HD_SUCCESS) {
      hd_object_free(c, object);
      object = NULL;
    } else {
      int64_t stride = 1;
      for (int d = array->rank - 1; d >= 0; d--) {
        array->shape[d] = shape[d];
        array->stride[d] = stride;
        stride *= shape[d];
      }
    }
  }
  hd_library_leave(ctx);
  return object;
}

HD_API int hd_library_values(struct futhark_context* ctx, const void* array, void* data) {
  const struct hd_object* object = array;
  struct hd_context* c = hd_library_enter(ctx);
  int status = hd_array_download(c, &object->constituents[0].array, data);
  hd_library_leave(ctx);
  return status;
}

HD_API void* hd_library_values_raw(struct futhark_context* ctx, const void* array) {
  (void)ctx;
  const struct hd_object* object = array;
  return hd_array_address(&object->constituents[0].array);
}

// All constituents of an array of opaque values have its dimensions first.
HD_API const int64_t* hd_library_shape(struct futhark_context* ctx, const void* array) {
  (void)ctx;
  const struct hd_object* object = array;
  return object->constituents[0].array.shape;
}

// Constituent `from` of an array at `index`, into the one that an element has.
static int hd_index_constituent(struct hd_context* c, const struct hd_array* from, int rank, const int64_t* index,
                                struct hd_constituent* to) {
  if (from->rank == rank) return hd_array_read(c, from, index, &to->scalar);
  struct hd_dim_index dims[HD_MAX_RANK];
  for (int d = 0; d < from->rank; d++) {
    dims[d] = d < rank ? (struct hd_dim_index){.fixed = true, .start = index[d]}
                       : (struct hd_dim_index){.count = from->shape[d], .stride = 1};
  }
  struct hd_array view;
  hd_array_slice(&view, from, dims);
  int status = hd_array_copy(c, &to->array, &view);
  hd_array_release(c, &view);
  return status;
}

static int hd_index_object(struct hd_context* c, const struct hd_object* array, const int64_t* index, void* out) {
  const struct hd_type* type = array->type;
  const struct hd_constituent* from = array->constituents;
  bool transparent = type->kind == HD_TYPE_TRANSPARENT;
  int rank = transparent ? from->array.rank : type->array_rank;
  // Bytes that were not stored from a value may restore one whose constituents differ in size.
  for (int i = 0; i < type->num_constituents; i++) {
    for (int d = 0; d < rank; d++) {
      if (index[d] < 0 || index[d] >= from[i].array.shape[d]) return hd_error(c, "Index out of bounds.");
    }
  }
  if (transparent) return hd_array_read(c, &from->array, index, out);
  struct hd_object* element = hd_object_new(c, hd_library_type(c, type->elem_type));
  if (element == NULL) return HD_ERROR_MEMORY;
  int status = HD_SUCCESS;
  for (int i = 0; i < type->num_constituents && status == HD_SUCCESS; i++) {
    status = hd_index_constituent(c, &from[i].array, rank, index, &element->constituents[i]);
  }
  if (status == HD_SUCCESS) {
    hd_hand_over(element, out);
  } else {
    hd_object_free(c, element);
  }
  return status;
}

HD_API int hd_library_index(struct futhark_context* ctx, void* out, const void* array, const int64_t* index) {
  int status = hd_index_object(hd_library_enter(ctx), array, index, out);
  hd_library_leave(ctx);
  return status;
}

// ---- Opaque values as bytes: their constituents in the binary format, one after the other. ----

static int64_t hd_stored_bytes(const struct hd_constituent* constituent) {
  if (!constituent->is_array) return HD_BINARY_HEADER + hd_elem_size(constituent->elem);
  const struct hd_array* array = &constituent->array;
  return HD_BINARY_HEADER + 8 * array->rank + hd_array_num_elems(array) * hd_elem_size(array->elem);
}

static int hd_store_bytes(struct hd_context* c, const struct hd_object* object, char* to) {
  for (int i = 0; i < object->type->num_constituents; i++) {
    const struct hd_constituent* constituent = &object->constituents[i];
    char header[HD_BINARY_HEADER + 1];
    hd_binary_header(&object->type->constituents[i], header);
    memcpy(to, header, HD_BINARY_HEADER);
    char* content = to + HD_BINARY_HEADER;
    if (constituent->is_array) {
      size_t shape_bytes = 8 * (size_t)constituent->array.rank;
      memcpy(content, constituent->array.shape, shape_bytes);
      int status = hd_array_download(c, &constituent->array, content + shape_bytes);
      if (status != HD_SUCCESS) return status;
    } else {
      memcpy(content, &constituent->scalar, (size_t)hd_elem_size(constituent->elem));
    }
    to += hd_stored_bytes(constituent);
  }
  return HD_SUCCESS;
}

static int hd_store_object(struct hd_context* c, const struct hd_object* object, void** p, size_t* n) {
  size_t bytes = 0;
  for (int i = 0; i < object->type->num_constituents; i++) bytes += (size_t)hd_stored_bytes(&object->constituents[i]);
  *n = bytes;
  if (p == NULL) return HD_SUCCESS;
  if (*p != NULL) return hd_store_bytes(c, object, *p);
  char* fresh = malloc(bytes > 0 ? bytes : 1);
  if (fresh == NULL) return hd_memory_error(c, "Out of host memory.");
  int status = hd_store_bytes(c, object, fresh);
  if (status == HD_SUCCESS) {
    *p = fresh;
  } else {
    free(fresh);
  }
  return status;
}

HD_API int hd_library_store(struct futhark_context* ctx, const void* object, void** p, size_t* n) {
  int status = hd_store_object(hd_library_enter(ctx), object, p, n);
  hd_library_leave(ctx);
  return status;
}

// The number of bytes that were read; 0 having set the context's error.
static int64_t hd_restore_constituent(struct hd_context* c, const struct hd_value_type* type, const char* from,
                                      struct hd_constituent* constituent) {
  char header[HD_BINARY_HEADER + 1];
  hd_binary_header(type, header);
  struct hd_host_value host = {.type = *type};
  const char* content = from + HD_BINARY_HEADER + 8 * type->rank;
  bool sound = memcmp(from, header, HD_BINARY_HEADER) == 0;
  if (sound) {
    memcpy(host.shape, from + HD_BINARY_HEADER, 8 * (size_t)type->rank);
    sound = hd_checked_num_elems(host.shape, type->rank, hd_elem_size(type->elem)) >= 0;
  }
  if (!sound) {
    hd_error(c, "The bytes to restore a value from were not stored from one of its type.");
    return 0;
  }
  host.data = (void*)(uintptr_t)content;  // It is only read.
  if (hd_constituent_upload(c, &host, constituent) != HD_SUCCESS) return 0;
  return hd_stored_bytes(constituent);
}

HD_API void* hd_library_restore(struct futhark_context* ctx, int type, const void* p) {
  struct hd_context* c = hd_library_enter(ctx);
  const struct hd_type* t = hd_library_type(c, type);
  struct hd_object* object = hd_object_new(c, t);
  const char* from = p;
  for (int i = 0; i < t->num_constituents && object != NULL; i++) {
    int64_t bytes = hd_restore_constituent(c, &t->constituents[i], from, &object->constituents[i]);
    if (bytes == 0) {
      hd_object_free(c, object);
      object = NULL;
    }
    from += bytes;
  }
  hd_library_leave(ctx);
  return object;
}

// ---- Records and sums. ----

// Shares the constituents of an argument, which then belong to two.
static void hd_share_argument(const struct hd_type* type, const void* argument, struct hd_constituent* to) {
  hd_take(type, argument, to);
  hd_constituents_share(type->num_constituents, to, to);
}

// Whether the arrays of all fields begin with the same `rank` dimensions.
static bool hd_shapes_agree(int num_fields, const void* const* fields, int rank) {
  for (int i = 1; i < num_fields; i++) {
    const struct hd_object *first = fields[0], *other = fields[i];
    const int64_t* shape = other->constituents[0].array.shape;
    if (memcmp(first->constituents[0].array.shape, shape, (size_t)rank * sizeof *shape) != 0) return false;
  }
  return true;
}

static int hd_make_record(struct hd_context* c, const struct hd_type* type, const void* const* fields, void* out) {
  if (type->kind == HD_TYPE_RECORD_ARRAY && !hd_shapes_agree(type->num_fields, fields, type->array_rank)) {
    return hd_error(c, "Cannot zip arrays with different shapes.");
  }
  struct hd_object* object = hd_object_new(c, type);
  if (object == NULL) return HD_ERROR_MEMORY;
  struct hd_constituent* to = object->constituents;
  for (int i = 0; i < type->num_fields; i++) {
    const struct hd_type* field = hd_library_type(c, type->fields[i].type);
    hd_share_argument(field, fields[i], to);
    to += field->num_constituents;
  }
  hd_hand_over(object, out);
  return HD_SUCCESS;
}

HD_API int hd_library_new_record(struct futhark_context* ctx, int type, void* out, const void* const* fields) {
  struct hd_context* c = hd_library_enter(ctx);
  int status = hd_make_record(c, hd_library_type(c, type), fields, out);
  hd_library_leave(ctx);
  return status;
}

HD_API int hd_library_project(struct futhark_context* ctx, int field, void* out, const void* record) {
  struct hd_context* c = hd_library_enter(ctx);
  const struct hd_object* from = record;
  struct hd_object* object = hd_object_new(c, hd_library_type(c, from->type->fields[field].type));
  if (object != NULL) {
    hd_constituents_share(object->type->num_constituents, object->constituents,
                          from->constituents + hd_field_offset(c->program, from->type, field));
    hd_hand_over(object, out);
  }
  hd_library_leave(ctx);
  return object != NULL ? HD_SUCCESS : HD_ERROR_MEMORY;
}

// Arrays that belong to other variants only are empty.
static int hd_make_sum(struct hd_context* c, const struct hd_type* type, int number, const void* const* payloads,
                       void* out) {
  const struct hd_variant* variant = &type->variants[number];
  struct hd_object* object = hd_object_new(c, type);
  struct hd_constituent* parts = calloc((size_t)type->num_constituents + 1, sizeof *parts);
  if (object == NULL || parts == NULL) {
    free(object);
    free(parts);
    return hd_memory_error(c, "Out of host memory.");
  }
  object->constituents[0].scalar.i8 = (int8_t)number;
  for (int i = 0; i < variant->num_payloads; i++) {
    const struct hd_type* payload = hd_library_type(c, variant->payload_types[i]);
    hd_share_argument(payload, payloads[i], parts);
    for (int k = 0; k < payload->num_constituents; k++) object->constituents[variant->payload_slots[i][k]] = parts[k];
  }
  free(parts);
  hd_hand_over(object, out);
  return HD_SUCCESS;
}

HD_API int hd_library_new_sum(struct futhark_context* ctx, int type, int variant, void* out,
                              const void* const* payloads) {
  struct hd_context* c = hd_library_enter(ctx);
  int status = hd_make_sum(c, hd_library_type(c, type), variant, payloads, out);
  hd_library_leave(ctx);
  return status;
}

HD_API int hd_library_variant(struct futhark_context* ctx, const void* sum) {
  (void)ctx;
  const struct hd_object* object = sum;
  return object->constituents[0].scalar.i8;
}

// An object for each payload of a variant, NULL where host memory ran out.
static bool hd_project_payloads(struct hd_context* c, const struct hd_object* sum, const struct hd_variant* variant,
                                struct hd_object** objects) {
  bool complete = true;
  for (int i = 0; i < variant->num_payloads; i++) {
    objects[i] = hd_object_new(c, hd_library_type(c, variant->payload_types[i]));
    complete = complete && objects[i] != NULL;
    for (int k = 0; objects[i] != NULL && k < objects[i]->type->num_constituents; k++) {
      hd_constituents_share(1, &objects[i]->constituents[k], &sum->constituents[variant->payload_slots[i][k]]);
    }
  }
  return complete;
}

static int hd_destruct_sum(struct hd_context* c, const struct hd_object* sum, int number, void* const* outs) {
  const struct hd_variant* variant = &sum->type->variants[number];
  if (sum->constituents[0].scalar.i8 != number) {
    return hd_error(c, "The value of type %s is not an instance of variant #%s.", sum->type->name, variant->name);
  }
  struct hd_object** objects = calloc((size_t)variant->num_payloads + 1, sizeof *objects);
  if (objects == NULL) return hd_memory_error(c, "Out of host memory.");
  bool complete = hd_project_payloads(c, sum, variant, objects);
  for (int i = 0; i < variant->num_payloads; i++) {
    if (complete) {
      hd_hand_over(objects[i], outs[i]);
    } else {
      hd_object_free(c, objects[i]);
    }
  }
  free(objects);
  return complete ? HD_SUCCESS : HD_ERROR_MEMORY;
}

HD_API int hd_library_destruct(struct futhark_context* ctx, int variant, void* const* outs, const void* sum) {
  int status = hd_destruct_sum(hd_library_enter(ctx), sum, variant, outs);
  hd_library_leave(ctx);
  return status;
}

// ---- Entry points. ----

// Beside a short call, asking for memory is what takes longest.
enum { HD_FEW_CONSTITUENTS = 8 };

// On the CPU there is nothing to wait for, and the failures of kernels are known at once.
static int hd_run_to_error(struct hd_context* c, const struct hd_entry* entry, const struct hd_constituent* in,
                           struct hd_constituent* out) {
  if (c->program->backend == HD_BACKEND_CPU) return hd_call(c, entry, in, out, NULL);
  return hd_start(c, entry, in, out);
}

// `objects`: one for each output.
static int hd_fill_objects(struct hd_context* c, const struct hd_entry* entry, const void* const* ins,
                           struct hd_object** objects) {
  int num_in = hd_num_constituents(c->program, entry->num_inputs, entry->inputs);
  int num_out = hd_num_constituents(c->program, entry->num_outputs, entry->outputs);
  struct hd_constituent few[HD_FEW_CONSTITUENTS];
  const bool are_few = num_in + num_out <= HD_FEW_CONSTITUENTS;
  struct hd_constituent* in = are_few ? few : malloc((size_t)(num_in + num_out) * sizeof *in);
  if (in == NULL) return hd_memory_error(c, "Out of host memory.");
  struct hd_constituent *out = in + num_in, *next = in;
  for (int i = 0; i < entry->num_inputs; i++) {
    const struct hd_type* type = hd_library_type(c, entry->inputs[i].type);
    hd_take(type, ins[i], next);
    next += type->num_constituents;
  }
  int status = hd_run_to_error(c, entry, in, out);
  for (int i = 0; i < entry->num_outputs && status == HD_SUCCESS; i++) {
    int n = objects[i]->type->num_constituents;
    memcpy(objects[i]->constituents, out, (size_t)n * sizeof *out);
    out += n;
  }
  if (!are_few) free(in);
  return status;
}

static int hd_call_entry_point(struct hd_context* c, const struct hd_entry* entry, void* const* outs,
                               const void* const* ins) {
  if (!c->ready) return hd_error(c, "The context could not be set up, so that nothing can be called.");
  struct hd_object* few[HD_FEW_CONSTITUENTS] = {NULL};
  const bool are_few = entry->num_outputs <= HD_FEW_CONSTITUENTS;
  struct hd_object** objects = are_few ? few : calloc((size_t)entry->num_outputs, sizeof *objects);
  if (objects == NULL) return hd_memory_error(c, "Out of host memory.");
  int status = HD_SUCCESS;
  for (int i = 0; i < entry->num_outputs && status == HD_SUCCESS; i++) {
    objects[i] = hd_object_new(c, hd_library_type(c, entry->outputs[i].type));
    if (objects[i] == NULL) status = HD_ERROR_MEMORY;
  }
  if (status == HD_SUCCESS) status = hd_fill_objects(c, entry, ins, objects);
  for (int i = 0; i < entry->num_outputs; i++) {
    if (status == HD_SUCCESS) {
      hd_hand_over(objects[i], outs[i]);
    } else {
      free(objects[i]);
    }
  }
  if (!are_few) free(objects);
  return status;
}

HD_API int hd_library_call(struct futhark_context* ctx, int entry, void* const* outs, const void* const* ins) {
  struct hd_context* c = hd_library_enter(ctx);
  int status = hd_call_entry_point(c, &c->program->entries[entry], outs, ins);
  hd_library_leave(ctx);
  return status;
}
