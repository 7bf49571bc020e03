#include "runtime/io/server.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/io/call.h"
#include "runtime/io/opaque.h"
#include "runtime/io/options.h"
#include "runtime/io/server_variables.h"

// The scalar types, which clients may use whether or not the program does.
static const struct hd_value_type hd_scalar_value_types[] = {
    {HD_I8, false, 0},  {HD_I16, false, 0}, {HD_I32, false, 0}, {HD_I64, false, 0},
    {HD_I8, true, 0},   {HD_I16, true, 0},  {HD_I32, true, 0},  {HD_I64, true, 0},
    {HD_F16, false, 0}, {HD_F32, false, 0}, {HD_F64, false, 0}, {HD_BOOL, false, 0},
};
#define HD_SCALAR_TYPE(name, i) \
  { name, HD_TYPE_TRANSPARENT, 1, &hd_scalar_value_types[i], 0, NULL, 0, NULL, 0, -1 }
static const struct hd_type hd_scalar_types[] = {
    HD_SCALAR_TYPE("i8", 0),  HD_SCALAR_TYPE("i16", 1), HD_SCALAR_TYPE("i32", 2),  HD_SCALAR_TYPE("i64", 3),
    HD_SCALAR_TYPE("u8", 4),  HD_SCALAR_TYPE("u16", 5), HD_SCALAR_TYPE("u32", 6),  HD_SCALAR_TYPE("u64", 7),
    HD_SCALAR_TYPE("f16", 8), HD_SCALAR_TYPE("f32", 9), HD_SCALAR_TYPE("f64", 10), HD_SCALAR_TYPE("bool", 11),
};
enum { HD_NUM_SCALAR_TYPES = sizeof hd_scalar_types / sizeof hd_scalar_types[0] };

static const struct hd_type* hd_find_type(const struct hd_server* server, const char* name) {
  for (int i = 0; i < HD_NUM_SCALAR_TYPES; i++) {
    if (strcmp(hd_scalar_types[i].name, name) == 0) return &hd_scalar_types[i];
  }
  for (int i = 0; i < server->program->num_types; i++) {
    if (strcmp(server->program->types[i].name, name) == 0) return &server->program->types[i];
  }
  hd_fail_command("Unknown type %s", name);
  return NULL;
}

static const struct hd_entry* hd_find_entry(const struct hd_server* server, const char* name) {
  for (int i = 0; i < server->program->num_entries; i++) {
    if (strcmp(server->program->entries[i].name, name) == 0) return &server->program->entries[i];
  }
  hd_fail_command("Unknown entry point: %s", name);
  return NULL;
}

// Commands get their words and how many there are; the table below has checked that there are enough. They print their
// answer, or fail.

// Copies the named inputs, borrowed, to where the entry point wants them. Returns false having failed the command.
static bool hd_gather_inputs(struct hd_server* server, const struct hd_entry* entry, char** names,
                             struct hd_constituent* in) {
  for (int i = 0; i < entry->num_inputs; i++) {
    struct hd_variable* variable = hd_find_variable(server, names[i]);
    if (!variable) return false;
    const struct hd_type* expected = &server->program->types[entry->inputs[i].type];
    if (strcmp(variable->type->name, expected->name) != 0) {
      hd_fail_command("Wrong input type.  Expected %s, got %s.", expected->name, variable->type->name);
      return false;
    }
    memcpy(in, variable->constituents, (size_t)expected->num_constituents * sizeof *in);
    in += expected->num_constituents;
  }
  return true;
}

// Creates the variables of the results. Returns false having failed the command; some may exist then.
static bool hd_add_outputs(struct hd_server* server, const struct hd_entry* entry, char** names) {
  for (int i = 0; i < entry->num_outputs; i++) {
    if (!hd_add_variable(server, names[i], &server->program->types[entry->outputs[i].type])) return false;
  }
  return true;
}

// Runs the entry point, prints the time it took and gives the newest variables its results. Returns false having failed
// the command.
static bool hd_call_entry(struct hd_server* server, const struct hd_entry* entry, const struct hd_constituent* in,
                          struct hd_constituent* out) {
  int64_t microseconds;
  int err = hd_call(server->ctx, entry, in, out, &microseconds);
  printf("runtime: %lld\n", (long long)microseconds);
  if (err) {
    hd_fail_with_context_error(server);
    return false;
  }
  for (int i = server->num_variables - entry->num_outputs; i < server->num_variables; i++) {
    struct hd_variable* variable = &server->variables[i];
    memcpy(variable->constituents, out, (size_t)variable->type->num_constituents * sizeof *out);
    out += variable->type->num_constituents;
  }
  return true;
}

static void hd_cmd_call(struct hd_server* server, int num_words, char** words) {
  const struct hd_entry* entry = hd_find_entry(server, words[0]);
  if (!entry) return;
  int wanted = entry->num_outputs + entry->num_inputs;
  if (num_words - 1 != wanted) {
    hd_fail_command("Entry point %s has %d outputs and %d inputs, but got %d variables.", entry->name,
                    entry->num_outputs, entry->num_inputs, num_words - 1);
    return;
  }
  int num_in = hd_num_constituents(server->program, entry->num_inputs, entry->inputs);
  int num_out = hd_num_constituents(server->program, entry->num_outputs, entry->outputs);
  struct hd_constituent* in = calloc((size_t)num_in + 1, sizeof *in);
  struct hd_constituent* out = calloc((size_t)num_out + 1, sizeof *out);
  int num_before = server->num_variables;
  if (!in || !out) {
    hd_fail_command("Out of memory.");
  } else if (!hd_gather_inputs(server, entry, words + 1 + entry->num_outputs, in) ||
             !hd_add_outputs(server, entry, words + 1) || !hd_call_entry(server, entry, in, out)) {
    hd_drop_newest_variables(server, num_before);
  }
  free(in);
  free(out);
}

static bool hd_restore_variables(struct hd_server* server, FILE* file, int num_words, char** words) {
  struct hd_reader reader;
  hd_reader_init(&reader, file);
  for (int i = 1; i < num_words; i += 2) {
    const struct hd_type* type = hd_find_type(server, words[i + 1]);
    struct hd_variable* variable = type ? hd_add_variable(server, words[i], type) : NULL;
    if (!variable) return false;
    if (hd_value_restore(server->ctx, &reader, type, variable->constituents)) {
      hd_constituents_init(type, variable->constituents);
      if (reader.problem[0]) {
        hd_fail_command("Failed to restore variable %s.\nPossibly malformed data in %s (%s)", words[i], words[0],
                        reader.problem);
      } else {
        hd_fail_with_context_error(server);
      }
      return false;
    }
  }
  if (!hd_reader_at_end(&reader)) {
    hd_fail_command("Expected EOF after reading %d values from %s", num_words / 2, words[0]);
    return false;
  }
  if (hd_sync(server->ctx) == HD_SUCCESS) return true;
  hd_fail_with_context_error(server);
  return false;
}

static void hd_cmd_restore(struct hd_server* server, int num_words, char** words) {
  if (num_words % 2 == 0) {
    hd_fail_command("Variable %s has no type.", words[num_words - 1]);
    return;
  }
  FILE* file = fopen(words[0], "rb");
  if (!file) {
    hd_fail_command("Failed to open %s: %s", words[0], strerror(errno));
    return;
  }
  int num_before = server->num_variables;
  if (!hd_restore_variables(server, file, num_words, words)) hd_drop_newest_variables(server, num_before);
  fclose(file);
}

static void hd_cmd_store(struct hd_server* server, int num_words, char** words) {
  for (int i = 1; i < num_words; i++) {
    if (!hd_find_variable(server, words[i])) return;
  }
  FILE* file = fopen(words[0], "wb");
  if (!file) {
    hd_fail_command("Failed to open %s: %s", words[0], strerror(errno));
    return;
  }
  int err = HD_SUCCESS;
  for (int i = 1; i < num_words && !err; i++) {
    const struct hd_variable* variable = hd_lookup_variable(server, words[i]);
    err = hd_value_store(server->ctx, file, variable->type, variable->constituents);
  }
  bool written = !ferror(file);
  if (fclose(file) != 0) written = false;
  if (err) {
    hd_fail_with_context_error(server);
  } else if (!written) {
    hd_fail_command("Failed to write %s: %s", words[0], strerror(errno));
  }
}

static void hd_cmd_free(struct hd_server* server, int num_words, char** words) {
  for (int i = 0; i < num_words; i++) {
    struct hd_variable* variable = hd_find_variable(server, words[i]);
    if (!variable) return;
    hd_drop_variable(server, variable);
  }
}

static void hd_cmd_rename(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  struct hd_variable* variable = hd_find_variable(server, words[0]);
  if (!variable || !hd_name_is_free(server, words[1])) return;
  char* name = hd_copy_string(words[1]);
  if (!name) {
    hd_fail_command("Out of memory.");
    return;
  }
  free(variable->name);
  variable->name = name;
}

static void hd_print_param_types(const struct hd_program* program, int n, const struct hd_param_type* params) {
  for (int i = 0; i < n; i++) printf("%s%s\n", params[i].unique ? "*" : "", program->types[params[i].type].name);
}

static void hd_cmd_inputs(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  const struct hd_entry* entry = hd_find_entry(server, words[0]);
  if (entry) hd_print_param_types(server->program, entry->num_inputs, entry->inputs);
}

static void hd_cmd_outputs(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  const struct hd_entry* entry = hd_find_entry(server, words[0]);
  if (entry) hd_print_param_types(server->program, entry->num_outputs, entry->outputs);
}

static void hd_cmd_clear(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  (void)words;
  hd_drop_newest_variables(server, 0);
  if (hd_context_clear_caches(server->ctx)) hd_fail_with_context_error(server);
}

static void hd_cmd_pause_profiling(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  (void)words;
  hd_context_pause_profiling(server->ctx);
}

static void hd_cmd_unpause_profiling(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  (void)words;
  hd_context_unpause_profiling(server->ctx);
}

static void hd_cmd_report(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  (void)words;
  char* report = hd_context_report(server->ctx);
  if (report) {
    puts(report);
  } else {
    hd_fail_with_context_error(server);
  }
  free(report);
}

static void hd_cmd_set_tuning_param(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  char* end;
  errno = 0;
  long long value = strtoll(words[1], &end, 10);
  if (end == words[1] || *end != '\0' || errno != 0) {
    hd_fail_command("Tuning parameters are whole numbers, not %s", words[1]);
  } else if (hd_context_set_param(server->ctx, words[0], value)) {
    hd_fail_command("Failed to set tuning parameter %s to %lld", words[0], value);
  }
}

// The parameters of an entry point are those named after it.
static void hd_cmd_tuning_params(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  const struct hd_entry* entry = hd_find_entry(server, words[0]);
  if (!entry) return;
  size_t length = strlen(entry->name);
  for (int i = 0; i < server->program->num_params; i++) {
    const char* name = server->program->params[i].name;
    if (strncmp(name, entry->name, length) == 0 && name[length] == '.') puts(name);
  }
}

static void hd_cmd_tuning_param_class(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  for (int i = 0; i < server->program->num_params; i++) {
    if (strcmp(server->program->params[i].name, words[0]) == 0) {
      puts(server->program->params[i].class_text);
      return;
    }
  }
  hd_fail_command("Unknown tuning parameter: %s", words[0]);
}

static bool hd_check_record(const struct hd_type* type) {
  if (type->kind == HD_TYPE_RECORD) return true;
  hd_fail_command("Not a record type");
  return false;
}

static const struct hd_type* hd_field_type(const struct hd_server* server, const struct hd_type* record, int i) {
  return &server->program->types[record->fields[i].type];
}

static void hd_cmd_fields(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  const struct hd_type* type = hd_find_type(server, words[0]);
  if (!type || !hd_check_record(type)) return;
  for (int i = 0; i < type->num_fields; i++) {
    printf("%s %s\n", type->fields[i].name, hd_field_type(server, type, i)->name);
  }
}

static void hd_cmd_new(struct hd_server* server, int num_words, char** words) {
  const struct hd_type* type = hd_find_type(server, words[1]);
  if (!type || !hd_name_is_free(server, words[0]) || !hd_check_record(type)) return;
  if (num_words - 2 != type->num_fields) {
    hd_fail_command("%d fields expected but %d values provided.", type->num_fields, num_words - 2);
    return;
  }
  for (int i = 0; i < type->num_fields; i++) {
    const struct hd_variable* from = hd_find_variable(server, words[2 + i]);
    if (!from) return;
    if (strcmp(from->type->name, hd_field_type(server, type, i)->name) != 0) {
      hd_fail_command("Field %s mismatch: expected type %s, got %s", type->fields[i].name,
                      hd_field_type(server, type, i)->name, from->type->name);
      return;
    }
  }
  struct hd_variable* to = hd_add_variable(server, words[0], type);
  if (!to) return;
  for (int i = 0; i < type->num_fields; i++) {
    const struct hd_variable* from = hd_lookup_variable(server, words[2 + i]);
    hd_constituents_share(from->type->num_constituents, to->constituents + hd_field_offset(server->program, type, i),
                          from->constituents);
  }
}

static void hd_cmd_project(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  const struct hd_variable* from = hd_find_variable(server, words[1]);
  if (!from || !hd_check_record(from->type)) return;
  int field = hd_find_field(from->type, words[2]);
  if (field < 0) {
    hd_fail_command("No such field");
    return;
  }
  const struct hd_type* type = hd_field_type(server, from->type, field);
  struct hd_variable* to = hd_add_variable(server, words[0], type);
  if (!to) return;
  from = hd_lookup_variable(server, words[1]);
  hd_constituents_share(type->num_constituents, to->constituents,
                        from->constituents + hd_field_offset(server->program, from->type, field));
}

static void hd_cmd_entry_points(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  (void)words;
  for (int i = 0; i < server->program->num_entries; i++) puts(server->program->entries[i].name);
}

static void hd_cmd_types(struct hd_server* server, int num_words, char** words) {
  (void)num_words;
  (void)words;
  for (int i = 0; i < HD_NUM_SCALAR_TYPES; i++) puts(hd_scalar_types[i].name);
  for (int i = 0; i < server->program->num_types; i++) {
    const struct hd_type* type = &server->program->types[i];
    bool is_scalar = type->kind == HD_TYPE_TRANSPARENT && type->constituents[0].rank == 0;
    if (!is_scalar) puts(type->name);
  }
}

struct hd_command {
  const char* name;
  int min_words;
  void (*run)(struct hd_server* server, int num_words, char** words);
};

static const struct hd_command hd_commands[] = {
    {"call", 1, hd_cmd_call},
    {"restore", 1, hd_cmd_restore},
    {"store", 1, hd_cmd_store},
    {"free", 0, hd_cmd_free},
    {"rename", 2, hd_cmd_rename},
    {"inputs", 1, hd_cmd_inputs},
    {"outputs", 1, hd_cmd_outputs},
    {"clear", 0, hd_cmd_clear},
    {"pause_profiling", 0, hd_cmd_pause_profiling},
    {"unpause_profiling", 0, hd_cmd_unpause_profiling},
    {"report", 0, hd_cmd_report},
    {"set_tuning_param", 2, hd_cmd_set_tuning_param},
    {"tuning_params", 1, hd_cmd_tuning_params},
    {"tuning_param_class", 1, hd_cmd_tuning_param_class},
    {"fields", 1, hd_cmd_fields},
    {"new", 2, hd_cmd_new},
    {"project", 3, hd_cmd_project},
    {"entry_points", 0, hd_cmd_entry_points},
    {"types", 0, hd_cmd_types},
};

// Cuts the line into words, which blanks separate and double quotes group. Returns how many there are, or -1 if a quote
// is not closed. `words` has room for one word per two characters.
static int hd_split_words(char* line, char** words) {
  int n = 0;
  for (;;) {
    while (isspace((unsigned char)*line)) line++;
    if (*line == '\0') return n;
    bool quoted = *line == '"';
    if (quoted) line++;
    words[n++] = line;
    while (*line != '\0' && (quoted ? *line != '"' : !isspace((unsigned char)*line))) line++;
    if (*line == '\0') return quoted ? -1 : n;
    *line++ = '\0';
  }
}

static void hd_process_line(struct hd_server* server, char* line) {
  char** words = malloc((strlen(line) / 2 + 1) * sizeof *words);
  int n = words ? hd_split_words(line, words) : 0;
  if (!words) {
    hd_fail_command("Out of memory.");
  } else if (n < 0) {
    hd_fail_command("Unclosed quote");
  } else if (n == 0) {
    hd_fail_command("Empty line");
  } else {
    const struct hd_command* command = NULL;
    for (size_t i = 0; i < sizeof hd_commands / sizeof hd_commands[0]; i++) {
      if (strcmp(hd_commands[i].name, words[0]) == 0) command = &hd_commands[i];
    }
    if (!command) {
      hd_fail_command("Unknown command: %s", words[0]);
    } else if (n - 1 < command->min_words) {
      hd_fail_command("Insufficient command args.");
    } else {
      command->run(server, n - 1, words + 1);
    }
  }
  free(words);
}

static void hd_say_ok(void) {
  puts("%%% OK");
  fflush(stdout);
}

// What main returns.
static int hd_serve(const struct hd_program* program, struct hd_context* ctx, const char* program_name) {
  struct hd_server server = {.program = program, .ctx = ctx};
  char* line = NULL;
  size_t capacity = 0;
  hd_say_ok();
  while (getline(&line, &capacity, stdin) > 0) {
    hd_process_line(&server, line);
    hd_say_ok();
  }
  free(line);
  hd_drop_newest_variables(&server, 0);
  free(server.variables);
  return hd_finish_output(program_name);
}

HD_API int hd_main_server(const struct hd_program* program, int argc, char** argv) {
  struct hd_options options;
  int exit_code;
  if (hd_options_parse(&options, HD_SERVER, program, argc, argv, &exit_code)) return exit_code;
  struct hd_context* ctx = hd_context_new(options.config);
  exit_code = ctx && !ctx->error ? 0 : 1;
  if (exit_code) {
    fprintf(stderr, "%s: Error during context initialisation:\n%s\n", options.program_name,
            ctx ? ctx->error : "Out of memory.");
  } else if (!options.setup_only) {
    hd_context_set_log(ctx, stdout);
    exit_code = hd_serve(program, ctx, options.program_name);
  }
  hd_context_free(ctx);
  hd_options_free(&options);
  return exit_code;
}
