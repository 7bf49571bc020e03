#include "runtime/backends/cuda_api.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/text.h"

// Finds one function; appends its name to `missing` if it is not there.
static void hd_find_function(void* library, const char* name, void* place, struct hd_text* missing) {
  void* address = dlsym(library, name);
  if (address == NULL) hd_text_add(missing, " %s", name);
  // Object and function pointers have the same form wherever dlsym exists, though C does not say so.
  memcpy(place, &address, sizeof address);
}

static char* hd_incomplete_library(const char* what, struct hd_text* missing) {
  if (missing->length == 0) return NULL;
  char* problem = hd_message("The installed %s is too old: it lacks%s.", what, missing->chars);
  hd_text_clear(missing);
  return problem;
}

HD_API char* hd_cuda_api_open(struct hd_cuda_api* api) {
  *api = (struct hd_cuda_api){0};
  api->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (api->library == NULL) {
    return hd_message(
        "No CUDA driver was found (libcuda.so.1 cannot be loaded), so this machine cannot run CUDA programs; "
        "those that heddle cpu makes need none.");
  }
  struct hd_text missing = {0};
#define HD_FIND(name, parameters) hd_find_function(api->library, #name, &api->name, &missing);
  HD_CUDA_FUNCTIONS(HD_FIND)
  char* problem = hd_incomplete_library("CUDA driver", &missing);
  missing = (struct hd_text){0};
  HD_NEWER_CUDA_FUNCTIONS(HD_FIND)
  hd_text_clear(&missing);
#undef HD_FIND
  if (problem != NULL) hd_cuda_api_close(api);
  return problem;
}

HD_API void hd_cuda_api_close(struct hd_cuda_api* api) {
  if (api->library != NULL) dlclose(api->library);
  *api = (struct hd_cuda_api){0};
}

// NVRTC stays once it is loaded: unloading it would leak what it allocated when it was loaded.
static void* hd_open_nvrtc(const char* file) { return dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

static void* hd_open_in(const char* folder, const char* file) {
  char* path = hd_message("%s/%s", folder, file);
  void* library = path != NULL ? hd_open_nvrtc(path) : NULL;
  free(path);
  return library;
}

static void* hd_find_nvrtc(const char* file) {
  void* library = hd_open_nvrtc(file);
  static const char* const variables[] = {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"};
  for (size_t i = 0; library == NULL && i < sizeof variables / sizeof variables[0]; i++) {
    const char* root = getenv(variables[i]);
    if (root == NULL || *root == 0) continue;
    char* folder = hd_message("%s/lib64", root);
    if (folder != NULL) library = hd_open_in(folder, file);
    free(folder);
  }
  static const char* const folders[] = {"/usr/local/cuda/lib64", "/usr/local/cuda-13/lib64", "/usr/local/cuda-12/lib64",
                                        "/opt/cuda/lib64", "/usr/lib/cuda/lib64"};
  for (size_t i = 0; library == NULL && i < sizeof folders / sizeof folders[0]; i++) {
    library = hd_open_in(folders[i], file);
  }
  return library;
}

HD_API char* hd_nvrtc_api_open(struct hd_nvrtc_api* api, int driver_major) {
  *api = (struct hd_nvrtc_api){0};
  static const char* const newest_first[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  static const char* const oldest_first[] = {"libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so"};
  const char* const* files = driver_major >= 13 ? newest_first : oldest_first;
  for (int i = 0; i < 3 && api->library == NULL; i++) api->library = hd_find_nvrtc(files[i]);
  if (api->library == NULL) {
    return hd_message(
        "NVRTC, the CUDA run-time compiler, was not found: install the CUDA toolkit (12 or 13), or say where it is "
        "with "
        "CUDA_HOME.");
  }
  struct hd_text missing = {0};
#define HD_FIND(name, parameters) hd_find_function(api->library, #name, &api->name, &missing);
  HD_NVRTC_FUNCTIONS(HD_FIND)
#undef HD_FIND
  char* problem = hd_incomplete_library("NVRTC", &missing);
  if (problem != NULL) hd_nvrtc_api_close(api);
  return problem;
}

HD_API void hd_nvrtc_api_close(struct hd_nvrtc_api* api) {
  if (api->library != NULL) dlclose(api->library);
  *api = (struct hd_nvrtc_api){0};
}
