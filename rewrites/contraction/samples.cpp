#include "rewrites/contraction/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "ir/nest/buffers.h"
#include "ir/nest/eval.h"
#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"
#include "ir/support/error.h"
#include "rewrites/contraction/model_shape.h"
#include "rewrites/contraction/structure.h"
#include "rewrites/nest/compare.h"

namespace heddle::contraction {

namespace {

using nest::Expr;
using poly::Polynomial;
using prim::Type;
using prim::Value;

constexpr size_t kNumSamples = 8;
constexpr int64_t kMostIterations = 16'000;

class Chooser {
 public:
  Chooser(const Derivation& d, size_t number)
      : kernel_(d.direct.kernel), c_(d.direct.contraction), tiling_(d.tiling), in_parts_(d.in_parts), number_(number) {}

  std::optional<Sample> run() {
    // Many indices are small, or evaluation takes long.
    bool many = c_.parallel.size() > 3;
    for (size_t k = 0; k < kernel_.constants.size(); ++k) {
      const Name& name = kernel_.constants[k];
      if (is_of_figures(name)) set(name, many ? pick({2, 1, 1}, k) : pick({2, 1, 3, 1}, k));
    }
    Structure structure = structure_of(c_, kernel_.buffers);
    for (size_t p = 0; p < c_.parallel.size(); ++p) {
      int64_t tile = block_tile(c_.parallel[p].name.base);
      extent(c_.parallel[p], pick({tile + 1, tile - 1, tile, many ? 2 : 7, 1, tile + 1, 0}, p));
    }
    for (size_t r = 0; r < c_.reduction.size(); ++r)
      extent(c_.reduction[r], structure.window[r] ? pick({3, 1, 2, 3}, 0) : pick({3, 1, 5, 2, 0}, r));
    fit_buffers();
    for (const nest::ScalarParam& p : kernel_.scalars) {
      if (values_.contains(p.name)) continue;
      values_.emplace(p.name, p.type == Type::Bool   ? Value::of_bool(number_ % 2 == 0)
                              : prim::is_int(p.type) ? Value::of_int(p.type, pick({1, 2}, 0))
                                                     : Value::of_float(p.type, static_cast<double>(pick({2, -1}, 0))));
    }
    if (iterations() > kMostIterations || !set_tiling()) return std::nullopt;
    if (in_parts_) {
      int64_t parts = pick({3, 3, 2, 2, 1}, 0);
      set(in_parts_->parts, parts);
      set(in_parts_->each, value(in_parts_->extent).value_or(0) / parts);
    }
    for (nest::Rounding rounding : {nest::Rounding::Same, nest::Rounding::InAnyOrder}) {
      if (nest::Expected(kernel_, values_, rounding).problem()) return std::nullopt;
    }
    return values_;
  }

 private:
  int64_t pick(const std::vector<int64_t>& from, size_t shift) const { return from[(number_ + shift) % from.size()]; }

  void set(const Name& name, int64_t value) { values_.emplace(name, Value::i64(value)); }

  // Constants of the steps that the thesis' figures show.
  static bool is_of_figures(const Name& n) { return n.base.starts_with("T_") || n.base.starts_with("R_"); }

  int64_t constant(const std::string& base) const {
    auto found = std::ranges::find(kernel_.constants, base, &Name::base);
    return found == kernel_.constants.end() ? 1 : values_.at(*found).i;
  }

  // The same tiles for the kernel that runs, and chunks and groups for its reduction. False if that has more indices or
  // operands than tilings have room for.
  bool set_tiling() {
    Structure structure = structure_of(c_, kernel_.buffers);
    ModelShape shape(
        shape_of(c_, kernel_.buffers), geometry_of(c_, structure, full_schedule(c_, structure, tiling_)), tiling_,
        [&](const Expr& e) { return value(e).value_or(1); }, 0);
    const hd_contraction& model = shape.contraction();
    if (!hd_tiling_has_room(&model)) return false;
    hd_tiling t{};
    for (int p = 0; p < model.num_parallel; ++p) {
      const std::string& base = c_.parallel[static_cast<size_t>(p)].name.base;
      int64_t threads = constant("T_" + base), warps = threads % 2 == 0 ? 2 : 1;
      t.parallel[p] = {warps, threads / warps, constant("R_" + base), 0};
    }
    for (int r = 0; r < model.num_reduction; ++r) {
      int64_t extent = std::max<int64_t>(model.extents[model.num_parallel + r], 1), odd = pick({0, 1}, 0);
      t.reduction[r].unroll = model.window[r] ? (odd ? 1 : extent) : model.may_overrun[r] ? 1 + odd : 1;
      t.reduction[r].chunk = model.window[r] ? extent : t.reduction[r].unroll * pick({2, 1, 3}, static_cast<size_t>(r));
    }
    t.slices = pick({1, 2, 1}, 0);
    t.result_shared = pick({0, 1}, 1);
    t.stages = pick({2, 3}, 0);
    t.registers = 255;
    hd_tiling_complete(&model, &t);
    t.ahead = hd_tiling_tiles(&model, &t).groups_are_paired;
    std::array<int64_t, HD_MAX_TILING_VALUES> numbers;
    hd_tiling_values(&model, &t, numbers.data());
    std::vector<Name> names = constants_of(tiling_);
    for (size_t i = 0; i < names.size(); ++i) set(names[i], numbers[i]);
    return true;
  }

  int64_t block_tile(const std::string& index) const { return constant("T_" + index) * constant("R_" + index); }

  void extent(const recognize::Index& i, int64_t value) {
    for (const Name& n : nest::free_names(i.extent)) {
      if (!values_.contains(n)) set(n, value);
    }
  }

  std::optional<int64_t> value(const Expr& e) const {
    auto v = nest::evaluate(e, values_);
    return v ? std::optional(v->i) : std::nullopt;
  }

  // About as many as a tiled nest has.
  int64_t iterations() const {
    int64_t product = 1;
    auto times = [&](const recognize::Index& i, int64_t tile) {
      int64_t extent = std::max<int64_t>(value(i.extent).value_or(0), 1);
      bool overflows = __builtin_mul_overflow(product, (extent + tile - 1) / tile * tile, &product);
      if (overflows) product = kMostIterations + 1;
    };
    for (const recognize::Index& i : c_.parallel) times(i, block_tile(i.name.base));
    for (const recognize::Index& i : c_.reduction) times(i, 1);
    return product;
  }

  // Sizes that nothing has determined yet become as large as the indices need.
  void fit_buffers() {
    std::map<Name, int64_t> needed;
    auto need = [&](const Name& buffer, const std::vector<Polynomial>& index) {
      const nest::Buffer& b = nest::buffer_named(kernel_.buffers, buffer);
      for (size_t d = 0; d < index.size(); ++d) {
        const auto* size = std::get_if<nest::Var>(&b.dims[d]->node);
        std::optional<int64_t> last = greatest(index[d]);
        if (size && last && !values_.contains(size->name)) needed[size->name] = std::max(needed[size->name], *last + 1);
      }
    };
    for (const recognize::Operand& o : c_.operands) {
      if (!o.padded) need(o.buffer, o.index);
    }
    auto need_exprs = [&](const Name& buffer, const std::vector<Expr>& index) {
      std::vector<Polynomial> polynomials;
      for (const Expr& e : index) polynomials.push_back(nest::from_expr(e, nest::no_definition).value_or(0));
      need(buffer, polynomials);
    };
    need_exprs(c_.result.buffer, c_.result.index);
    nest::for_each_expr(c_.result.value, [&](const Expr& e) {
      if (const auto* l = std::get_if<nest::Load>(&e->node)) need_exprs(l->buffer, l->index);
    });
    for (const auto& [name, size] : needed) set(name, size);
  }

  // With indices at their ends; nothing where that leaves 64 bits.
  std::optional<int64_t> greatest(const Polynomial& index) const try {
    Polynomial p = index;
    for (const auto* indices : {&c_.parallel, &c_.reduction}) {
      for (const recognize::Index& i : *indices) {
        auto n = value(i.extent);
        auto step = nest::evaluate(nest::to_expr(p.coefficient(i.name)), with_strides());
        if (!n || !step) return std::nullopt;
        p = p.substitute(i.name, step->i > 0 ? *n - 1 : 0);
      }
    }
    auto last = nest::evaluate(nest::to_expr(p), with_strides());
    return last ? std::optional(last->i) : std::nullopt;
  } catch (const Refused&) {
    return std::nullopt;
  }

  // Scalars that are no sizes, such as strides, get their values last, but these.
  Sample with_strides() const {
    Sample s = values_;
    for (const nest::ScalarParam& p : kernel_.scalars) {
      if (p.type == Type::I64 && !s.contains(p.name)) s.emplace(p.name, Value::i64(pick({1, 2}, 0)));
    }
    return s;
  }

  const nest::Kernel& kernel_;
  const recognize::Contraction& c_;
  const Tiling& tiling_;
  const std::optional<InParts>& in_parts_;
  size_t number_;
  Sample values_;
};

}  // namespace

std::vector<Sample> samples(const Derivation& derivation) {
  std::vector<Sample> result;
  for (size_t k = 0; k < kNumSamples; ++k) {
    if (auto sample = Chooser(derivation, k).run()) result.push_back(std::move(*sample));
  }
  return result;
}

std::string to_text(const Sample& sample) {
  std::map<Name, Value> sorted(sample.begin(), sample.end());
  std::string text;
  for (const auto& [name, value] : sorted)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name.text(),
                        value.type == Type::I64 ? std::to_string(value.i) : prim::to_text(value));
  return text;
}

}  // namespace heddle::contraction
