#include "runtime/core/config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/core/backend.h"

HD_API struct hd_config* hd_config_new(const struct hd_program* program) {
  struct hd_config* config = calloc(1, sizeof *config);
  if (config == NULL) return NULL;
  config->program = program;
  config->params = calloc((size_t)program->num_params + 1, sizeof *config->params);
  config->device = hd_copy_string("");
  config->specialize_after = 1;
  config->cache_folder = true;
  config->tune_runs = 10;
  config->tune_progress = STDERR_FILENO;
  if (config->params == NULL || config->device == NULL) {
    hd_config_free(config);
    return NULL;
  }
  return config;
}

HD_API void hd_config_free(struct hd_config* config) {
  if (config == NULL) return;
  for (int i = 0; i < config->num_nvrtc_options; i++) free(config->nvrtc_options[i]);
  free(config->nvrtc_options);
  free(config->tile_params);
  free(config->tune_tilings);
  free(config->tune_record);
  free(config->cache_file);
  free(config->dump_cuda);
  free(config->load_cuda);
  free(config->dump_ptx);
  free(config->load_ptx);
  free(config->cuda_text);
  free(config->device);
  free(config->params);
  free(config);
}

HD_API void hd_config_set_specialize_after(struct hd_config* config, int launches) {
  config->specialize_after = launches;
}
HD_API void hd_config_set_debugging(struct hd_config* config, bool flag) {
  config->debugging = config->logging = config->profiling = flag;
}
HD_API void hd_config_set_logging(struct hd_config* config, bool flag) { config->logging = flag; }
HD_API void hd_config_set_profiling(struct hd_config* config, bool flag) { config->profiling = flag; }
HD_API void hd_config_set_unified_memory(struct hd_config* config, int choice) { config->unified_memory = choice; }
HD_API void hd_config_set_cache_folder(struct hd_config* config, bool flag) { config->cache_folder = flag; }
HD_API void hd_config_set_num_threads(struct hd_config* config, int num_threads) { config->num_threads = num_threads; }

static void hd_replace_string(char** place, const char* value) {
  char* copy = hd_copy_string(value);
  free(*place);
  *place = copy;
}

HD_API void hd_config_set_cache_file(struct hd_config* config, const char* path) {
  hd_replace_string(&config->cache_file, path);
}
HD_API void hd_config_set_dump_cuda(struct hd_config* config, const char* path) {
  hd_replace_string(&config->dump_cuda, path);
}
HD_API void hd_config_set_load_cuda(struct hd_config* config, const char* path) {
  hd_replace_string(&config->load_cuda, path);
}
HD_API void hd_config_set_dump_ptx(struct hd_config* config, const char* path) {
  hd_replace_string(&config->dump_ptx, path);
}
HD_API void hd_config_set_load_ptx(struct hd_config* config, const char* path) {
  hd_replace_string(&config->load_ptx, path);
}

HD_API void hd_config_set_cuda_text(struct hd_config* config, const char* text) {
  hd_replace_string(&config->cuda_text, text);
}

HD_API void hd_config_set_tune_tilings(struct hd_config* config, const char* path) {
  hd_replace_string(&config->tune_tilings, path);
}
HD_API void hd_config_set_tune_runs(struct hd_config* config, int runs) { config->tune_runs = runs > 0 ? runs : 1; }
HD_API void hd_config_set_tune_seconds(struct hd_config* config, int seconds) { config->tune_seconds = seconds; }
HD_API void hd_config_set_tune_progress(struct hd_config* config, int file_descriptor) {
  config->tune_progress = file_descriptor;
}
HD_API void hd_config_set_tune_record(struct hd_config* config, const char* path) {
  hd_replace_string(&config->tune_record, path);
}

HD_API void hd_config_set_device(struct hd_config* config, const char* choice) {
  config->device_number = 0;
  if (*choice == '#') {
    char* end;
    long number = strtol(choice + 1, &end, 10);
    config->device_number = number < 0 || number > 1 << 20 ? 1 << 20 : (int)number;
    choice = end;
    while (isspace((unsigned char)*choice)) choice++;
  }
  hd_replace_string(&config->device, choice);
}

HD_API void hd_config_set_default(struct hd_config* config, enum hd_default which, int64_t value) {
  config->defaults[which] = value;
  config->default_set[which] = value > 0;
}

HD_API void hd_config_add_nvrtc_option(struct hd_config* config, const char* option) {
  size_t size = ((size_t)config->num_nvrtc_options + 1) * sizeof(char*);
  char** options = realloc(config->nvrtc_options, size);
  char* copy = hd_copy_string(option);
  if (options != NULL) config->nvrtc_options = options;
  if (options == NULL || copy == NULL) {
    free(copy);
    return;
  }
  options[config->num_nvrtc_options++] = copy;
}

HD_API int hd_config_set_param(struct hd_config* config, const char* name, int64_t value) {
  for (int i = 0; i < config->program->num_params; i++) {
    if (strcmp(name, config->program->params[i].name) == 0) {
      config->params[i] = value;
      return 0;
    }
  }
  static const struct {
    const char* name;
    enum hd_default which;
  } names[] = {{"default_thread_block_size", HD_DEFAULT_THREAD_BLOCK_SIZE},
               {"default_group_size", HD_DEFAULT_THREAD_BLOCK_SIZE},
               {"default_grid_size", HD_DEFAULT_GRID_SIZE},
               {"default_num_groups", HD_DEFAULT_GRID_SIZE},
               {"default_tile_size", HD_DEFAULT_TILE_SIZE},
               {"default_reg_tile_size", HD_DEFAULT_REG_TILE_SIZE},
               {"default_shared_memory", HD_DEFAULT_SHARED_MEMORY},
               {"default_registers", HD_DEFAULT_REGISTERS},
               {"default_cache", HD_DEFAULT_CACHE},
               {"default_threshold", HD_DEFAULT_THRESHOLD}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(name, names[i].name) == 0) {
      if (value < 0) fprintf(stderr, "Note: %s cannot be %" PRId64 ", and is as if nothing were said\n", name, value);
      hd_config_set_default(config, names[i].which, value);
      return 0;
    }
  }
  const struct hd_backend_ops* ops = config->program->backend_ops();
  return ops->set_tile_param != NULL && ops->set_tile_param(config, name, value) ? 0 : 1;
}

static char* hd_trimmed(char* string) {
  while (isspace((unsigned char)*string)) string++;
  size_t length = strlen(string);
  while (length > 0 && isspace((unsigned char)string[length - 1])) length--;
  string[length] = 0;
  return string;
}

// One line of a tuning file, without its end. NULL, or what is wrong with it.
static char* hd_config_tuning_line(struct hd_config* config, char* line, int number) {
  line = hd_trimmed(line);
  if (*line == 0 || strncmp(line, "--", 2) == 0) return NULL;
  char* equals = strchr(line, '=');
  char* end = equals;
  long long value = 0;
  if (equals != NULL) {
    *equals = 0;
    errno = 0;
    value = strtoll(equals + 1, &end, 10);
  }
  if (equals == NULL || end == equals + 1 || *end != 0 || errno == ERANGE) {
    return hd_message("Invalid line %d (must be of form 'name=int').", number);
  }
  char* name = hd_trimmed(line);
  // It may have been made for another version of the program.
  if (hd_config_set_param(config, name, value) != 0) {
    fprintf(stderr, "Note: Unknown name '%s' on line %d of the tuning file is left out.\n", name, number);
  }
  return NULL;
}

HD_API char* hd_config_load_tuning(struct hd_config* config, const char* path) {
  size_t length;
  char* content = hd_read_file(path, &length);
  if (content == NULL) return hd_message("Cannot open file: %s", strerror(errno));
  char* problem = NULL;
  char* line = content;
  for (int number = 1; line != NULL && problem == NULL; number++) {
    char* newline = strchr(line, '\n');
    if (newline != NULL) *newline = 0;
    problem = hd_config_tuning_line(config, line, number);
    line = newline != NULL ? newline + 1 : NULL;
  }
  free(content);
  return problem;
}
