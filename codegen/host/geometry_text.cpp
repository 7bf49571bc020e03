#include "codegen/host/geometry_text.h"

#include <fmt/format.h>

#include <algorithm>

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

class GeometryText {
 public:
  GeometryText(const lower::Specialized& way, CWriter& out)
      : out_(out),
        constants_(contraction::tiling_members(way.tiling, tiling_)),
        sizes_(contraction::sizes_of(way.geometry, way.tiling)) {}

  // Fills in the members of a struct.
  void function(const std::string& name, const char* type, const std::vector<Member>& members) {
    out_.open("static void {}(const void *context, const struct hd_tiling *t, struct {} *g)", name, type);
    nest::NameSet used;
    int next_tag = 0;
    std::vector<nest::Expr> values;
    for (const Member& m : members) {
      values.push_back(m.value);
      for (const nest::Name& n : nest::free_names(m.value)) {
        next_tag = std::max(next_tag, n.tag + 1);
        used.insert(n);
      }
    }
    out_.line("const int64_t *sizes = context;");
    for (size_t i = 0; i < sizes_.size(); ++i) {
      if (used.contains(sizes_[i])) out_.line("const int64_t {} = sizes[{}];", c_name(sizes_[i]), i);
    }
    for (const Member& m : constants_) {
      const nest::Name& constant = std::get<nest::Var>(m.value->node).name;
      if (used.contains(constant)) out_.line("const int64_t {} = t->{};", c_name(constant), m.text);
    }
    seg::NameSource names(next_tag);
    nest::Shared shared = nest::share(values, names);
    for (const nest::Let& l : shared.lets) {
      out_.line("const {} {} = {};", prim::c_type(l.value->type), c_name(l.name), c_expr(l.value));
    }
    for (size_t i = 0; i < members.size(); ++i) out_.line("g->{} = {};", members[i].text, c_expr(shared.values[i]));
    out_.close();
  }

 private:
  CWriter& out_;
  hd_tiling tiling_{};
  std::vector<Member> constants_;
  std::vector<nest::Name> sizes_;
};

}  // namespace

std::string geometry_text(const Survey& survey) {
  CWriter out;
  for (size_t i = 0; i < survey.ways.size(); ++i) {
    const lower::Specialized& way = *survey.ways[i];
    GeometryText text(way, out);
    hd_tile_geometry tiles;
    text.function(tiles_function(i), "hd_tile_geometry", contraction::tile_members(way.geometry, tiles));
    out.blank();
    hd_kernel_geometry kernel;
    text.function(kernel_function(i), "hd_kernel_geometry", contraction::kernel_members(way.geometry, kernel));
    out.blank();
  }
  return out.text();
}

std::string geometry_functions(int kernel, const std::string& sizes) {
  auto number = static_cast<size_t>(kernel);
  return fmt::format("{{{}, {}, {}}}", sizes, tiles_function(number), kernel_function(number));
}

}  // namespace heddle::codegen::host
