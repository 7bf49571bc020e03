#include "runtime/backends/nvrtc.h"

#include <stdlib.h>
#include <string.h>

HD_API void hd_add_pieces(struct hd_text* text, const char* const* pieces) {
  for (; pieces != NULL && *pieces != NULL; pieces++) hd_text_add_bytes(text, *pieces, strlen(*pieces));
}

HD_API char* hd_program_text(const struct hd_program* program) {
  struct hd_text text = {0};
  hd_add_pieces(&text, program->device_text);
  hd_add_pieces(&text, program->kernel_text);
  for (int k = 0; k < program->num_kernels; k++) hd_add_pieces(&text, program->kernels[k].text);
  return hd_text_take(&text);
}

// Takes over `option`; false when memory ran out.
static bool hd_nvrtc_add_option(struct hd_nvrtc_options* options, char* option) {
  char** grown = realloc(options->options, ((size_t)options->num_options + 1) * sizeof *grown);
  if (grown != NULL) options->options = grown;
  if (grown == NULL || option == NULL) {
    free(option);
    return false;
  }
  grown[options->num_options++] = option;
  return true;
}

HD_API void hd_nvrtc_options_free(struct hd_nvrtc_options* options) {
  for (int i = 0; i < options->num_options; i++) free(options->options[i]);
  free(options->options);
  *options = (struct hd_nvrtc_options){0};
}

// The newest architecture that NVRTC knows and the device can run; 0 if there is none.
static int hd_nvrtc_best_arch(const struct hd_nvrtc_api* api, int capability) {
  int count = 0;
  if (api->nvrtcGetNumSupportedArchs(&count) != 0 || count <= 0) return 0;
  int* archs = calloc((size_t)count, sizeof *archs);
  int best = 0;
  if (archs != NULL && api->nvrtcGetSupportedArchs(archs) == 0) {
    for (int i = 0; i < count; i++) {
      if (archs[i] <= capability && archs[i] > best) best = archs[i];
    }
  }
  free(archs);
  return best;
}

// The architecture that the user asks for among the options, if any.
static const char* hd_nvrtc_user_arch(const struct hd_config* config) {
  for (int i = 0; i < config->num_nvrtc_options; i++) {
    const char* option = config->nvrtc_options[i];
    if (strncmp(option, "-arch", 5) == 0 || strncmp(option, "--gpu-architecture", 18) == 0) {
      const char* equals = strchr(option, '=');
      if (equals != NULL) return equals + 1;
      return i + 1 < config->num_nvrtc_options ? config->nvrtc_options[i + 1] : "";
    }
  }
  return NULL;
}

HD_API char* hd_nvrtc_choose_options(const struct hd_nvrtc_api* api, const struct hd_config* config, int capability,
                                     struct hd_nvrtc_options* options) {
  *options = (struct hd_nvrtc_options){0};
  bool room = true;
  const char* user_arch = hd_nvrtc_user_arch(config);
  if (user_arch != NULL) {
    options->binary = strncmp(user_arch, "sm_", 3) == 0;
  } else {
    int arch = hd_nvrtc_best_arch(api, capability);
    if (arch == 0) {
      return hd_message("The device's compute capability %d.%d is older than any that the installed NVRTC supports.",
                        capability / 10, capability % 10);
    }
    // Machine code runs on its own architecture only; a device that NVRTC does not know yet gets PTX.
    options->binary = arch == capability;
    room =
        hd_nvrtc_add_option(options, hd_message("--gpu-architecture=%s_%d", options->binary ? "sm" : "compute", arch));
  }
  room = room && hd_nvrtc_add_option(options, hd_copy_string("--std=c++17"));
  room = room && hd_nvrtc_add_option(options, hd_copy_string("-default-device"));
  room = room && hd_nvrtc_add_option(options,
                                     hd_copy_string(config->debugging ? "--generate-line-info" : "--disable-warnings"));
  for (int i = 0; i < config->num_nvrtc_options; i++) {
    room = room && hd_nvrtc_add_option(options, hd_copy_string(config->nvrtc_options[i]));
  }
  if (room) return NULL;
  hd_nvrtc_options_free(options);
  return hd_message("Out of host memory.");
}

typedef int (*hd_nvrtc_size_function)(void* program, size_t* size);
typedef int (*hd_nvrtc_get_function)(void* program, char* bytes);

static bool hd_nvrtc_get(void* program, hd_nvrtc_size_function size, hd_nvrtc_get_function get, struct hd_binary* out) {
  *out = (struct hd_binary){0};
  if (size(program, &out->length) != 0 || out->length == 0) return false;
  out->bytes = malloc(out->length + 1);
  if (out->bytes == NULL || get(program, out->bytes) != 0) {
    free(out->bytes);
    *out = (struct hd_binary){0};
    return false;
  }
  out->bytes[out->length] = 0;
  return true;
}

HD_API char* hd_nvrtc_compile(const struct hd_nvrtc_api* api, const char* text, const struct hd_nvrtc_options* options,
                              struct hd_binary* binary, struct hd_binary* ptx) {
  *binary = (struct hd_binary){0};
  if (ptx != NULL) *ptx = (struct hd_binary){0};
  void* program = NULL;
  int result = api->nvrtcCreateProgram(&program, text, "heddle-kernels", 0, NULL, NULL);
  if (result != 0) return hd_message("NVRTC refused the kernels with error %d.", result);
  char* problem = NULL;
  result = api->nvrtcCompileProgram(program, options->num_options, (const char* const*)options->options);
  if (result != 0) {
    struct hd_binary log;
    bool words = hd_nvrtc_get(program, api->nvrtcGetProgramLogSize, api->nvrtcGetProgramLog, &log);
    problem = hd_message("NVRTC compilation failed with error %d.\n\n%s\n", result, words ? log.bytes : "");
    free(log.bytes);
  } else if (options->binary ? !hd_nvrtc_get(program, api->nvrtcGetCUBINSize, api->nvrtcGetCUBIN, binary)
                             : !hd_nvrtc_get(program, api->nvrtcGetPTXSize, api->nvrtcGetPTX, binary)) {
    problem = hd_message("NVRTC compiled the kernels but did not hand them over.");
  } else if (ptx != NULL && !hd_nvrtc_get(program, api->nvrtcGetPTXSize, api->nvrtcGetPTX, ptx)) {
    problem = hd_message("NVRTC compiled the kernels but did not hand over their PTX.");
  }
  api->nvrtcDestroyProgram(&program);
  if (problem != NULL) {
    free(binary->bytes);
    *binary = (struct hd_binary){0};
  }
  return problem;
}
