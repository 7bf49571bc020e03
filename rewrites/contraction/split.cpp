#include "rewrites/contraction/split.h"

#include <algorithm>

#include "ir/nest/buffers.h"
#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/direct_nest.h"
#include "rewrites/contraction/statement_writer.h"

namespace heddle::contraction {

using nest::Block;
using nest::Buffer;
using nest::Expr;
using nest::stmt;
using poly::Polynomial;

namespace {

// Sums of parts whose loads do not wait for each other.
constexpr int64_t kAtOnce = 16;
// Windows that are known to have less steps have results enough.
constexpr int64_t kLong = 256;

// What is added to `name` in an index in which it is one summand.
Polynomial rest_of(const Polynomial& index, const Name& name) { return index - Polynomial::of(name); }

// Whether no operand is the same for all points, as a filter's taps are, of which there are enough points.
bool all_differ_by_point(const recognize::Contraction& c) {
  return std::ranges::all_of(c.operands, [&](const recognize::Operand& o) {
    return std::ranges::any_of(c.parallel, [&](const recognize::Index& p) {
      return std::ranges::any_of(o.index, [&](const Polynomial& i) { return i.mentions(p.name); });
    });
  });
}

// Whether points differ by more than where in the window along this index they are: sums of one window each are split by their other version.
bool differ_beside_window(const recognize::Contraction& c, const recognize::Index& index) {
  return std::ranges::any_of(c.parallel, [&](const recognize::Index& p) {
    return std::ranges::none_of(c.operands, [&](const recognize::Operand& o) {
      return std::ranges::any_of(o.index,
                                 [&](const Polynomial& i) { return i.mentions(index.name) && i.mentions(p.name); });
    });
  });
}

bool can_be_split(const recognize::Contraction& c, const std::vector<Buffer>& buffers, const recognize::Index& index) {
  if (nest::free_names(c.term).contains(index.name)) return false;
  for (const recognize::Operand& o : c.operands) {
    const Buffer& b = nest::buffer_named(buffers, o.buffer);
    int dimensions = 0;
    for (size_t d = 0; d < o.index.size(); ++d) {
      if (!o.index[d].mentions(index.name)) continue;
      ++dimensions;
      if (rest_of(o.index[d], index.name).mentions(index.name)) return false;
      const bool is_window = o.index[d].as_name() != index.name;
      const bool is_short = nest::int_constant(index.extent).value_or(kLong) < kLong;
      if (is_window && (is_short || !all_differ_by_point(c) || !differ_beside_window(c, index))) return false;
      // What is zero behind the end of an array is not behind the end of the last part.
      if (o.padded && (o.index[d].as_name() != index.name || !nest::equal(b.dims[d], index.extent))) return false;
    }
    if (dimensions > 1 || (dimensions > 0 && b.strides.empty())) return false;
  }
  return true;
}

Block loop(const Name& index, Expr extent, nest::Role role, Block body) {
  return {stmt(nest::For{index, std::move(extent), role, std::move(body)})};
}

struct PartIndices {
  Name part, parts, within, each;
  Polynomial start() const { return Polynomial::of(part) * Polynomial::of(each); }
  Polynomial whole() const { return start() + Polynomial::of(within); }
};

// What the contraction reads at part * each + within is seen in two dimensions.
Viewed seen_in_parts(const recognize::Contraction& c, const std::vector<Buffer>& buffers, const PartIndices& index,
                     NameSource& names) {
  Viewed seen{c, {}};
  auto put_two = [](auto& list, size_t d, auto one, auto two) {
    list[d] = std::move(two);
    list.insert(list.begin() + static_cast<long>(d), std::move(one));
  };
  for (recognize::Operand& o : seen.contraction.operands) {
    auto in_part = [&](const Polynomial& p) { return p.mentions(index.part); };
    auto d = static_cast<size_t>(std::ranges::find_if(o.index, in_part) - o.index.begin());
    if (d == o.index.size()) continue;
    Buffer b = nest::buffer_named(buffers, o.buffer);
    Expr stride = b.strides[d];
    b.name = names.fresh(b.name.base);
    const Polynomial within = o.index[d] - index.start();
    // Of a window that slides along the dimension each part has as much as the last one.
    Expr length = within.as_name() == index.within ? index_of(index.each)
                                                   : nest::sub(nest::add(b.dims[d], index_of(index.each)),
                                                               nest::mul(index_of(index.parts), index_of(index.each)));
    put_two(b.dims, d, index_of(index.parts), std::move(length));
    put_two(b.strides, d, nest::mul(index_of(index.each), stride), stride);
    put_two(o.index, d, Polynomial::of(index.part), within);
    seen.views.push_back({b, o.buffer});
    o.buffer = b.name;
  }
  return seen;
}

void append(Block& to, const Block& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace

Result<size_t> index_to_split(const recognize::Contraction& c, const std::vector<Buffer>& buffers) {
  std::optional<size_t> best;
  int64_t longest = 0;
  for (size_t r = 0; r < c.reduction.size(); ++r) {
    if (!can_be_split(c, buffers, c.reduction[r])) continue;
    // What is known at run time only is taken to be longer.
    int64_t extent = nest::int_constant(c.reduction[r].extent).value_or(INT64_MAX);
    if (extent <= longest) continue;
    longest = extent;
    best = r;
  }
  if (!best) return unsupported("no index of the reduction is a summand of its own in its dimensions");
  return *best;
}

Split split(const recognize::Contraction& c, const std::vector<Buffer>& buffers, size_t index, const Name& parts,
            const Name& each, NameSource& names) {
  Name part = names.fresh("part"), within = names.fresh(c.reduction[index].name.base);
  PartIndices in_parts{part, parts, within, each};
  const recognize::Index& whole = c.reduction[index];
  Split s{c, {c, {}}, {}, {}};
  recognize::Contraction& first = s.first;
  for (recognize::Operand& o : first.operands) {
    for (Polynomial& p : o.index) p = p.substitute(whole.name, in_parts.whole());
  }
  first.parallel.insert(first.parallel.begin(), {part, index_of(parts)});
  first.reduction[index] = {within, index_of(each)};
  s.seen = seen_in_parts(first, buffers, in_parts, names);
  s.partial = {names.fresh("partial"), c.neutral.type, nest::Space::Global, {}, {}};
  std::vector<Expr> at;
  for (const recognize::Index& p : first.parallel) {
    s.partial.dims.push_back(p.extent);
    at.push_back(index_of(p.name));
  }
  s.partial.strides = nest::dense_strides(s.partial.dims);
  first.result = s.seen.contraction.result = {s.partial.name, at, nest::var(c.sum, c.neutral.type)};

  Buffer acc{names.fresh("acc"), c.neutral.type, nest::Space::Register, {}, {}};
  Expr sum = nest::load(acc.name, acc.elem, {});
  auto reduce = [&](const Expr& value) {
    return stmt(nest::Store{acc.name, {}, nest::operation(c.reduce, {sum, value})});
  };
  auto partial = [&](const Expr& number) {
    at[0] = number;
    return reduce(nest::load(s.partial.name, s.partial.elem, at));
  };
  s.second = {stmt(nest::Alloc{acc}), stmt(nest::Store{acc.name, {}, nest::constant(c.neutral)})};
  Expr at_once = nest::constant(kAtOnce), rounds = nest::div(index_of(parts), at_once);
  Name round = names.fresh("round"), member = names.fresh("member"), last = names.fresh("last");
  append(s.second, loop(round, rounds, nest::Role::Serial,
                        loop(member, at_once, nest::Role::Unrolled,
                             {partial(nest::add(nest::mul(index_of(round), at_once), index_of(member)))})));
  append(s.second, loop(last, nest::mod(index_of(parts), at_once), nest::Role::Serial,
                        {partial(nest::add(nest::mul(rounds, at_once), index_of(last)))}));

  // The rest, that no part has.
  Name rest = names.fresh("rest");
  Polynomial done = Polynomial::of(parts) * Polynomial::of(each);
  nest::Substitution values;
  for (recognize::Operand o : c.operands) {
    for (Polynomial& p : o.index) p = p.substitute(whole.name, done + Polynomial::of(rest));
    values.emplace(o.value, element(o, nest::buffer_named(buffers, o.buffer)));
  }
  Block body = {reduce(nest::substitute(values, c.term))};
  for (size_t r = c.reduction.size(); r-- > 0;) {
    body = r == index ? loop(rest, nest::sub(whole.extent, nest::to_expr(done)), nest::Role::Serial, std::move(body))
                      : loop(c.reduction[r].name, c.reduction[r].extent, nest::Role::Serial, std::move(body));
  }
  append(s.second, body);
  s.second.push_back(stmt(nest::Let{c.sum, sum}));
  s.second.push_back(stmt(c.result));
  return s;
}

}  // namespace heddle::contraction
