#include "tile_params.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tiling_explain.h"

struct hd_tile_param {
  int kernel;
  int num_parallel, num_reduction;
  int64_t extents[2 * HD_MAX_TILED_INDICES];
  int value_number;  // in the tiling's list
  int64_t value;
};

// Reads extents with x between them. Returns how many, or -1.
static int hd_read_extents(const char** at, int64_t* extents) {
  int n = 0;
  for (;;) {
    if (**at < '0' || **at > '9' || n == HD_MAX_TILED_INDICES) return -1;
    char* end;
    errno = 0;
    extents[n++] = strtoll(*at, &end, 10);
    if (errno != 0) return -1;
    *at = end;
    if (**at != 'x') return n;
    ++*at;
  }
}

// As it stands in names: "points_0", "stages".
static void hd_value_name(const struct hd_tiling_value* value, char* name, size_t size) {
  if (value->index < 0) {
    snprintf(name, size, "%s", value->name);
  } else {
    snprintf(name, size, "%s_%d", value->name, value->index);
  }
}

static bool hd_read_tile_param(const struct hd_program* program, const char* name, struct hd_tile_param* param) {
  for (int k = 0; k < program->num_specialized; k++) {
    size_t length = strlen(program->specialized[k].label);
    if (strncmp(name, program->specialized[k].label, length) != 0 || name[length] != '.') continue;
    const char* at = name + length + 1;
    *param = (struct hd_tile_param){.kernel = k};
    param->num_parallel = hd_read_extents(&at, param->extents);
    if (param->num_parallel < 1 || *at++ != '_') return false;
    param->num_reduction = hd_read_extents(&at, param->extents + param->num_parallel);
    if (param->num_reduction < 1 || *at++ != '.') return false;
    // What is derived cannot be set, so operands do not matter.
    const struct hd_contraction shape = {.num_parallel = param->num_parallel, .num_reduction = param->num_reduction};
    struct hd_tiling tiling;
    struct hd_tiling_value values[HD_MAX_TILING_VALUES];
    int n = hd_tiling_list(&shape, &tiling, values);
    for (int i = 0; i < n; i++) {
      char value_name[64];
      hd_value_name(&values[i], value_name, sizeof value_name);
      param->value_number = i;
      if (!values[i].derived && strcmp(value_name, at) == 0) return true;
    }
    return false;
  }
  return false;
}

HD_API bool hd_config_set_tile_param(struct hd_config* config, const char* name, int64_t value) {
  struct hd_tile_param param;
  if (!hd_read_tile_param(config->program, name, &param)) return false;
  param.value = value;
  struct hd_tile_param* grown =
      realloc(config->tile_params, ((size_t)config->num_tile_params + 1) * sizeof *config->tile_params);
  if (grown == NULL) return false;
  config->tile_params = grown;
  config->tile_params[config->num_tile_params++] = param;
  return true;
}

// How far the extents are from those of the contraction; infinite where its tiling says nothing about the contraction.
static double hd_tile_distance(const struct hd_tile_param* param, const struct hd_contraction* c) {
  if (param->num_parallel != c->num_parallel || param->num_reduction != c->num_reduction) return INFINITY;
  double distance = 0;
  for (int i = 0; i < c->num_parallel + c->num_reduction; i++) {
    if (param->extents[i] == c->extents[i]) continue;
    if (i >= c->num_parallel && c->window[i - c->num_parallel]) return INFINITY;
    double octaves = fabs(log2((double)param->extents[i] / (double)c->extents[i]));
    if (!(octaves <= 1)) return INFINITY;
    distance += octaves;
  }
  return distance;
}

HD_API bool hd_tile_params_apply(const struct hd_config* config, int kernel, const struct hd_contraction* c,
                                 struct hd_tiling* tiling) {
  const struct hd_tile_param* nearest = NULL;
  double least = INFINITY;
  for (int i = 0; i < config->num_tile_params; i++) {
    const struct hd_tile_param* param = &config->tile_params[i];
    double distance = param->kernel == kernel ? hd_tile_distance(param, c) : INFINITY;
    if (distance >= least) continue;
    least = distance;
    nearest = param;
  }
  if (nearest == NULL) return false;
  // Of operands the list has derived values alone, behind those of indices.
  const struct hd_contraction shape = {.num_parallel = c->num_parallel, .num_reduction = c->num_reduction};
  struct hd_tiling_value values[HD_MAX_TILING_VALUES];
  hd_tiling_list(&shape, tiling, values);
  for (int i = 0; i < config->num_tile_params; i++) {
    const struct hd_tile_param* param = &config->tile_params[i];
    bool same = param->kernel == kernel && memcmp(param->extents, nearest->extents, sizeof param->extents) == 0;
    if (same && hd_tile_distance(param, c) == least) *values[param->value_number].place = param->value;
  }
  return true;
}

// The file's content but for lines about `prefix`; nothing if there is no file. 0, or errno.
static int hd_add_other_lines(struct hd_text* text, const char* path, const char* prefix) {
  size_t length, prefix_length = strlen(prefix);
  char* content = hd_read_file(path, &length);
  if (content == NULL) return errno == ENOENT ? 0 : errno;
  for (char* line = content; line != NULL && *line != 0;) {
    char* newline = strchr(line, '\n');
    size_t line_length = newline != NULL ? (size_t)(newline - line) + 1 : strlen(line);
    const char* name = strncmp(line, "-- ", 3) == 0 ? line + 3 : line;
    bool about_it = strncmp(name, prefix, prefix_length) == 0 &&
                    (name[prefix_length] == '.' || (name > line && name[prefix_length] == ':'));
    if (!about_it) {
      hd_text_add_bytes(text, line, line_length);
      if (newline == NULL) hd_text_add(text, "\n");
    }
    line += line_length;
  }
  free(content);
  return 0;
}

HD_API int hd_tile_params_write(const char* path, const struct hd_specialized_kernel* kernel,
                                const struct hd_contraction* c, const struct hd_tiling* tiling, const char* note) {
  struct hd_text prefix = {0}, text = {0};
  hd_text_add(&prefix, "%s.", kernel->label);
  hd_tiling_add_shape(&prefix, c);
  char* temporary = hd_message("%s.%ld.tmp", path, (long)getpid());
  int problem = prefix.chars == NULL || temporary == NULL ? ENOMEM : 0;
  if (problem == 0) problem = hd_add_other_lines(&text, path, prefix.chars);
  if (problem == 0) {
    hd_text_add(&text, "-- %s: %s\n", prefix.chars, note);
    struct hd_tiling copy = *tiling;
    struct hd_tiling_value values[HD_MAX_TILING_VALUES];
    int n = hd_tiling_list(c, &copy, values);
    for (int i = 0; i < n; i++) {
      if (values[i].derived) continue;
      char name[64];
      hd_value_name(&values[i], name, sizeof name);
      hd_text_add(&text, "%s.%s=%" PRId64 "\n", prefix.chars, name, *values[i].place);
    }
    problem = text.chars == NULL ? ENOMEM : hd_write_file(temporary, text.chars, text.length);
  }
  if (problem == 0 && rename(temporary, path) != 0) problem = errno;
  if (problem != 0 && temporary != NULL) unlink(temporary);
  hd_text_clear(&prefix);
  hd_text_clear(&text);
  free(temporary);
  return problem;
}
