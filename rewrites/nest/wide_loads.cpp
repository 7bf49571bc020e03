#include "rewrites/nest/wide_loads.h"

#include <algorithm>
#include <optional>

#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

constexpr int64_t kWidestAccess = 16;  // bytes

// What the statement does if it reads an element and nothing else.
const Load* load_of(const Stmt& s) {
  const auto* let = std::get_if<Let>(&s->node);
  return let ? std::get_if<Load>(&let->value->node) : nullptr;
}

// The statement that reads the buffer there, in its row `row` where that is not null.
std::optional<size_t> load_at(const Block& block, const Name& buffer, const Name& place, const Load* row) {
  for (size_t s = 0; s < block.size(); ++s) {
    const Load* load = load_of(block[s]);
    if (!load || load->buffer != buffer) continue;
    const auto* at = std::get_if<Var>(&load->index.back()->node);
    auto is_of_row = [&] {
      return std::equal(load->index.begin(), load->index.end() - 1, row->index.begin(), row->index.end() - 1,
                        [](const Expr& a, const Expr& b) { return equal(a, b); });
    };
    if (at && at->name == place && (!row || is_of_row())) return s;
  }
  return std::nullopt;
}

}  // namespace

Block wide_loads(const Block& block, const std::vector<Name>& places, const std::vector<Buffer>& readable,
                 NameSource& names) {
  Block out = block;
  const auto count = static_cast<int64_t>(places.size());
  for (const Buffer& b : readable) {
    std::vector<size_t> loads;
    for (const Name& place : places) {
      const Load* row = loads.empty() ? nullptr : load_of(out[loads[0]]);
      if (auto at = load_at(out, b.name, place, row)) loads.push_back(*at);
    }
    const int64_t width = std::min(count, kWidestAccess / prim::size_bytes(b.elem));
    if (loads.size() != places.size() || !std::ranges::is_sorted(loads) || count % width != 0) continue;
    std::vector<Expr> index = load_of(out[loads[0]])->index;
    Buffer wide{names.fresh("wide"), b.elem, Space::Register, {constant(count)}, {constant(int64_t{1})}};
    for (size_t k = 0; k < loads.size(); ++k) {
      const auto& let = std::get<Let>(out[loads[k]]->node);
      out[loads[k]] = stmt(Let{let.name, load(wide.name, b.elem, {constant(static_cast<int64_t>(k))})});
    }
    Block filling = {stmt(Alloc{wide})};
    for (int64_t first = 0; first < count; first += width) {
      Name e = names.fresh("e");
      Expr at = add(constant(first), var(e, prim::Type::I64));
      index.back() = add(var(places[0], prim::Type::I64), at);
      filling.push_back(
          stmt(For{e, constant(width), Role::Vector, {stmt(Store{wide.name, {at}, load(b.name, b.elem, index)})}}));
    }
    out.insert(out.begin() + static_cast<long>(loads[0]), filling.begin(), filling.end());
  }
  return out;
}

}  // namespace heddle::nest
