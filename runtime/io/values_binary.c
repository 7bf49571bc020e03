#include <stdlib.h>
#include <string.h>

#include "runtime/io/values.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "The binary data format is little-endian, and so must be the host."
#endif

#define HD_BINARY_VERSION 2
#define HD_READ_AHEAD ((int64_t)16 << 20)  // bytes

// Everything that has a four-character name in binary data.
static const struct hd_value_type hd_binary_types[] = {
    {HD_I8, false, 0},  {HD_I16, false, 0}, {HD_I32, false, 0}, {HD_I64, false, 0},
    {HD_I8, true, 0},   {HD_I16, true, 0},  {HD_I32, true, 0},  {HD_I64, true, 0},
    {HD_F16, false, 0}, {HD_F32, false, 0}, {HD_F64, false, 0}, {HD_BOOL, false, 0},
};

static const struct hd_value_type* hd_find_binary_type(const char tag[4]) {
  for (size_t i = 0; i < sizeof hd_binary_types / sizeof hd_binary_types[0]; i++) {
    char name[8];
    snprintf(name, sizeof name, "%4s", hd_elem_name(&hd_binary_types[i]));
    if (memcmp(name, tag, 4) == 0) return &hd_binary_types[i];
  }
  return NULL;
}

static int hd_read_binary_header(struct hd_reader* reader, const struct hd_value_type* expected) {
  int version = getc(reader->file);
  if (version == EOF) return hd_reader_fail(reader, "binary-input: could not read version.");
  if (version != HD_BINARY_VERSION) {
    return hd_reader_fail(reader, "binary-input: File uses version %d, but I only understand version %d.", version,
                          HD_BINARY_VERSION);
  }
  int rank = getc(reader->file);
  if (rank == EOF) return hd_reader_fail(reader, "binary-input: Couldn't get dims.");
  if (rank != expected->rank && expected->rank == 0) {
    return hd_reader_fail(reader, "binary-input: Expected scalar (0 dimensions), but got array with %d dimensions.",
                          rank);
  }
  if (rank != expected->rank) {
    return hd_reader_fail(reader, "binary-input: Expected %d dimensions, but got array with %d dimensions.",
                          expected->rank, rank);
  }
  char tag[4];
  if (fread(tag, 1, 4, reader->file) != 4) return hd_reader_fail(reader, "binary-input: Couldn't read element type.");
  const struct hd_value_type* got = hd_find_binary_type(tag);
  if (!got) {
    for (int i = 0; i < 4; i++) tag[i] = tag[i] >= ' ' && tag[i] <= '~' ? tag[i] : '?';
    return hd_reader_fail(reader, "binary-input: Did not recognize the type '%.4s'.", tag);
  }
  if (strcmp(hd_elem_name(got), hd_elem_name(expected)) == 0) return 0;
  if (rank == 0) {
    return hd_reader_fail(reader, "binary-input: Expected scalar of type %s but got scalar of type %s.",
                          hd_elem_name(expected), hd_elem_name(got));
  }
  return hd_reader_fail(reader,
                        "binary-input: Expected %dD-array with element type '%s' but got %dD-array with element type "
                        "'%s'.",
                        rank, hd_elem_name(expected), rank, hd_elem_name(got));
}

HD_API int hd_read_binary(struct hd_reader* reader, struct hd_host_value* value) {
  if (hd_read_binary_header(reader, &value->type)) return 1;
  int rank = value->type.rank;
  for (int i = 0; i < rank; i++) {
    if (fread(&value->shape[i], 8, 1, reader->file) != 1) {
      return hd_reader_fail(reader, "binary-input: Couldn't read size for dimension %d of array.", i);
    }
  }
  int64_t elem_size = hd_elem_size(value->type.elem);
  int64_t num_elems = hd_checked_num_elems(value->shape, rank, elem_size);
  if (num_elems < 0) return hd_reader_fail(reader, "binary-input: No array can have the sizes given.");

  struct hd_buffer buffer = {0};
  int64_t wanted = num_elems * elem_size;
  size_t got = 1;
  do {
    int64_t left = wanted - buffer.used;
    int64_t chunk = buffer.used > HD_READ_AHEAD ? buffer.used : HD_READ_AHEAD;
    if (chunk > left) chunk = left;
    if (!hd_buffer_reserve(&buffer, chunk)) {
      free(buffer.data);
      return hd_reader_fail(reader, "binary-input: Failed to allocate array of size %lld.", (long long)wanted);
    }
    got = fread(buffer.data + buffer.used, 1, (size_t)chunk, reader->file);
    buffer.used += (int64_t)got;
  } while (got > 0 && buffer.used < wanted);
  if (buffer.used < wanted) {
    free(buffer.data);
    return hd_reader_fail(reader, "binary-input: tried to read %lld elements of an array, but only got %lld elements.",
                          (long long)num_elems, (long long)(buffer.used / elem_size));
  }
  // Any byte but 0 and 1 would be an invalid bool in C.
  if (value->type.elem == HD_BOOL) {
    for (int64_t i = 0; i < num_elems; i++) buffer.data[i] = buffer.data[i] != 0;
  }
  value->data = buffer.data;
  return 0;
}

HD_API void hd_binary_header(const struct hd_value_type* type, char header[HD_BINARY_HEADER + 1]) {
  snprintf(header, HD_BINARY_HEADER + 1, "b%c%c%4s", HD_BINARY_VERSION, type->rank, hd_elem_name(type));
}

HD_API void hd_write_binary(FILE* file, const struct hd_host_value* value) {
  char header[HD_BINARY_HEADER + 1];
  hd_binary_header(&value->type, header);
  fwrite(header, 1, HD_BINARY_HEADER, file);
  fwrite(value->shape, 8, (size_t)value->type.rank, file);
  fwrite(value->data, (size_t)hd_elem_size(value->type.elem), (size_t)hd_host_value_num_elems(value), file);
}
