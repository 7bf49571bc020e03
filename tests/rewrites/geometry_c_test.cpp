// The C functions that generated programs have for the geometry of kernels, against the same expressions evaluated.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>

#include "codegen/host/geometry_text.h"
#include "rewrites/contraction/geometry_members.h"
#include "rewrites/host/build.h"
#include "rewrites/recipes/alternatives.h"
#include "tests/rewrites/random_tiling.h"

namespace heddle::contraction {
namespace {

struct Question {
  std::vector<int64_t> sizes;
  hd_tiling tiling;
  hd_tile_geometry tiles;
  hd_kernel_geometry kernel;
};

struct Case {
  std::vector<lower::Specialized> ways;
  std::vector<std::vector<Question>> questions;  // per way
};

// With what the expressions come to, evaluated.
Question random_question(const lower::Specialized& way, const Numbers& numbers) {
  Question q{};
  ModelShape shape(shape_of(way.match, way.launch.kernel.buffers), way.geometry, way.tiling, numbers,
                   way.parts ? 1 : 0);
  for (const Name& n : sizes_of(way.geometry, way.tiling)) {
    q.sizes.push_back(numbers(nest::var(n, prim::Type::I64)));
  }
  q.tiling = random_tiling(shape.contraction());
  const hd_geometry_functions& f = shape.contraction().geometry;
  f.of_tiles(f.sizes, &q.tiling, &q.tiles);
  f.of_kernel(f.sizes, &q.tiling, &q.kernel);
  return q;
}

Case random_case() {
  NameSource names(1);
  examples::RandomContraction random = examples::random_contraction(names);
  auto ways = lower::alternatives(random.match, random.direct, lower::Products::AsWritten, names);
  RC_PRE(static_cast<bool>(ways));
  Case c{std::move(*ways), {}};
  for (const lower::Specialized& way : c.ways) {
    Numbers numbers = random_numbers(random, way);
    std::vector<Question>& questions = c.questions.emplace_back();
    for (int i = 0; i < 5; ++i) questions.push_back(random_question(way, numbers));
  }
  return c;
}

// Compiled, with a table `functions` at the end.
class Compiled {
 public:
  explicit Compiled(const std::vector<host::FamilyKernel>& kernels)
      : folder_(testing::TempDir() + "heddle_geometry_" + std::to_string(getpid())) {
    std::filesystem::create_directory(folder_);
    std::ofstream file(folder_ + "/geometry.c");
    for (const char* header : {"contraction/kernel_geometry", "device/prelude", "device/scalar_int"}) {
      file << "#include \"" HEDDLE_SOURCE_DIR "/runtime/" << header << ".h\"\n";
    }
    file << codegen::host::geometry_text(kernels) << "extern const struct hd_geometry_functions functions[];\n"
         << "const struct hd_geometry_functions functions[] = {\n";
    for (size_t i = 0; i < kernels.size(); ++i) {
      file << codegen::host::geometry_functions(static_cast<int>(i), "0") << ",\n";
    }
    file << "};\n";
    file.close();
    std::string command =
        HEDDLE_CC " -std=gnu11 -O0 -Wall -Wextra -Wno-unused-parameter -Werror -shared -fPIC -I" HEDDLE_SOURCE_DIR " " +
        folder_ + "/geometry.c -o " + folder_ + "/geometry.so";
    EXPECT_EQ(std::system(command.c_str()), 0);
    library_ = dlopen((folder_ + "/geometry.so").c_str(), RTLD_NOW);
  }
  ~Compiled() {
    if (library_ != nullptr) dlclose(library_);
    std::filesystem::remove_all(folder_);
  }
  Compiled(const Compiled&) = delete;

  const hd_geometry_functions* functions() const {
    return library_ == nullptr ? nullptr : static_cast<const hd_geometry_functions*>(dlsym(library_, "functions"));
  }

 private:
  std::string folder_;
  void* library_ = nullptr;
};

template <class Struct>
bool same(const Struct& a, const Struct& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(GeometryText, ComputesWhatTheExpressionsSay) {
  std::deque<Case> cases;  // which stay where they are
  ASSERT_TRUE(rc::check([&] {
    // As many as a C compiler takes little time for.
    if (cases.size() < 30) cases.push_back(random_case());
  }));
  std::vector<host::FamilyKernel> kernels;
  for (const Case& c : cases) {
    for (const lower::Specialized& way : c.ways) kernels.push_back(host::family_kernel(way, ""));
  }
  ASSERT_GT(kernels.size(), 30U);
  Compiled compiled(kernels);
  const hd_geometry_functions* f = compiled.functions();
  ASSERT_NE(f, nullptr);
  for (const Case& c : cases) {
    for (size_t w = 0; w < c.ways.size(); ++w, ++f) {
      for (const Question& q : c.questions[w]) {
        hd_tile_geometry tiles{};
        hd_kernel_geometry kernel{};
        f->of_tiles(q.sizes.data(), &q.tiling, &tiles);
        f->of_kernel(q.sizes.data(), &q.tiling, &kernel);
        EXPECT_TRUE(same(tiles, q.tiles)) << recognize::to_text(c.ways[w].match);
        EXPECT_TRUE(same(kernel, q.kernel)) << recognize::to_text(c.ways[w].match);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::contraction
