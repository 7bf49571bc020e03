#include "runtime/io/executable.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/io/call.h"
#include "runtime/io/opaque.h"
#include "runtime/io/options.h"

// One entry point on its way from input to output.
struct hd_run {
  const struct hd_options* options;
  const struct hd_program* program;
  const struct hd_entry* entry;
  struct hd_context* ctx;
  FILE* runtime_file;           // NULL: times are not wanted
  struct hd_host_value* hosts;  // one per input
  struct hd_constituent* in;    // one per input, as executables take no opaque ones
  struct hd_constituent* out;   // num_out constituents of all results
  int num_out;
};

// Prints the context's error; always returns 1.
static int hd_report_error(const struct hd_options* options, struct hd_context* ctx) {
  char* error = hd_context_take_error(ctx);
  const char* text = error ? error : "Unknown error.";
  size_t length = strlen(text);
  fprintf(stderr, "%s: %s%s", options->program_name, text, length > 0 && text[length - 1] == '\n' ? "" : "\n");
  free(error);
  return 1;
}

static const struct hd_entry* hd_choose_entry(const struct hd_program* program, const char* name) {
  for (int i = 0; i < program->num_entries; i++) {
    if (strcmp(program->entries[i].name, name) == 0) return &program->entries[i];
  }
  fprintf(stderr, "No entry point '%s'.  Select another with --entry-point.  Options are:\n", name);
  for (int i = 0; i < program->num_entries; i++) fprintf(stderr, "%s\n", program->entries[i].name);
  return NULL;
}

static int hd_read_inputs(struct hd_run* run) {
  const char* program_name = run->options->program_name;
  struct hd_reader reader;
  hd_reader_init(&reader, stdin);
  for (int i = 0; i < run->entry->num_inputs; i++) {
    const struct hd_type* type = &run->program->types[run->entry->inputs[i].type];
    if (type->kind != HD_TYPE_TRANSPARENT) {
      fprintf(stderr, "%s: Cannot read input #%d of type %s\n", program_name, i, type->name);
      return 1;
    }
    if (hd_read_value(&reader, &type->constituents[0], &run->hosts[i])) {
      const char* what = type->constituents[0].rank == 0 ? "Error when reading" : "Cannot read";
      fprintf(stderr, "%s: %s input #%d of type %s (%s).\n", program_name, what, i, type->name, reader.problem);
      return 1;
    }
  }
  if (hd_reader_at_end(&reader)) return 0;
  fprintf(stderr, "%s: Expected EOF on stdin after reading input for \"%s\".\n", program_name, run->entry->name);
  return 1;
}

static int hd_cannot_write_times(const struct hd_options* options) {
  fprintf(stderr, "%s: Cannot write %s: %s\n", options->program_name, options->runtime_path, strerror(errno));
  return 1;
}

static int hd_write_time(const struct hd_run* run, int64_t microseconds) {
  bool written = fprintf(run->runtime_file, "%lld\n", (long long)microseconds) > 0 && fflush(run->runtime_file) == 0;
  return written ? 0 : hd_cannot_write_times(run->options);
}

// Inputs are uploaded anew for each run, since a run may consume them. On success the results are in run->out.
static int hd_run_once(struct hd_run* run, bool timed, bool profiled) {
  int num_in = run->entry->num_inputs;
  int uploaded = 0;
  int err = HD_SUCCESS, unwritten = 0;
  while (!err && uploaded < num_in) {
    err = hd_constituent_upload(run->ctx, &run->hosts[uploaded], &run->in[uploaded]);
    if (!err) uploaded++;
  }
  if (!err) err = hd_sync(run->ctx);
  if (!err) {
    if (profiled) hd_context_unpause_profiling(run->ctx);
    int64_t microseconds;
    err = hd_call(run->ctx, run->entry, run->in, run->out, &microseconds);
    if (profiled) hd_context_pause_profiling(run->ctx);
    if (!err && timed && run->runtime_file) unwritten = hd_write_time(run, microseconds);
    if (unwritten) hd_constituents_release(run->ctx, run->num_out, run->out);
  }
  hd_constituents_release(run->ctx, uploaded, run->in);
  return err ? hd_report_error(run->options, run->ctx) : unwritten;
}

static int hd_run_repeatedly(struct hd_run* run) {
  if (run->options->warm_up) {
    if (hd_run_once(run, false, false)) return 1;
    hd_constituents_release(run->ctx, run->num_out, run->out);
  }
  for (int i = 0; i < run->options->num_runs; i++) {
    bool last = i == run->options->num_runs - 1;
    if (hd_run_once(run, true, last)) return 1;
    if (!last) hd_constituents_release(run->ctx, run->num_out, run->out);
  }
  return 0;
}

static int hd_print_outputs(struct hd_run* run) {
  const struct hd_constituent* out = run->out;
  for (int i = 0; i < run->entry->num_outputs; i++) {
    const struct hd_type* type = &run->program->types[run->entry->outputs[i].type];
    if (type->kind != HD_TYPE_TRANSPARENT) {
      fprintf(stderr, "Values of type \"%s\" have no external representation.\n", type->name);
      return 1;
    }
    struct hd_host_value host;
    if (hd_constituent_download(run->ctx, &type->constituents[0], out, &host)) {
      return hd_report_error(run->options, run->ctx);
    }
    if (run->options->binary) {
      hd_write_binary(stdout, &host);
    } else {
      hd_write_text(stdout, &host);
    }
    putchar('\n');
    hd_host_value_free(&host);
    out += type->num_constituents;
  }
  return hd_finish_output(run->options->program_name);
}

// Everything between a working context and the exit code.
static int hd_run_entry(struct hd_run* run) {
  if (isatty(fileno(stdin))) {
    fprintf(stderr, "Reading input from TTY.\nSend EOF (CTRL-d) after typing all input values.\n");
  }
  hd_context_pause_profiling(run->ctx);  // of what happens before the last run
  if (hd_read_inputs(run) || hd_run_repeatedly(run)) return 1;
  int exit_code = run->options->print_result ? hd_print_outputs(run) : 0;
  hd_constituents_release(run->ctx, run->num_out, run->out);
  return exit_code;
}

static int hd_run_with_context(const struct hd_options* options, const struct hd_program* program,
                               struct hd_context* ctx, FILE* runtime_file) {
  const struct hd_entry* entry = hd_choose_entry(program, options->entry);
  if (!entry) return 1;
  int num_out = hd_num_constituents(program, entry->num_outputs, entry->outputs);
  struct hd_run run = {
      .options = options,
      .program = program,
      .entry = entry,
      .ctx = ctx,
      .runtime_file = runtime_file,
      .hosts = calloc((size_t)entry->num_inputs + 1, sizeof *run.hosts),
      .in = calloc((size_t)entry->num_inputs + 1, sizeof *run.in),
      .out = calloc((size_t)num_out + 1, sizeof *run.out),
      .num_out = num_out,
  };
  int exit_code = 1;
  if (run.hosts && run.in && run.out) {
    exit_code = hd_run_entry(&run);
    for (int i = 0; i < entry->num_inputs; i++) hd_host_value_free(&run.hosts[i]);
  } else {
    fprintf(stderr, "%s: Out of memory.\n", options->program_name);
  }
  free(run.hosts);
  free(run.in);
  free(run.out);
  return exit_code;
}

HD_API int hd_main_executable(const struct hd_program* program, int argc, char** argv) {
  struct hd_options options;
  int exit_code;
  if (hd_options_parse(&options, HD_EXECUTABLE, program, argc, argv, &exit_code)) return exit_code;
  FILE* runtime_file = options.runtime_path ? fopen(options.runtime_path, "w") : NULL;
  if (options.runtime_path && !runtime_file) {
    fprintf(stderr, "%s: Cannot open %s: %s\n", options.program_name, options.runtime_path, strerror(errno));
    hd_options_free(&options);
    return 1;
  }
  exit_code = 1;
  struct hd_context* ctx = hd_context_new(options.config);
  if (!ctx) {
    fprintf(stderr, "%s: Out of memory.\n", options.program_name);
  } else if (ctx->error) {
    hd_report_error(&options, ctx);
  } else {
    exit_code = options.setup_only ? 0 : hd_run_with_context(&options, program, ctx, runtime_file);
  }
  hd_context_free(ctx);
  if (runtime_file && fclose(runtime_file) != 0 && exit_code == 0) exit_code = hd_cannot_write_times(&options);
  hd_options_free(&options);
  return exit_code;
}
