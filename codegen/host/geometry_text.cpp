#include "codegen/host/geometry_text.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "codegen/c_expr.h"
#include "codegen/host/c_writer.h"
#include "ir/nest/share.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/geometry_members.h"

namespace heddle::codegen::host {

namespace {

using contraction::Member;

std::string tiles_function(size_t kernel) { return fmt::format("tile_geometry{}", kernel); }
std::string kernel_function(size_t kernel) { return fmt::format("kernel_geometry{}", kernel); }

// The bodies of a kernel's functions. Their names are numbered, so that functions that do the same have the same text.
class GeometryText {
 public:
  explicit GeometryText(const lower::Specialized& way) {
    hd_tiling tiling;
    for (const Member& m : contraction::tiling_members(way.tiling, tiling)) {
      add_input("value", std::get<nest::Var>(m.value->node).name, "t->" + m.text);
    }
    for (const Name& n : contraction::sizes_of(way.geometry, way.tiling)) {
      add_input("size", n, fmt::format("((const int64_t *)sizes)[{}]", num_sizes_++));
    }
  }

  // Fills in the members of a struct.
  std::string body(const std::vector<Member>& members) const {
    CWriter out(1);
    NameSource names(static_cast<int>(inputs_.size()));
    std::vector<nest::Expr> values;
    nest::NameSet used;
    for (const Member& m : members) {
      values.push_back(nest::substitute(renamed_, m.value));
      used.merge(nest::free_names(values.back()));
    }
    for (const auto& [name, text] : inputs_) {
      if (used.contains(name)) out.line("const int64_t {} = {};", c_name(name), text);
    }
    nest::Shared shared = nest::share(values, names);
    for (const nest::Let& l : shared.lets) {
      out.line("const {} {} = {};", prim::c_type(l.value->type), c_name(l.name), c_expr(l.value));
    }
    for (size_t i = 0; i < members.size(); ++i) out.line("g->{} = {};", members[i].text, c_expr(shared.values[i]));
    return out.text();
  }

 private:
  void add_input(const std::string& base, const Name& name, std::string text) {
    Name numbered{base, static_cast<int>(inputs_.size())};
    renamed_.emplace(name, nest::var(numbered, prim::Type::I64));
    inputs_.emplace_back(numbered, std::move(text));
  }

  std::vector<std::pair<Name, std::string>> inputs_;
  nest::Substitution renamed_;
  int num_sizes_ = 0;
};

// Functions by their bodies.
class Functions {
 public:
  explicit Functions(const char* type) : type_(type) {}

  void add(const std::string& name, const std::string& body, CWriter& out) {
    auto [known, is_new] = known_.emplace(body, name);
    if (!is_new) {
      out.line("#define {} {}", name, known->second);
      return;
    }
    out.open("static void {}(const void *sizes, const struct hd_tiling *t, struct {} *g)", name, type_);
    out.raw(body);
    out.close();
  }

 private:
  const char* type_;
  std::map<std::string, std::string> known_;
};

}  // namespace

std::string geometry_text(const Survey& survey) {
  CWriter out;
  Functions of_tiles("hd_tile_geometry"), of_kernels("hd_kernel_geometry");
  for (size_t i = 0; i < survey.ways.size(); ++i) {
    GeometryText text(*survey.ways[i]);
    hd_tile_geometry tiles;
    of_tiles.add(tiles_function(i), text.body(contraction::tile_members(survey.ways[i]->geometry, tiles)), out);
    hd_kernel_geometry kernel;
    of_kernels.add(kernel_function(i), text.body(contraction::kernel_members(survey.ways[i]->geometry, kernel)), out);
  }
  return out.text();
}

std::string geometry_functions(int kernel, const std::string& sizes) {
  auto number = static_cast<size_t>(kernel);
  return fmt::format("{{{}, {}, {}}}", sizes, tiles_function(number), kernel_function(number));
}

}  // namespace heddle::codegen::host
