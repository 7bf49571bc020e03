// Compiled kernels kept on disk under a hash of everything they were made from. Losing an entry, or not being able to
// write one, only costs time.
#ifndef HD_BINARY_CACHE_H
#define HD_BINARY_CACHE_H

#include "runtime/core/text.h"

struct hd_cache_key {
  uint64_t halves[2];
};

HD_API struct hd_cache_key hd_cache_key_start(void);
HD_API void hd_cache_key_add(struct hd_cache_key* key, const char* bytes, size_t length);

// The user's cache folder, whether it is there yet or not; NULL for none. To be freed. HEDDLE_CACHE names another folder;
// set to nothing, it turns the cache off.
HD_API char* hd_cache_folder(void);
// The file for a key in that folder, which is made if need be; NULL when there is no such folder. To be freed.
HD_API char* hd_cache_path(const struct hd_cache_key* key);
// The entry's content and a zero byte, to be freed; NULL when the file is missing, no plain file, damaged or made for
// another key.
HD_API char* hd_cache_load(const char* path, const struct hd_cache_key* key, size_t* length);
// 0, or errno. Readers see the old file or the whole new one, whoever else writes it and whatever ends this program.
HD_API int hd_cache_store(const char* path, const struct hd_cache_key* key, const char* bytes, size_t length);
// The same for hd_cache_path(key), keeping the folder within its bounds (cache_bound.h).
HD_API int hd_cache_keep(const struct hd_cache_key* key, const char* bytes, size_t length);

#endif
