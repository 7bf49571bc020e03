#include "runtime/io/options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where an option exists: in which modes, and on which backends.
enum { HD_ON_CPU = 4, HD_ON_CUDA = 8, HD_ALWAYS = HD_EXECUTABLE | HD_SERVER | HD_ON_CPU | HD_ON_CUDA };
#define HD_IN_EXECUTABLES (HD_ALWAYS & ~HD_SERVER)
#define HD_WITH_CPU (HD_ALWAYS & ~HD_ON_CUDA)
#define HD_WITH_CUDA (HD_ALWAYS & ~HD_ON_CPU)

enum hd_option_id {
  HD_OPTION_RUNTIME = 256,  // beyond all characters, which getopt_long returns for short options
  HD_OPTION_RUNS,
  HD_OPTION_DEBUGGING,
  HD_OPTION_LOG,
  HD_OPTION_PROFILE,
  HD_OPTION_ENTRY,
  HD_OPTION_BINARY,
  HD_OPTION_NO_PRINT,
  HD_OPTION_HELP,
  HD_OPTION_PRINT_PARAMS,
  HD_OPTION_PARAM,
  HD_OPTION_TUNING,
  HD_OPTION_CACHE_FILE,
  HD_OPTION_DEVICE,
  HD_OPTION_NUM_THREADS,
  HD_OPTION_DEFAULT,  // of class hd_option.number
  HD_OPTION_UNIFIED_MEMORY,
  HD_OPTION_DUMP_CUDA,
  HD_OPTION_LOAD_CUDA,
  HD_OPTION_DUMP_PTX,
  HD_OPTION_LOAD_PTX,
  HD_OPTION_NVRTC,
  HD_OPTION_SPECIALIZE_AFTER,
  HD_OPTION_TUNE_TILINGS,
  HD_OPTION_TUNE_RUNS,
  HD_OPTION_TUNE_SECONDS,
  HD_OPTION_TUNE_PROGRESS,
  HD_OPTION_TUNE_RECORD,
};

struct hd_option {
  enum hd_option_id id;
  int where;
  char short_name;  // 0: none
  const char* name;
  const char* argument;  // what it is called in the help text; NULL: none
  const char* help;
  enum hd_default which;  // HD_OPTION_DEFAULT
};

static const struct hd_option hd_option_table[] = {
    {HD_OPTION_RUNTIME, HD_IN_EXECUTABLES, 't', "write-runtime-to", "FILE",
     "Write the time of each run, in whole microseconds, to the file.", 0},
    {HD_OPTION_RUNS, HD_IN_EXECUTABLES, 'r', "runs", "INT",
     "Run the entry point this many times, after one run to warm up.", 0},
    {HD_OPTION_ENTRY, HD_IN_EXECUTABLES, 'e', "entry-point", "NAME", "The entry point to run; main unless given.", 0},
    {HD_OPTION_BINARY, HD_IN_EXECUTABLES, 'b', "binary-output", NULL, "Print the result in the binary data format.", 0},
    {HD_OPTION_NO_PRINT, HD_IN_EXECUTABLES, 'n', "no-print-result", NULL, "Do not print the result.", 0},
    {HD_OPTION_DEBUGGING, HD_ALWAYS, 'D', "debugging", NULL, "Check more, at a cost, and log everything.", 0},
    {HD_OPTION_LOG, HD_ALWAYS, 'L', "log", NULL, "Log what happens, at little cost.", 0},
    {HD_OPTION_PROFILE, HD_ALWAYS, 'P', "profile", NULL, "Collect profiling information.", 0},
    {HD_OPTION_HELP, HD_ALWAYS, 'h', "help", NULL, "Print this text and exit.", 0},
    {HD_OPTION_PRINT_PARAMS, HD_ALWAYS, 0, "print-params", NULL,
     "Print the tuning parameters that --param and --tuning can set, and exit.", 0},
    {HD_OPTION_PARAM, HD_ALWAYS, 0, "param", "NAME=INT", "Set a tuning parameter.", 0},
    {HD_OPTION_TUNING, HD_ALWAYS, 0, "tuning", "FILE", "Set tuning parameters from a file of NAME=INT lines.", 0},
    {HD_OPTION_CACHE_FILE, HD_ALWAYS, 0, "cache-file", "FILE", "Keep compiled kernels in this file.", 0},
    {HD_OPTION_DEVICE, HD_WITH_CUDA, 'd', "device", "NAME",
     "Use the first device whose name contains this, or device #k.", 0},
    {HD_OPTION_NUM_THREADS, HD_WITH_CPU, 0, "num-threads", "INT", "Use this many threads; 0 means one per core.", 0},
    {HD_OPTION_DEFAULT, HD_ALWAYS, 0, "default-thread-block-size", "INT",
     "Threads per block where nothing else is said.", HD_DEFAULT_THREAD_BLOCK_SIZE},
    {HD_OPTION_DEFAULT, HD_ALWAYS, 0, "default-group-size", "INT", "The same as --default-thread-block-size.",
     HD_DEFAULT_THREAD_BLOCK_SIZE},
    {HD_OPTION_DEFAULT, HD_ALWAYS, 0, "default-grid-size", "INT", "Blocks per kernel where nothing else is said.",
     HD_DEFAULT_GRID_SIZE},
    {HD_OPTION_DEFAULT, HD_ALWAYS, 0, "default-num-groups", "INT", "The same as --default-grid-size.",
     HD_DEFAULT_GRID_SIZE},
    {HD_OPTION_DEFAULT, HD_ALWAYS, 0, "default-tile-size", "INT", "Edge of tiles in shared memory.",
     HD_DEFAULT_TILE_SIZE},
    {HD_OPTION_DEFAULT, HD_ALWAYS, 0, "default-reg-tile-size", "INT", "Edge of tiles in registers.",
     HD_DEFAULT_REG_TILE_SIZE},
    {HD_OPTION_DEFAULT, HD_ALWAYS, 0, "default-registers", "INT", "Register memory per block, in bytes.",
     HD_DEFAULT_REGISTERS},
    {HD_OPTION_DEFAULT, HD_ALWAYS, 0, "default-cache", "INT", "Cache memory, in bytes.", HD_DEFAULT_CACHE},
    {HD_OPTION_DEFAULT, HD_ALWAYS, 0, "default-threshold", "INT", "The amount of parallelism that fills the device.",
     HD_DEFAULT_THRESHOLD},
    {HD_OPTION_UNIFIED_MEMORY, HD_WITH_CUDA, 0, "unified-memory", "INT",
     "Whether (1) or not (0) to use unified memory; 2: where the device has it.", 0},
    {HD_OPTION_DUMP_CUDA, HD_WITH_CUDA, 0, "dump-cuda", "FILE",
     "Write the CUDA source of the kernels to the file, and exit.", 0},
    {HD_OPTION_LOAD_CUDA, HD_WITH_CUDA, 0, "load-cuda", "FILE", "Read the CUDA source of the kernels from the file.",
     0},
    {HD_OPTION_DUMP_PTX, HD_WITH_CUDA, 0, "dump-ptx", "FILE", "Write the kernels as PTX to the file, and exit.", 0},
    {HD_OPTION_LOAD_PTX, HD_WITH_CUDA, 0, "load-ptx", "FILE", "Read the kernels as PTX from the file.", 0},
    {HD_OPTION_NVRTC, HD_WITH_CUDA, 0, "nvrtc-option", "OPT", "Hand one more option to NVRTC.", 0},
    {HD_OPTION_SPECIALIZE_AFTER, HD_WITH_CUDA, 0, "specialize-after", "INT",
     "Compile kernels for the sizes at hand after so many launches with them; 1 unless given, -1: never.", 0},
    {HD_OPTION_TUNE_TILINGS, HD_WITH_CUDA, 0, "tune-tilings", "FILE",
     "Measure tilings of each contraction, and write the fastest to this tuning file.", 0},
    {HD_OPTION_TUNE_RUNS, HD_WITH_CUDA, 0, "tune-runs", "INT", "Run each of these tilings so often; 10 unless given.",
     0},
    {HD_OPTION_TUNE_SECONDS, HD_WITH_CUDA, 0, "tune-seconds", "INT",
     "Begin no more of these runs for a contraction after so long; 0 means no limit.", 0},
    {HD_OPTION_TUNE_PROGRESS, HD_WITH_CUDA, 0, "tune-progress", "INT",
     "Tell how far that is on this file descriptor; 2 unless given.", 0},
    {HD_OPTION_TUNE_RECORD, HD_WITH_CUDA, 0, "tune-record", "FILE",
     "Append each tiling that was measured to this file, as a line of JSON.", 0},
};

enum { HD_NUM_OPTIONS = sizeof hd_option_table / sizeof hd_option_table[0] };

static void hd_print_usage(FILE* file, const char* program_name, int here) {
  fprintf(file, "Usage: %s [OPTION]...\nOptions:\n\n", program_name);
  for (int i = 0; i < HD_NUM_OPTIONS; i++) {
    const struct hd_option* option = &hd_option_table[i];
    if ((option->where & here) != here) continue;
    char left[64], short_name[8] = "";
    if (option->short_name) snprintf(short_name, sizeof short_name, "-%c/", option->short_name);
    snprintf(left, sizeof left, "%s--%s %s", short_name, option->name, option->argument ? option->argument : "");
    fprintf(file, "  %-33s %s\n", left, option->help);
  }
}

static bool hd_parse_int(const char* text, int64_t* result) {
  char* end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  *result = value;
  return end != text && *end == '\0' && errno == 0;
}

// The entry in the table that getopt_long's answer stands for, NULL if none does.
static const struct hd_option* hd_find_option(int answer, int long_index, const int* table_index) {
  if (answer >= HD_OPTION_RUNTIME) return &hd_option_table[table_index[long_index]];
  for (int i = 0; i < HD_NUM_OPTIONS; i++) {
    if (answer != 0 && hd_option_table[i].short_name == answer) return &hd_option_table[i];
  }
  return NULL;
}

static int hd_complain(const struct hd_options* options, const char* format, const char* what) {
  fprintf(stderr, "%s: ", options->program_name);
  fprintf(stderr, format, what);
  fputc('\n', stderr);
  return 1;
}

HD_API int hd_finish_output(const char* program_name) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
  fprintf(stderr, "%s: Cannot write the output: %s\n", program_name, strerror(errno));
  return 1;
}

static int hd_apply_param(struct hd_options* options, const char* assignment) {
  const char* equals = strchr(assignment, '=');
  int64_t value;
  if (!equals || !hd_parse_int(equals + 1, &value)) {
    return hd_complain(options, "Invalid argument for size option: %s", assignment);
  }
  char* name = hd_copy_string(assignment);
  if (!name) return hd_complain(options, "Out of memory reading %s", assignment);
  name[equals - assignment] = '\0';
  int unknown = hd_config_set_param(options->config, name, value);
  if (unknown) hd_complain(options, "Unknown size: %s", name);
  free(name);
  return unknown;
}

static int hd_apply_tuning(struct hd_options* options, const char* path) {
  char* problem = hd_config_load_tuning(options->config, path);
  if (!problem) return 0;
  fprintf(stderr, "%s: When loading tuning file '%s': %s\n", options->program_name, path, problem);
  free(problem);
  return 1;
}

static void hd_print_params(const struct hd_program* program) {
  for (int i = 0; i < program->num_params; i++) {
    printf("%s (%s)\n", program->params[i].name, program->params[i].class_text);
  }
}

// Returns 0 to go on, else 1 with *exit_code set.
static int hd_apply_option(struct hd_options* options, const struct hd_option* option, const char* argument, int here,
                           int* exit_code) {
  struct hd_config* config = options->config;
  int64_t number = 0;
  bool wants_number = option->argument && strcmp(option->argument, "INT") == 0;
  *exit_code = 1;
  int64_t least = option->id == HD_OPTION_SPECIALIZE_AFTER ? -1 : 0;
  if (wants_number && (!hd_parse_int(argument, &number) || number < least || number > INT_MAX)) {
    fprintf(stderr, "%s: Option --%s needs a whole number from %" PRId64 " to %d, not %s\n", options->program_name,
            option->name, least, INT_MAX, argument);
    return 1;
  }
  switch (option->id) {
    case HD_OPTION_RUNTIME:
      options->runtime_path = argument;
      break;
    case HD_OPTION_RUNS:
      if (number == 0) return hd_complain(options, "Need a positive number of runs, not %s", argument);
      options->num_runs = (int)number;
      options->warm_up = true;
      break;
    case HD_OPTION_DEBUGGING:
      hd_config_set_debugging(config, true);
      break;
    case HD_OPTION_LOG:
      hd_config_set_logging(config, true);
      break;
    case HD_OPTION_PROFILE:
      hd_config_set_profiling(config, true);
      break;
    case HD_OPTION_ENTRY:
      options->entry = argument;
      break;
    case HD_OPTION_BINARY:
      options->binary = true;
      break;
    case HD_OPTION_NO_PRINT:
      options->print_result = false;
      break;
    case HD_OPTION_HELP:
      hd_print_usage(stdout, options->program_name, here);
      *exit_code = hd_finish_output(options->program_name);
      return 1;
    case HD_OPTION_PRINT_PARAMS:
      hd_print_params(config->program);
      *exit_code = hd_finish_output(options->program_name);
      return 1;
    case HD_OPTION_PARAM:
      return hd_apply_param(options, argument);
    case HD_OPTION_TUNING:
      return hd_apply_tuning(options, argument);
    case HD_OPTION_CACHE_FILE:
      hd_config_set_cache_file(config, argument);
      break;
    case HD_OPTION_DEVICE:
      hd_config_set_device(config, argument);
      break;
    case HD_OPTION_NUM_THREADS:
      hd_config_set_num_threads(config, (int)number);
      break;
    case HD_OPTION_SPECIALIZE_AFTER:
      hd_config_set_specialize_after(config, (int)number);
      break;
    case HD_OPTION_TUNE_TILINGS:
      hd_config_set_tune_tilings(config, argument);
      break;
    case HD_OPTION_TUNE_RUNS:
      hd_config_set_tune_runs(config, (int)number);
      break;
    case HD_OPTION_TUNE_SECONDS:
      hd_config_set_tune_seconds(config, (int)number);
      break;
    case HD_OPTION_TUNE_PROGRESS:
      hd_config_set_tune_progress(config, (int)number);
      break;
    case HD_OPTION_TUNE_RECORD:
      hd_config_set_tune_record(config, argument);
      break;
    case HD_OPTION_DEFAULT:
      hd_config_set_default(config, option->which, number);
      break;
    case HD_OPTION_UNIFIED_MEMORY:
      hd_config_set_unified_memory(config, number > 2 ? 1 : (int)number);
      break;
    case HD_OPTION_DUMP_CUDA:
      hd_config_set_dump_cuda(config, argument);
      options->setup_only = true;
      break;
    case HD_OPTION_LOAD_CUDA:
      hd_config_set_load_cuda(config, argument);
      break;
    case HD_OPTION_DUMP_PTX:
      hd_config_set_dump_ptx(config, argument);
      options->setup_only = true;
      break;
    case HD_OPTION_LOAD_PTX:
      hd_config_set_load_ptx(config, argument);
      break;
    case HD_OPTION_NVRTC:
      hd_config_add_nvrtc_option(config, argument);
      break;
  }
  return 0;
}

static int hd_apply_all(struct hd_options* options, int here, int argc, char** argv, int* exit_code) {
  struct option long_options[HD_NUM_OPTIONS + 1] = {{0}};
  int table_index[HD_NUM_OPTIONS];
  char short_options[2 * HD_NUM_OPTIONS + 2] = ":";  // ':' tells a missing argument from an unknown option
  int num_long = 0;
  size_t num_short = 1;
  for (int i = 0; i < HD_NUM_OPTIONS; i++) {
    const struct hd_option* option = &hd_option_table[i];
    if ((option->where & here) != here) continue;
    table_index[num_long] = i;
    long_options[num_long++] = (struct option){option->name, option->argument ? 1 : 0, NULL, option->id};
    if (option->short_name) short_options[num_short++] = option->short_name;
    if (option->short_name && option->argument) short_options[num_short++] = ':';
  }
  int answer, long_index = 0;
  while ((answer = getopt_long(argc, argv, short_options, long_options, &long_index)) != -1) {
    if (answer == ':') {
      *exit_code = 255;
      return hd_complain(options, "Missing argument for option %s", argv[optind - 1]);
    }
    const struct hd_option* option = hd_find_option(answer, long_index, table_index);
    if (!option) {
      *exit_code = 1;
      hd_print_usage(stderr, options->program_name, here);
      fputc('\n', stderr);
      const char letter[] = {'-', (char)optopt, 0};  // of several in one word
      bool is_letter = optopt > 0 && optopt < HD_OPTION_RUNTIME;
      return hd_complain(options, "Unknown option: %s", is_letter ? letter : argv[optind - 1]);
    }
    if (hd_apply_option(options, option, optarg, here, exit_code)) return 1;
  }
  if (optind >= argc) return 0;
  *exit_code = 1;
  return hd_complain(options, "Excess non-option: %s", argv[optind]);
}

HD_API int hd_options_parse(struct hd_options* options, enum hd_mode mode, const struct hd_program* program, int argc,
                            char** argv, int* exit_code) {
  *options = (struct hd_options){
      .config = hd_config_new(program),
      .mode = mode,
      .program_name = argc > 0 ? argv[0] : program->name,
      .entry = "main",
      .num_runs = 1,
      .print_result = true,
  };
  *exit_code = 1;
  if (!options->config) return hd_complain(options, "%s", "Out of memory.");
  int here = (int)mode | (program->backend == HD_BACKEND_CUDA ? HD_ON_CUDA : HD_ON_CPU);
  if (hd_apply_all(options, here, argc, argv, exit_code) == 0) return 0;
  hd_options_free(options);
  return 1;
}

HD_API void hd_options_free(struct hd_options* options) {
  hd_config_free(options->config);
  options->config = NULL;
}
