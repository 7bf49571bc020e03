#include "runtime/io/opaque.h"

#include <stdlib.h>
#include <string.h>

HD_API int hd_constituent_upload(struct hd_context* ctx, const struct hd_host_value* host,
                                 struct hd_constituent* constituent) {
  *constituent = (struct hd_constituent){.is_array = host->type.rank > 0, .elem = host->type.elem};
  if (host->type.rank == 0) {
    memcpy(&constituent->scalar, host->data, (size_t)hd_elem_size(host->type.elem));
    return HD_SUCCESS;
  }
  int err = hd_array_alloc(ctx, &constituent->array, host->type.elem, host->type.rank, host->shape);
  if (err) return err;
  err = hd_array_upload(ctx, &constituent->array, host->data);
  if (err) hd_array_release(ctx, &constituent->array);
  return err;
}

HD_API int hd_constituent_download(struct hd_context* ctx, const struct hd_value_type* type,
                                   const struct hd_constituent* constituent, struct hd_host_value* host) {
  *host = (struct hd_host_value){.type = *type};
  if (type->rank > 0) memcpy(host->shape, constituent->array.shape, (size_t)type->rank * sizeof host->shape[0]);
  int64_t elem_size = hd_elem_size(type->elem);
  int64_t bytes = hd_host_value_num_elems(host) * elem_size;
  host->data = malloc(bytes > 0 ? (size_t)bytes : 1);
  if (!host->data)
    return hd_memory_error(ctx, "Out of host memory: no room for a copy of %lld bytes.", (long long)bytes);
  if (type->rank == 0) {
    memcpy(host->data, &constituent->scalar, (size_t)elem_size);
    return HD_SUCCESS;
  }
  struct hd_array dense;
  int err = hd_array_dense(ctx, &dense, &constituent->array);
  if (!err) {
    err = hd_array_download(ctx, &dense, host->data);
    hd_array_release(ctx, &dense);
  }
  if (err) hd_host_value_free(host);
  return err;
}

HD_API void hd_constituents_share(int n, struct hd_constituent* dst, const struct hd_constituent* src) {
  for (int i = 0; i < n; i++) {
    dst[i] = src[i];
    if (src[i].is_array) hd_array_share(&dst[i].array, &src[i].array);
  }
}

HD_API void hd_constituents_release(struct hd_context* ctx, int n, struct hd_constituent* constituents) {
  for (int i = 0; i < n; i++) {
    if (constituents[i].is_array) hd_array_release(ctx, &constituents[i].array);
  }
}

HD_API void hd_constituents_init(const struct hd_type* type, struct hd_constituent* constituents) {
  for (int i = 0; i < type->num_constituents; i++) {
    const struct hd_value_type* t = &type->constituents[i];
    struct hd_constituent* c = &constituents[i];
    c->is_array = t->rank > 0;
    c->elem = c->array.elem = t->elem;
    c->scalar = (union hd_scalar){.i64 = 0};
    c->array.mem = NULL;
    c->array.offset = 0;
    c->array.rank = t->rank;
    for (int d = 0; d < t->rank; d++) c->array.shape[d] = c->array.stride[d] = 0;
  }
}

HD_API int hd_value_restore(struct hd_context* ctx, struct hd_reader* reader, const struct hd_type* type,
                            struct hd_constituent* constituents) {
  reader->problem[0] = '\0';
  for (int i = 0; i < type->num_constituents; i++) {
    struct hd_host_value host;
    int err = HD_ERROR_PROGRAM;
    if (hd_read_value(reader, &type->constituents[i], &host) == 0) {
      err = hd_constituent_upload(ctx, &host, &constituents[i]);
      hd_host_value_free(&host);
    }
    if (err) {
      hd_constituents_release(ctx, i, constituents);
      return err;
    }
  }
  return HD_SUCCESS;
}

HD_API int hd_value_store(struct hd_context* ctx, FILE* file, const struct hd_type* type,
                          const struct hd_constituent* constituents) {
  for (int i = 0; i < type->num_constituents; i++) {
    struct hd_host_value host;
    int err = hd_constituent_download(ctx, &type->constituents[i], &constituents[i], &host);
    if (err) return err;
    hd_write_binary(file, &host);
    hd_host_value_free(&host);
  }
  return HD_SUCCESS;
}

HD_API int hd_find_field(const struct hd_type* record, const char* name) {
  for (int i = 0; i < record->num_fields; i++) {
    if (strcmp(record->fields[i].name, name) == 0) return i;
  }
  return -1;
}

HD_API int hd_field_offset(const struct hd_program* program, const struct hd_type* record, int i) {
  int offset = 0;
  for (int j = 0; j < i; j++) offset += program->types[record->fields[j].type].num_constituents;
  return offset;
}
