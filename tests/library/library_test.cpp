// `heddle cpu|cuda --library`: a C client of all types, header and manifest beside Futhark's own, and what else users
// of a library rely on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "tests/need.h"
#include "tests/runtime_io/process.h"

namespace {

using Words = std::vector<std::string>;
using Json = nlohmann::json;

const Words kWarnings = {"-std=c11", "-Wall", "-Wextra", "-Werror"};
const Words kSanitizers = {"-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"};
const Words kLibraries = {"-lm", "-ldl", "-lpthread"};
const std::string kSources = HEDDLE_SOURCE_DIR;

Words joined(std::initializer_list<Words> parts) {
  Words all;
  for (const Words& p : parts) all.insert(all.end(), p.begin(), p.end());
  return all;
}

class Library : public testing::Test {
 protected:
  void SetUp() override {
    HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler");
    std::filesystem::create_directory(folder.path("gpu"));
    std::filesystem::create_directory(folder.path("cache"));
  }
  ProcessResult run(const Words& command, const Words& environment = {}) const {
    Words words = {"/usr/bin/env", "-C", folder.path(""), std::string("HEDDLE_FUTHARK=") + FUTHARK,
                   "HEDDLE_CACHE=" + folder.path("cache"),
                   // Too large an allocation is to fail, not to end the program.
                   "ASAN_OPTIONS=allocator_may_return_null=1"};
    return run_process(joined({words, environment, command}), "");
  }
  void must(const Words& command, const Words& environment = {}) const {
    ProcessResult result = run(command, environment);
    ASSERT_EQ(result.exit_code, 0) << testing::PrintToString(command) << "\n" << result.out << result.err;
  }
  void write(const std::string& name, const std::string& content) const { write_file(folder.path(name), content); }
  std::string read(const std::string& name) const { return read_file(folder.path(name)); }
  // Into NAME.c, NAME.h and NAME.json.
  void make(const std::string& backend, const std::string& program, const std::string& name) const {
    must({HEDDLE, backend, "--library", "-w", program, "-o", name});
  }

  // Of a program whose driver computes on the processor.
  Words gpu() const {
    return {"CPU_AS_GPU_FOLDER=" + folder.path("gpu"), std::string("LD_LIBRARY_PATH=") + GPU_LIBRARIES};
  }

  TemporaryFolder folder;
};

const std::string kTypes = kSources + "/tests/library/types.fut";
const std::string kClient = kSources + "/tests/library/client.c";

TEST_F(Library, ServesAClientOfAllTypes) {
  make("cpu", kTypes, "types");
  must(joined({{CC, "-c", "types.c"}, kWarnings, kSanitizers}));
  must(joined({{CC, "-D_GNU_SOURCE", "-DHEDDLE", "-I.", kClient, "types.o", "-o", "client"},
               kWarnings,
               kSanitizers,
               kLibraries}));
  must({"./client"});

  // Nothing else can collide with what the program that uses the library has.
  ProcessResult symbols = run({"nm", "--defined-only", "--extern-only", "--format=just-symbols", "types.o"});
  std::istringstream lines(symbols.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_TRUE(line.starts_with("futhark_") || line.starts_with("heddle_")) << line;
  }
  EXPECT_GT(count, 100);
}

// The client asks for nothing that Futhark's manual does not promise.
TEST_F(Library, TheClientOfAllTypesWorksWithFuthark) {
  must({FUTHARK, "c", "--library", "-w", kTypes, "-o", folder.path("types")});
  must(joined({{CC, "-D_GNU_SOURCE", "-w", "-O1", "-std=c11", "-I.", kClient, "types.c", "-o", "client"}, kLibraries}));
  must({"./client"});
}

TEST_F(Library, ServesAClientOfAllTypesOnAGpu) {
  make("cuda", kTypes, "types");
  must(joined({{CC, "-D_GNU_SOURCE", "-DHEDDLE", "-I.", kClient, "types.c", "-o", "client"}, kWarnings, kLibraries}));
  must({"./client"}, gpu());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path("cache"))) << "files were written that nobody asked for";
}

// What is particular to CUDA.
TEST_F(Library, CompilesForTheSizesAtHandWhenTold) {
  write("product.fut", R"(
entry main [n] [m] [k] (a: [n][m]f32) (b: [m][k]f32) : [n][k]f32 =
  map (\row -> map (\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a
)");
  write("client.c", R"(
#include <stdlib.h>
#include <string.h>
#include "product.h"
#define DO(call) if ((call) != FUTHARK_SUCCESS) return __LINE__
int cuCtxSetCurrent(void* context);
int cuCtxGetCurrent(void** context);
int main(int argc, char** argv) {
  static float data[64 * 64], back[64 * 64];
  for (int i = 0; i < 64 * 64; i++) data[i] = (float)(i % 7);
  struct futhark_context_config* cfg = futhark_context_config_new();
  if (argc > 1) heddle_context_config_set_specialize_after(cfg, atoi(argv[1]));
  char* program = strdup(futhark_context_config_get_program(cfg));
  if (strstr(program, "main") == NULL) return __LINE__;
  futhark_context_config_set_program(cfg, program);
  free(program);
  futhark_context_config_set_default_tile_size(cfg, 16);
  futhark_context_config_set_device(cfg, "#0");
  futhark_context_config_set_unified_memory(cfg, 2);
  int mine, *current = &mine;
  cuCtxSetCurrent(&mine);
  struct futhark_context* ctx = futhark_context_new(cfg);
  char* error = futhark_context_get_error(ctx);
  if (error != NULL) puts(error);
  if (error != NULL) return __LINE__;
  struct futhark_f32_2d *a = futhark_new_f32_2d(ctx, data, 64, 64), *c;
  CUdeviceptr raw = futhark_values_raw_f32_2d(ctx, a);
  struct futhark_f32_2d* b = futhark_new_raw_f32_2d(ctx, raw, 64, 64);
  DO(futhark_entry_main(ctx, &c, a, b));
  DO(futhark_values_f32_2d(ctx, c, back));
  DO(futhark_context_sync(ctx));
  for (int i = 0; i < 64; i++) {
    for (int j = 0; j < 64; j++) {
      float sum = 0;
      for (int k = 0; k < 64; k++) sum += data[64 * i + k] * data[64 * k + j];
      if (back[64 * i + j] != sum) return __LINE__;
    }
  }
  DO(futhark_free_f32_2d(ctx, b));
  DO(futhark_free_f32_2d(ctx, a));
  DO(futhark_free_f32_2d(ctx, c));
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  cuCtxGetCurrent((void**)&current);
  return current == &mine ? 0 : __LINE__;
}
)");
  make("cuda", "product.fut", "product");
  must(joined({{CC, "-D_GNU_SOURCE", "-std=c11", "-I.", "client.c", "product.c", "-o", "client",
                std::string("-L") + GPU_LIBRARIES, "-l:libcuda.so.1"},
               kLibraries}));
  auto cached = [&] {
    auto files = std::filesystem::directory_iterator(folder.path("cache"));
    return std::distance(begin(files), end(files));
  };
  must({"./client"}, gpu());
  EXPECT_EQ(cached(), 0);
  must({"./client", "-1"}, gpu());
  EXPECT_EQ(cached(), 0);
  must({"./client", "0"}, gpu());
  EXPECT_GE(cached(), 2) << "the kernels, and one for these sizes";
}

// What is current on a thread of the host does not matter, nor which thread calls; and a call that fails leaves nothing
// behind for the next one.
TEST_F(Library, AnyThreadCallsItOnAGpu) {
  write("sums.fut", R"(
entry sums [n] (xs: [n]i32) (most: i32) : []i32 = map (\x -> assert (x < most) (x * 2)) xs
)");
  write("client.c", R"(
#include <pthread.h>
#include <stdlib.h>
#include "sums.h"
int cuCtxGetCurrent(void** context);
static struct futhark_context* ctx;
static struct futhark_i32_1d* x;
static int32_t back[1000];
static void* call(void* most) {
  struct futhark_i32_1d* y;
  void* current = &y;
  if (futhark_entry_sums(ctx, &y, x, *(int32_t*)most) || futhark_context_sync(ctx)) return "failed";
  if (futhark_values_i32_1d(ctx, y, back) || futhark_context_sync(ctx) || futhark_free_i32_1d(ctx, y)) return "lost";
  cuCtxGetCurrent(&current);
  return current == NULL ? NULL : "left something behind";
}
int main(void) {
  int32_t data[1000], most[] = {2000, 500, 2000};
  for (int i = 0; i < 1000; i++) data[i] = i;
  struct futhark_context_config* cfg = futhark_context_config_new();
  ctx = futhark_context_new(cfg);
  x = futhark_new_i32_1d(ctx, data, 1000);
  for (int i = 0; i < 3; i++) {
    pthread_t thread;
    void* problem;
    if (pthread_create(&thread, NULL, call, &most[i]) || pthread_join(thread, &problem)) return __LINE__;
    if ((problem == NULL) != (most[i] > 1000)) return puts(problem == NULL ? "did not fail" : problem), __LINE__;
    char* error = futhark_context_get_error(ctx);
    if ((error == NULL) != (most[i] > 1000)) return __LINE__;
    free(error);
    if (problem == NULL && back[777] != 1554) return __LINE__;
  }
  futhark_free_i32_1d(ctx, x);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return 0;
}
)");
  make("cuda", "sums.fut", "sums");
  must(joined({{CC, "-D_GNU_SOURCE", "-I.", "client.c", "sums.c", "-o", "client", std::string("-L") + GPU_LIBRARIES,
                "-l:libcuda.so.1"},
               kWarnings,
               kLibraries}));
  must({"./client"}, gpu());
}

TEST_F(Library, ReportsThatThereIsNoGpu) {
  write("inc.fut", "entry main (x: i32) = x + 1");
  write("client.c", R"(
#include <stdlib.h>
#include "inc.h"
int main(void) {
  int32_t y = 7;
  struct futhark_context_config* cfg = futhark_context_config_new();
  struct futhark_context* ctx = futhark_context_new(cfg);
  char* error = futhark_context_get_error(ctx);
  puts(error);
  free(error);
  int status = futhark_entry_main(ctx, &y, 1);
  error = futhark_context_get_error(ctx);
  puts(error);
  free(error);
  int synced = futhark_context_sync(ctx);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  printf("%d %d %d\n", status, synced, y);
}
)");
  make("cuda", "inc.fut", "inc");
  must(joined({{CC, "-D_GNU_SOURCE", "-I.", "client.c", "inc.c", "-o", "client"}, kWarnings, kLibraries}));
  ProcessResult result = run({"./client"}, {"PRETENDED_GPU=no device", std::string("LD_PRELOAD=") + PRETENDED_GPU});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "The CUDA driver is installed, but there is no CUDA device.\n"
            "The context could not be set up, so that nothing can be called.\n2 2 7\n");
}

// ---- Header and manifest beside Futhark's. ----

// A declaration without names of parameters and without blanks that mean nothing.
std::string normal(const std::string& declaration) {
  static const std::regex blanks("\\s+"), star("\\s*\\*\\s*"), function("^(.*?)\\((.*)\\)$"),
      named("^\\s*(.*[\\s*])[A-Za-z_]\\w*\\s*$"), around("^\\s+|\\s+$");
  auto trimmed = [&](const std::string& text) { return std::regex_replace(text, around, ""); };
  std::string text = trimmed(std::regex_replace(std::regex_replace(declaration, blanks, " "), star, "*"));
  std::smatch parts;
  if (!std::regex_match(text, parts, function)) return text;
  std::string params;
  std::istringstream in(parts[2]);
  for (std::string param; std::getline(in, param, ',');) {
    std::smatch name;
    if (std::regex_match(param, name, named)) param = name[1];
    params += (params.empty() ? "" : ",") + trimmed(param);
  }
  return fmt::format("{}({})", parts[1].str(), params);
}

// What a header declares, besides what it includes.
std::set<std::string> declarations(const std::string& header) {
  std::set<std::string> found;
  std::istringstream in(header);
  for (std::string part; std::getline(in, part, ';');) {
    if (part.find("futhark_") != std::string::npos || part.find("heddle_") != std::string::npos) {
      found.insert(normal(part));
    }
  }
  return found;
}

std::set<std::string> without(const std::set<std::string>& some, const std::set<std::string>& others) {
  std::set<std::string> left;
  std::set_difference(some.begin(), some.end(), others.begin(), others.end(), std::inserter(left, left.end()));
  return left;
}

struct Comparison {
  std::string backend;          // heddle's
  std::string futhark_backend;  // the one whose API it has
  std::string program;
  std::set<std::string> more, less;  // than Futhark's header declares, as far as the program is concerned
};

std::set<std::string> operator+(std::set<std::string> a, const std::set<std::string>& b) {
  a.insert(b.begin(), b.end());
  return a;
}

class LibraryLikeFutharks : public Library {
 protected:
  // The header without what it includes.
  std::string preprocessed(const std::string& name) const {
    std::istringstream in(read(name));
    std::string text;
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with("#include") && !line.starts_with("#pragma")) text += line + "\n";
    }
    write("header.c", text);
    return run({CC, "-E", "-P", "header.c"}).out;
  }
  std::set<std::string> macros(const std::string& name) const {
    std::set<std::string> found;
    std::istringstream in(read(name));
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("#define ")) found.insert(line);
    }
    return found;
  }
  // But for the names of tuning parameters, which are those of other kernels.
  Json manifest(const std::string& name) const {
    Json json = Json::parse(read(name));
    EXPECT_EQ(json["version"].get<std::string>().substr(0, 7), "0.25.27");
    json.erase("version");
    for (Json& entry : json["entry_points"]) {
      EXPECT_TRUE(entry["tuning_params"].is_array());
      entry.erase("tuning_params");
    }
    return json;
  }

  void compare(const Comparison& c) const {
    SCOPED_TRACE(c.backend + " " + c.program);
    must({FUTHARK, c.futhark_backend, "--library", "-w", c.program, "-o", folder.path("theirs")});
    make(c.backend, c.program, "ours");
    std::set<std::string> theirs = declarations(preprocessed("theirs.h")), ours = declarations(preprocessed("ours.h"));
    std::set<std::string> more =
        c.backend == "cpu"
            ? std::set<std::string>{"void futhark_context_config_set_num_threads(struct futhark_context_config*,int)"}
            : std::set<std::string>{
                  "void heddle_context_config_set_specialize_after(struct futhark_context_config*,int)"};
    EXPECT_EQ(without(ours, theirs), more + c.more);
    EXPECT_EQ(without(theirs, ours), c.less);
    EXPECT_EQ(macros("ours.h"), macros("theirs.h"));
    Json their_manifest = manifest("theirs.json"), our_manifest = manifest("ours.json");
    // An array of several dimensions: what an element of it is.
    for (Json* m : {&their_manifest, &our_manifest}) {
      if ((*m)["types"].contains("[][]point")) (*m)["types"]["[][]point"]["record_array"].erase("elemtype");
    }
    EXPECT_EQ(our_manifest, their_manifest) << Json::diff(their_manifest, our_manifest);
  }
};

TEST_F(LibraryLikeFutharks, DeclaresTheSame) {
  // Futhark takes a row for an element where there are several dimensions.
  auto index = [](const char* element) {
    return fmt::format(
        "int futhark_index_opaque_arr2d_point(struct futhark_context*,struct futhark_opaque_{}**,"
        "struct futhark_opaque_arr2d_point*,int64_t,int64_t)",
        element);
  };
  const std::string programs = kSources + "/tests/programs/";
  for (const auto& [backend, futhark_backend] : {std::pair("cpu", "c"), std::pair("cuda", "cuda")}) {
    compare({backend, futhark_backend, kTypes, {index("point")}, {index("arr1d_point")}});
    for (const char* name : {"opaque_arrays", "sum_type_entry", "tuple_entry", "names_that_are_c_keywords"}) {
      compare({backend, futhark_backend, programs + name + ".fut", {}, {}});
    }
  }
}

TEST_F(LibraryLikeFutharks, NamesTypesTheSame) {
  // Types without names, and with names that C does not have.
  write("names.fut", R"(
type t' = {a': i32, b: bool}
type~ z = #zZ i32 | #Z_
entry primes' (x: t') : {left: t', right: [](i32, {c: u8})} = {left = x, right = [(1, {c = 2})]}
entry zs (x: i32) : z = if x > 0 then #zZ x else #Z_
entry unit (x: i32) : () = ()
entry units (n: i64) : [n]() = replicate n ()
entry deep (x: ((i32, (f32, u8)), [](bool, i8))) = x
)");
  compare({"cpu", "c", folder.path("names.fut"), {}, {}});
}

// Futhark makes names of these that no C compiler accepts.
TEST_F(Library, EncodesAllNames) {
  write("names.fut", "type~ s = #a' i32 | #b\nentry main (x: {c': i32}) : s = #a' x.c'\n");
  make("cpu", "names.fut", "names");
  must(joined({{CC, "-fsyntax-only", "names.c"}, kWarnings}));
  EXPECT_NE(read("names.h").find("int futhark_new_opaque_s_azq(struct futhark_context *ctx, struct futhark_opaque_s "
                                 "**out, const int32_t v0);"),
            std::string::npos);
}

TEST_F(Library, CanBeUsedFromCpp) {
  for (const char* backend : {"cpu", "cuda"}) {
    make(backend, kTypes, "types");
    write("user.cpp", R"(
#include "types.h"
int main() {
  futhark_context_config* cfg = futhark_context_config_new();
  futhark_context* ctx = futhark_context_new(cfg);
  int32_t y = 0;
  int status = futhark_entry_checked(ctx, &y, 3);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return status == FUTHARK_SUCCESS ? y : -1;
}
)");
    must({CXX, "-c", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I.", "user.cpp"});
    // As C sees it, with another declaration of the driver's type before it.
    write("user.c", "typedef unsigned long long CUdeviceptr;\n#include \"types.h\"\n#include \"types.h\"\n");
    EXPECT_TRUE(read("types.h").starts_with("#pragma once\n\n// Generated by Futhark 0.25.27 (heddle "));
    must(joined({{CC, "-c", "-pedantic", "-I.", "user.c"}, kWarnings}));
  }
  must({CC, "-c", "-w", "-O0", "types.c"});
}

// GCC writes the name of what it compiles into assembly as it is.
TEST_F(Library, FilesMayHaveAnyName) {
  for (const char* name : {"quo\"te", "back\\slash", "new\nline"}) {
    SCOPED_TRACE(name);
    write(std::string(name) + ".fut", "entry main (x: i32) = x + 1");
    ProcessResult made = run({HEDDLE, "cpu", std::string(name) + ".fut"}, {"CFLAGS=-O0"});
    EXPECT_EQ(made.exit_code, 0);
    EXPECT_EQ(made.err, "");
    write("input", "3");
    EXPECT_EQ(run({"/bin/sh", "-c", "\"$0\" < input", std::string("./") + name}).out, "4i32\n");
    make("cpu", std::string(name) + ".fut", name);
    made = run({CC, "-c", "-O0", std::string(name) + ".c", "-o", "library.o"});
    EXPECT_EQ(made.exit_code, 0);
    EXPECT_EQ(made.err, "");
  }
}

TEST_F(Library, ForkedChildrenFreeTheirContexts) {
  write("sums.fut", "entry main [n] (x: [n][n]f32) : [n]f32 = map f32.sum x");
  write("client.c", R"(
#include "sums.h"
#include <sys/wait.h>
#include <unistd.h>
static float data[1000 * 1000], sums[1000];
int main(void) {
  struct futhark_context_config* cfg = futhark_context_config_new();
  futhark_context_config_set_num_threads(cfg, 3);
  struct futhark_context* ctx = futhark_context_new(cfg);
  for (int i = 0; i < 1000 * 1000; i++) data[i] = (float)(i % 3);
  struct futhark_f32_2d* x = futhark_new_f32_2d(ctx, data, 1000, 1000);
  struct futhark_f32_1d* y;
  if (futhark_entry_main(ctx, &y, x)) return __LINE__;
  for (int child = 0; child < 2; child++) {
    pid_t pid = fork();
    if (pid == 0) {
      alarm(60);
      if (child == 1 && (futhark_free_f32_1d(ctx, y) || futhark_entry_main(ctx, &y, x))) _exit(1);
      if (futhark_values_f32_1d(ctx, y, sums) || sums[3] != 999) _exit(2);
      futhark_free_f32_1d(ctx, y);
      futhark_free_f32_2d(ctx, x);
      futhark_context_free(ctx);
      futhark_context_config_free(cfg);
      _exit(0);
    }
    int status = -1;
    if (waitpid(pid, &status, 0) != pid || status != 0) return __LINE__;
  }
  futhark_free_f32_1d(ctx, y);
  futhark_free_f32_2d(ctx, x);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return 0;
}
)");
  make("cpu", "sums.fut", "sums");
  must(joined({{CC, "-D_GNU_SOURCE", "-I.", "client.c", "sums.c", "-o", "client"}, kWarnings, kLibraries}));
  must({"./client"});
}

// Nobody who wrote the bytes knows that the arrays of a record have the same size.
TEST_F(Library, ChecksIndicesOfRestoredArraysOfRecords) {
  write("points.fut", "type point = {x: i32, y: i32}\nentry main (n: i64) : [n]point = replicate n {x = 1, y = 2}\n");
  write("client.c", R"(
#include "points.h"
#include <stdlib.h>
#include <string.h>
int main(void) {
  struct futhark_context_config* cfg = futhark_context_config_new();
  struct futhark_context* ctx = futhark_context_new(cfg);
  struct futhark_opaque_arr1d_point *points, *restored;
  struct futhark_opaque_point* point;
  char *stored[2] = {NULL, NULL}, bytes[200];
  size_t sizes[2];
  for (int i = 0; i < 2; i++) {
    if (futhark_entry_main(ctx, &points, 2 + 5 * i)) return __LINE__;
    if (futhark_store_opaque_arr1d_point(ctx, points, (void**)&stored[i], &sizes[i])) return __LINE__;
    futhark_free_opaque_arr1d_point(ctx, points);
  }
  memcpy(bytes, stored[1], sizes[1] / 2);
  memcpy(bytes + sizes[1] / 2, stored[0] + sizes[0] / 2, sizes[0] / 2);
  restored = futhark_restore_opaque_arr1d_point(ctx, bytes);
  if (restored == NULL || futhark_index_opaque_arr1d_point(ctx, &point, restored, 1)) return __LINE__;
  futhark_free_opaque_point(ctx, point);
  if (futhark_index_opaque_arr1d_point(ctx, &point, restored, 6) == FUTHARK_SUCCESS) return __LINE__;
  futhark_free_opaque_arr1d_point(ctx, restored);
  free(stored[0]);
  free(stored[1]);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return 0;
}
)");
  make("cpu", "points.fut", "points");
  must(joined(
      {{CC, "-D_GNU_SOURCE", "-I.", "client.c", "points.c", "-o", "client"}, kWarnings, kSanitizers, kLibraries}));
  must({"./client"});
}

TEST_F(Library, RefusesNamesThatClash) {
  write("clash.fut", "type a = {b_c: i32}\ntype a_b = {c: i32}\nentry f (x: a) : a_b = {c = x.b_c}\n");
  ProcessResult result = run({HEDDLE, "cpu", "--library", "clash.fut"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("heddle: error: two functions of the library would be called "
                            "futhark_project_opaque_a_b_c; give a type, a field or an entry point another name\n"),
            std::string::npos)
      << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path("clash.c")));
}

}  // namespace
