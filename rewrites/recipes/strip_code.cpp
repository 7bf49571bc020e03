#include "rewrites/recipes/strip_code.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/nest/divisions_last.h"
#include "rewrites/nest/split_indices.h"
#include "rewrites/points/index_code.h"

namespace heddle::lower {

using nest::Expr;

namespace {

// Each point of a strip takes registers and text for its operations. The dear ones are loops or branches, so that points written out
// beside each other do not overlap, while their registers leave room for fewer threads.
constexpr int64_t kMostOperations = 512, kDear = 48;

struct Redirect : nest::Rebuilder<Redirect> {
  const Places& places;

  explicit Redirect(const Places& places) : places(places) {}

  static std::vector<Expr> index(const Place& place, const std::vector<Expr>& element) {
    if (place.fixed) return *place.fixed;
    if (place.is_of_layers) return {element[0]};
    if (place.kept) return index_in(*place.kept, element[element.size() - 2], element.back());
    std::vector<Expr> result = place.before;
    for (size_t d = 0; d < place.base.size(); ++d) {
      const Expr at = nest::sub(element[d], place.base[d]);
      const bool is_point = d < place.tori.size() && place.tori[d] && !mentions_any(element[d], place.tori[d]->places);
      result.push_back(is_point ? in_tile(at, *place.tori[d]) : at);
    }
    return result;
  }
  static bool mentions_any(const Expr& e, const nest::NameSet& names) {
    return std::ranges::any_of(nest::free_names(e), [&](const Name& n) { return names.contains(n); });
  }
  // The element itself, or where the tile has it beyond one of the borders. The tile begins less than the image's extent away from the
  // element, but for what it has in front of the image, which its room holds twice or which is not asked for.
  static Expr in_tile(const Expr& at, const Torus& torus) {
    return nest::select(nest::less(at, i64(0)), nest::add(at, torus.extent),
                        nest::select(nest::less(at, i64(torus.room)), at, nest::sub(at, torus.extent)));
  }
  void expr(Expr& e) {
    Rebuilder::expr(e);
    const auto* load = std::get_if<nest::Load>(&e->node);
    auto it = load ? places.find(load->buffer) : places.end();
    if (it != places.end()) e = nest::load(it->second.buffer, e->type, index(it->second, load->index));
  }
  void stmts(const nest::Stmt& s, nest::Block& out) {
    Rebuilder::stmts(s, out);
    const auto* store = std::get_if<nest::Store>(&out.back()->node);
    auto it = store ? places.find(store->buffer) : places.end();
    if (it != places.end())
      out.back() = nest::stmt(nest::Store{it->second.buffer, index(it->second, store->index), store->value});
  }
};

// Buffers for a stage's results.
std::vector<nest::Buffer> registers(const StageCode& stage, const std::vector<Expr>& dims, NameSource& names,
                                    nest::Block& code) {
  std::vector<nest::Buffer> values;
  for (size_t k = 0; k < stage.results.size(); ++k) {
    values.push_back(
        {names.fresh(stage.arrays[k]), element_type(stage, k), nest::Space::Register, dims, nest::dense_strides(dims)});
    code.push_back(nest::stmt(nest::Alloc{values[k]}));
  }
  return values;
}

Places in_registers(const StageCode& stage, const std::vector<nest::Buffer>& values, const std::vector<Expr>& at) {
  Places places;
  for (size_t k = 0; k < values.size(); ++k) places.emplace(stage.results[k], Place{values[k].name, {}, at});
  return places;
}

void store(const nest::Buffer& value, const std::vector<Expr>& at, const std::vector<Element>& where,
           nest::Block& stores) {
  for (const Element& to : where) {
    nest::Stmt s = nest::stmt(nest::Store{to.buffer, to.index, nest::load(value.name, value.elem, at)});
    stores.push_back(to.only_if ? nest::stmt(nest::If{*to.only_if, {std::move(s)}, {}}) : std::move(s));
  }
}

void for_each_row(int64_t rows, NameSource& names, nest::Block& code,
                  const std::function<nest::Block(const Expr& row)>& of_row) {
  Name row = names.fresh("row");
  nest::Block body = nest::split_indices(of_row(nest::var(row, prim::Type::I64)), row);
  code.push_back(nest::stmt(nest::For{row, i64(rows), nest::Role::Unrolled, std::move(body)}));
}

// Points that divide do not wait for each other so.
void compute_each_row(int64_t rows, const std::vector<nest::Buffer>& values, NameSource& names, nest::Block& code,
                      const std::function<nest::Block(const Expr& row)>& of_row) {
  for_each_row(rows, names, code, of_row);
  const nest::Block computed = nest::divisions_last(code.back(), values, names);
  code.pop_back();
  code.insert(code.end(), computed.begin(), computed.end());
}

nest::Stmt for_each_layer(int64_t layers, nest::Role role, NameSource& names,
                          const std::function<nest::Block(const Expr& layer)>& of_layer) {
  Name layer = names.fresh("layer");
  return nest::stmt(nest::For{layer, i64(layers), role, of_layer(nest::var(layer, prim::Type::I64))});
}

void compute_layers(const StageCode& stage, int64_t rows, int64_t layers, const std::vector<nest::Buffer>& values,
                    const std::function<nest::Block(const Expr&, const EachLayer&)>& compute, NameSource& names,
                    nest::Block& code) {
  compute_each_row(rows, values, names, code, [&](const Expr& row) {
    return compute(row, [&](const std::function<nest::Block(const Expr&, const Places&)>& point) {
      return for_each_layer(layers, nest::Role::Unrolled, names, [&](const Expr& layer) {
        return point(layer, in_registers(stage, values, {row, layer}));
      });
    });
  });
}

}  // namespace

std::vector<Expr> index_in(const RowsKept& kept, const Expr& row, const Expr& column) {
  Expr number = nest::sub(row, kept.first_row);
  if (!kept.first_column) return {number};
  const Expr turn = nest::operation(prim::Op(prim::Family::And, prim::Type::I64), {number, i64(kept.rows - 1)});
  return {turn, nest::sub(column, kept.first_column)};
}

nest::Block redirected(const nest::Block& code, const Places& places) {
  nest::Block result = code;
  Redirect(places).body(result);
  return result;
}

int64_t most_rows(const StageCode& stage, int64_t most) {
  int64_t operations = std::max<int64_t>(1, stage.operations + kDear * stage.dear_operations);
  return std::clamp<int64_t>(kMostOperations / operations, 1, most);
}

prim::Type element_type(const StageCode& stage, size_t result) {
  return std::ranges::find(stage.launch.kernel.buffers, stage.results[result], &nest::Buffer::name)->elem;
}

nest::Block computed_and_stored(const StageCode& stage, int64_t rows,
                                const std::function<nest::Block(const Expr&, const Places&)>& compute,
                                const std::function<std::vector<Element>(size_t, const Expr&)>& where,
                                NameSource& names, const std::function<Expr(const Expr&)>& is_stored) {
  nest::Block code;
  const std::vector<nest::Buffer> values = registers(stage, {i64(rows)}, names, code);
  compute_each_row(rows, values, names, code,
                   [&](const Expr& row) { return compute(row, in_registers(stage, values, {row})); });
  for_each_row(rows, names, code, [&](const Expr& row) {
    nest::Block stores;
    for (size_t k = 0; k < values.size(); ++k) store(values[k], {row}, where(k, row), stores);
    return is_stored ? nest::Block{nest::stmt(nest::If{is_stored(row), std::move(stores), {}})} : stores;
  });
  return code;
}

nest::Block computed_and_stored(const StageCode& stage, int64_t rows, int64_t layers,
                                const std::function<nest::Block(const Expr&, const EachLayer&)>& compute,
                                const std::function<std::vector<Element>(size_t, const Expr&, const Expr&)>& where,
                                NameSource& names, const std::function<Expr(const Expr&)>& is_stored) {
  nest::Block code;
  const std::vector<nest::Buffer> values = registers(stage, {i64(rows), i64(layers)}, names, code);
  compute_layers(stage, rows, layers, values, compute, names, code);
  for_each_row(rows, names, code, [&](const Expr& row) {
    nest::Block stores = {for_each_layer(layers, nest::Role::Unrolled, names, [&](const Expr& layer) {
      nest::Block of_point;
      for (size_t k = 0; k < values.size(); ++k) store(values[k], {row, layer}, where(k, row, layer), of_point);
      return of_point;
    })};
    return is_stored ? nest::Block{nest::stmt(nest::If{is_stored(row), std::move(stores), {}})} : stores;
  });
  return code;
}

nest::Block computed_and_stored_at_once(const StageCode& stage, int64_t rows, int64_t columns,
                                        const std::function<nest::Block(const Expr&, const EachLayer&)>& compute,
                                        const std::function<Element(size_t, const Expr&, const Expr&)>& where,
                                        NameSource& names) {
  nest::Block code;
  const std::vector<nest::Buffer> values = registers(stage, {i64(rows), i64(columns)}, names, code);
  compute_layers(stage, rows, columns, values, compute, names, code);
  for_each_row(rows, names, code, [&](const Expr& row) {
    nest::Block stores;
    for (size_t k = 0; k < values.size(); ++k) {
      stores.push_back(for_each_layer(columns, nest::Role::Vector, names, [&](const Expr& column) {
        nest::Block of_point;
        store(values[k], {row, column}, {where(k, row, column)}, of_point);
        return of_point;
      }));
    }
    return stores;
  });
  return code;
}

}  // namespace heddle::lower
