#include "codegen/host/geometry_text.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "codegen/c_expr.h"
#include "codegen/host/c_writer.h"
#include "ir/nest/share.h"
#include "ir/nest/traverse.h"

namespace heddle::codegen::host {

namespace {

using heddle::host::FamilyKernel;

std::string name_of(const std::string& function, size_t kernel) { return fmt::format("{}{}", function, kernel); }

// The bodies of a kernel's functions. Their names are numbered, so that functions that do the same have the same text.
class GeometryText {
 public:
  explicit GeometryText(const FamilyKernel& kernel) {
    for (const FamilyKernel::Chosen& c : kernel.chosen) add_input("value", c.constant, "t->" + c.member);
    for (const Name& n : kernel.sizes) add_input("size", n, fmt::format("((const int64_t *)sizes)[{}]", num_sizes_++));
  }

  // Fills in the members of a struct.
  std::string body(const std::vector<FamilyKernel::Result>& members) const {
    CWriter out(1);
    NameSource names(static_cast<int>(inputs_.size()));
    std::vector<nest::Expr> values;
    nest::NameSet used;
    for (const FamilyKernel::Result& m : members) {
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
    for (size_t i = 0; i < members.size(); ++i) out.line("g->{} = {};", members[i].member, c_expr(shared.values[i]));
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

// Functions by their types and bodies.
class Functions {
 public:
  // Fills in a struct of this type.
  void add(const std::string& type, const std::string& name, const std::string& body, CWriter& out) {
    auto [known, is_new] = known_.emplace(std::pair(type, body), name);
    if (!is_new) {
      out.line("#define {} {}", name, known->second);
      return;
    }
    out.open("static void {}(const void *sizes, const struct hd_tiling *t, struct hd_{} *g)", name, type);
    out.raw(body);
    out.close();
  }

 private:
  std::map<std::pair<std::string, std::string>, std::string> known_;
};

}  // namespace

std::string geometry_text(const std::vector<FamilyKernel>& kernels) {
  CWriter out;
  Functions functions;
  for (size_t i = 0; i < kernels.size(); ++i) {
    GeometryText text(kernels[i]);
    for (const FamilyKernel::Function& f : kernels[i].functions)
      functions.add(f.name, name_of(f.name, i), text.body(f.results), out);
  }
  return out.text();
}

std::string geometry_functions(int kernel, const std::string& sizes) {
  auto number = static_cast<size_t>(kernel);
  return fmt::format("{{{}, {}, {}}}", sizes, name_of("tile_geometry", number), name_of("kernel_geometry", number));
}

}  // namespace heddle::codegen::host
