#include "runtime/families/family.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

HD_API void hd_add_shape_name(struct hd_text* text, const struct hd_shape_name* name) {
  const int64_t* extent = name->extents;
  for (int g = 0; g < name->num_groups; g++) {
    for (int i = 0; i < name->lengths[g]; i++) {
      hd_text_add(text, "%s%" PRId64, i > 0 ? "x" : g > 0 ? "_" : "", *extent++);
    }
  }
}

HD_API void hd_add_shape(struct hd_text* text, const struct hd_family* family, const void* shape) {
  struct hd_shape_name name;
  family->name_shape(shape, &name);
  hd_add_shape_name(text, &name);
}

HD_API bool hd_read_shape_name(const char** at, struct hd_shape_name* name) {
  *name = (struct hd_shape_name){.num_groups = 1};
  for (int n = 0; n < HD_MAX_SHAPE_EXTENTS; n++) {
    if (**at < '0' || **at > '9') return false;
    char* end;
    errno = 0;
    name->extents[n] = strtoll(*at, &end, 10);
    if (errno != 0) return false;
    name->lengths[name->num_groups - 1]++;
    *at = end;
    if (*end != 'x' && *end != '_') return true;
    if (*end == '_' && name->num_groups++ == HD_MAX_SHAPE_GROUPS) return false;
    ++*at;
  }
  return false;
}

HD_API bool hd_same_shape_name(const struct hd_shape_name* a, const struct hd_shape_name* b) {
  int num_extents = 0;
  for (int g = 0; g < a->num_groups; g++) num_extents += a->lengths[g];
  return a->num_groups == b->num_groups &&
         memcmp(a->lengths, b->lengths, (size_t)a->num_groups * sizeof *a->lengths) == 0 &&
         memcmp(a->extents, b->extents, (size_t)num_extents * sizeof *a->extents) == 0;
}

HD_API void hd_add_value_name(struct hd_text* text, const struct hd_value* value) {
  hd_text_add(text, "%s", value->name);
  if (value->index >= 0) hd_text_add(text, "_%d", value->index);
}

HD_API bool hd_value_is_called(const struct hd_value* value, const char* name) {
  struct hd_text text = {0};
  hd_add_value_name(&text, value);
  bool same = text.chars != NULL && strcmp(text.chars, name) == 0;
  hd_text_clear(&text);
  return same;
}

HD_API void hd_add_values(struct hd_text* text, const struct hd_family* family, const void* shape,
                          const int64_t* values) {
  struct hd_value list[HD_MAX_CHOSEN_VALUES];
  int n = family->list(shape, list);
  const char* separator = "";
  for (int i = 0; i < n; i++) {
    if (list[i].kind == HD_VALUE_DERIVED || list[i].index > 0) continue;
    hd_text_add(text, "%s%s ", separator, list[i].name);
    separator = ", ";
    const char* times = "";
    for (int k = i; k < n; k++) {
      if (strcmp(list[k].name, list[i].name) != 0) continue;
      hd_text_add(text, "%s%" PRId64, times, values[k]);
      times = "x";
    }
  }
}

HD_API double hd_explain(struct hd_text* text, const struct hd_family* family, const struct hd_device_model* device,
                         const char* title, const void* shape, int most) {
  hd_add_shape(text, family, shape);
  hd_text_add(text, " on %s, microseconds:\n", title);
  return family->explain(device, shape, most, text);
}

HD_API void hd_key_add(struct hd_text* key, int num_numbers, const int64_t* numbers) {
  if (num_numbers > 0) hd_text_add_bytes(key, (const char*)numbers, (size_t)num_numbers * sizeof *numbers);
}
