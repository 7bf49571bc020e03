#include "runtime/families/choice_cache.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/core/binary_cache.h"

// Zeroed before use, since padding is kept, too.
struct hd_kept_choice {
  bool found;
  struct hd_choice choice;
};

static struct hd_cache_key hd_choice_key(const struct hd_family* family, const struct hd_device_model* device,
                                         const struct hd_text* shape) {
  struct hd_cache_key key = hd_cache_key_start();
  hd_cache_key_add(&key, family->name, strlen(family->name));
  hd_cache_key_add(&key, family->revision, strlen(family->revision));
  hd_cache_key_add(&key, (const char*)device, sizeof *device);
  hd_cache_key_add(&key, shape->chars, shape->length);
  return key;
}

HD_API bool hd_choose(const struct hd_family* family, const struct hd_device_model* device, const void* shape,
                      struct hd_choice* choice) {
  struct hd_kept_choice made;
  memset(&made, 0, sizeof made);
  struct hd_text shape_key = {0};
  family->add_key(shape, &shape_key);
  struct hd_cache_key key = hd_choice_key(family, device, &shape_key);
  // Without a key there is nothing to be found by.
  char* path = shape_key.chars != NULL ? hd_cache_path(&key) : NULL;
  hd_text_clear(&shape_key);
  size_t length = 0;
  char* kept = path != NULL ? hd_cache_load(path, &key, &length) : NULL;
  if (kept != NULL && length == sizeof made) {
    memcpy(&made, kept, sizeof made);
  } else {
    made.found = family->choose(device, shape, 1, &made.choice) > 0;
    // Not being able to keep it costs time alone.
    if (path != NULL) hd_cache_keep(&key, (const char*)&made, sizeof made);
  }
  free(kept);
  free(path);
  *choice = made.choice;
  return made.found;
}
