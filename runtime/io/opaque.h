// Values of entry-point types as arrays of their constituents: a transparent value has one, an opaque one any number.
// Opaque values are stored as their constituents in binary, one after the other, as Futhark stores them.
#ifndef HD_OPAQUE_H
#define HD_OPAQUE_H

#include "runtime/core/context.h"
#include "runtime/io/values.h"

// Copies a host value to the device.
HD_API int hd_constituent_upload(struct hd_context* ctx, const struct hd_host_value* host,
                                 struct hd_constituent* constituent);
// Copies a constituent to host memory that the caller frees.
HD_API int hd_constituent_download(struct hd_context* ctx, const struct hd_value_type* type,
                                   const struct hd_constituent* constituent, struct hd_host_value* host);
HD_API void hd_constituents_share(int n, struct hd_constituent* dst, const struct hd_constituent* src);
HD_API void hd_constituents_release(struct hd_context* ctx, int n, struct hd_constituent* constituents);
// Makes `constituents` blank scalars and arrays of `type`, owning nothing.
HD_API void hd_constituents_init(const struct hd_type* type, struct hd_constituent* constituents);

// Reads a value of `type` into type->num_constituents places. HD_ERROR_PROGRAM with reader->problem set if the data is
// wrong, and with it empty if the context has the message.
HD_API int hd_value_restore(struct hd_context* ctx, struct hd_reader* reader, const struct hd_type* type,
                            struct hd_constituent* constituents);
HD_API int hd_value_store(struct hd_context* ctx, FILE* file, const struct hd_type* type,
                          const struct hd_constituent* constituents);

// The field of a record of that name, -1 if there is none.
HD_API int hd_find_field(const struct hd_type* record, const char* name);
// Where the constituents of field i begin among those of the record.
HD_API int hd_field_offset(const struct hd_program* program, const struct hd_type* record, int i);

#endif
