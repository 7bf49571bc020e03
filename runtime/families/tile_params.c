#include "runtime/families/tile_params.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hd_tile_param {
  int kernel;
  struct hd_shape_name shape;
  struct hd_value which;
  int64_t value;
};

static bool hd_read_tile_param(const struct hd_program* program, const char* name, struct hd_tile_param* param) {
  for (int k = 0; k < program->num_specialized; k++) {
    const struct hd_specialized_kernel* kernel = &program->specialized[k];
    size_t length = strlen(kernel->label);
    if (strncmp(name, kernel->label, length) != 0 || name[length] != '.') continue;
    const char* at = name + length + 1;
    param->kernel = k;
    if (!hd_read_shape_name(&at, &param->shape) || *at++ != '.') return false;
    struct hd_value list[HD_MAX_CHOSEN_VALUES];
    int n = kernel->family()->list_named(&param->shape, list);
    for (int i = 0; i < n; i++) {
      param->which = list[i];
      if (list[i].kind != HD_VALUE_DERIVED && hd_value_is_called(&list[i], at)) return true;
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

HD_API bool hd_tile_params_apply(const struct hd_config* config, int kernel, const void* shape, int64_t* values) {
  const struct hd_family* family = config->program->specialized[kernel].family();
  const struct hd_tile_param* nearest = NULL;
  double least = INFINITY;
  for (int i = 0; i < config->num_tile_params; i++) {
    const struct hd_tile_param* param = &config->tile_params[i];
    double distance = param->kernel == kernel ? family->distance(&param->shape, shape) : INFINITY;
    if (distance >= least) continue;
    least = distance;
    nearest = param;
  }
  if (nearest == NULL) return false;
  struct hd_value list[HD_MAX_CHOSEN_VALUES];
  int n = family->list(shape, list);
  for (int i = 0; i < config->num_tile_params; i++) {
    const struct hd_tile_param* param = &config->tile_params[i];
    if (param->kernel != kernel || !hd_same_shape_name(&param->shape, &nearest->shape)) continue;
    for (int v = 0; v < n; v++) {
      bool meant = list[v].index == param->which.index && strcmp(list[v].name, param->which.name) == 0;
      if (meant) values[v] = param->value;
    }
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

HD_API int hd_tile_params_write(const char* path, const struct hd_specialized_kernel* kernel, const void* shape,
                                const int64_t* values, const char* note) {
  struct hd_text prefix = {0}, text = {0};
  hd_text_add(&prefix, "%s.", kernel->label);
  hd_add_shape(&prefix, kernel->family(), shape);
  char* temporary = hd_message("%s.%ld.tmp", path, (long)getpid());
  int problem = prefix.chars == NULL || temporary == NULL ? ENOMEM : 0;
  if (problem == 0) problem = hd_add_other_lines(&text, path, prefix.chars);
  if (problem == 0) {
    hd_text_add(&text, "-- %s: %s\n", prefix.chars, note);
    struct hd_value list[HD_MAX_CHOSEN_VALUES];
    int n = kernel->family()->list(shape, list);
    for (int i = 0; i < n; i++) {
      if (list[i].kind == HD_VALUE_DERIVED) continue;
      hd_text_add(&text, "%s.", prefix.chars);
      hd_add_value_name(&text, &list[i]);
      hd_text_add(&text, "=%" PRId64 "\n", values[i]);
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
