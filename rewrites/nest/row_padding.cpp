#include "rewrites/nest/row_padding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

using prim::Family;

constexpr int64_t kBankBytes = 4, kBanks = 32;
constexpr double kRounds = 8;         // of a loop, about
constexpr int64_t kLargestShare = 4;  // of a row of known length, what padding may be at most

// What a buffer's index grows by, in each dimension, from a thread to its neighbour.
struct Access {
  std::vector<int64_t> growth;
  double times;
};

bool has_rows(const Buffer& b) {
  int64_t bytes = prim::size_bytes(b.elem);
  return b.space == Space::Shared && b.dims.size() > 1 && (bytes == kBankBytes || bytes == 2 * kBankBytes);
}

class FindAccesses : public Walker<FindAccesses> {
 public:
  explicit FindAccesses(const Name& thread) { growth_.emplace(thread, 1); }

  void stmt(const Stmt& s) {
    if (const auto* alloc = std::get_if<Alloc>(&s->node); alloc && has_rows(alloc->buffer))
      buffers.emplace(alloc->buffer.name, alloc->buffer);
    if (const auto* store = std::get_if<Store>(&s->node)) access(store->buffer, store->index);
    bool is_loop = std::holds_alternative<For>(s->node) || std::holds_alternative<While>(s->node);
    if (is_loop) times_ *= kRounds;
    Walker::stmt(s);
    if (is_loop) times_ /= kRounds;
    if (const auto* let = std::get_if<Let>(&s->node)) growth_.emplace(let->name, growth(let->value));
  }

  void expr(const Expr& e) {
    if (const auto* load = std::get_if<Load>(&e->node)) access(load->buffer, load->index);
    Walker::expr(e);
  }

  std::unordered_map<Name, Buffer> buffers;
  std::unordered_map<Name, std::vector<Access>> accesses;

 private:
  void access(const Name& buffer, const std::vector<Expr>& index) {
    if (!buffers.contains(buffer)) return;
    Access a{{}, times_};
    for (const Expr& i : index) {
      std::optional<int64_t> by = growth(i);
      if (!by) return;
      a.growth.push_back(*by);
    }
    accesses[buffer].push_back(std::move(a));
  }

  // As if no number wrapped around, since it is only about what is quick. Nothing where it is not the same for all threads.
  std::optional<int64_t> growth(const Expr& e) const {
    if (std::holds_alternative<Const>(e->node)) return 0;
    if (const auto* v = std::get_if<Var>(&e->node)) {
      auto it = growth_.find(v->name);
      return it == growth_.end() ? 0 : it->second;
    }
    if (const auto* load = std::get_if<Load>(&e->node)) return load->index.empty() ? std::nullopt : same(load->index);
    if (const auto* call = std::get_if<Call>(&e->node)) return same(call->args);
    const auto* o = std::get_if<Operation>(&e->node);
    return o ? growth(*o) : std::nullopt;
  }

  std::optional<int64_t> same(const std::vector<Expr>& args) const {
    bool all = std::ranges::all_of(args, [&](const Expr& a) { return growth(a) == 0; });
    return all ? std::optional<int64_t>(0) : std::nullopt;
  }

  std::optional<int64_t> growth(const Operation& o) const {
    if (same(o.args)) return 0;
    std::optional<int64_t> a = growth(o.args[0]), b = o.args.size() == 2 ? growth(o.args[1]) : 0;
    if (!a || !b) return std::nullopt;
    switch (o.op.family) {
      case Family::Add:
      case Family::AddNw:
        return *a + *b;
      case Family::Sub:
      case Family::SubNw:
        return *a - *b;
      case Family::SExt:
      case Family::ZExt:
        return a;
      case Family::Mul:
      case Family::MulNw:
        for (size_t k : {0, 1}) {
          if (auto factor = int_constant(o.args[k])) return *factor * (k == 0 ? *b : *a);
        }
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  std::unordered_map<Name, std::optional<int64_t>> growth_;
  double times_ = 1;
};

// How many times as long all accesses take as without conflicts, for rows that begin so far apart.
double cost(const Buffer& b, const std::vector<Access>& accesses, int64_t row) {
  int64_t banks = kBanks * kBankBytes / static_cast<int64_t>(prim::size_bytes(b.elem));
  double sum = 0;
  for (const Access& a : accesses) {
    int64_t apart = a.growth.back(), stride = row;
    bool known = true;
    for (size_t d = a.growth.size() - 1; d-- > 0;) {
      known = known && (stride != 0 || a.growth[d] == 0);
      apart += a.growth[d] * stride;
      stride *= int_constant(b.dims[d]).value_or(0);
    }
    if (known) sum += a.times * static_cast<double>(apart == 0 ? 1 : std::gcd(std::abs(apart), banks));
  }
  return sum;
}

// The same for rows that begin so far apart, in elements, or that and any multiple of `modulus` more.
double mean_cost(const Buffer& b, const std::vector<Access>& accesses, int64_t row, int64_t modulus) {
  double sum = 0;
  for (int64_t more = 0; more < kBanks; more += modulus) sum += cost(b, accesses, kBanks + row + more);
  return sum * static_cast<double>(modulus) / static_cast<double>(kBanks);
}

std::optional<Expr> padding(const Buffer& b, const std::vector<Access>& accesses) {
  const Expr& length = b.dims.back();
  if (auto known = int_constant(length)) {
    int64_t best = 0;
    for (int64_t p = 1; p <= 3 && p * kLargestShare <= *known; ++p) {
      if (cost(b, accesses, *known + p) < cost(b, accesses, *known + best)) best = p;
    }
    return best == 0 ? std::nullopt : std::optional(constant(best));
  }
  struct Lengths {
    int64_t rest, modulus;
  };
  std::optional<Expr> best;
  double least = mean_cost(b, accesses, 0, 1);
  for (Lengths l : {Lengths{1, 2}, Lengths{0, 2}, Lengths{2, 4}}) {
    double with = mean_cost(b, accesses, l.rest, l.modulus);
    if (with >= least) continue;
    least = with;
    best = operation(prim::Op(Family::And, prim::Type::I64), {sub(constant(l.rest), length), constant(l.modulus - 1)});
  }
  return best;
}

}  // namespace

std::unordered_map<Name, Expr> row_paddings(const Block& block, const Name& thread) {
  FindAccesses found(thread);
  found.body(block);
  std::unordered_map<Name, Expr> result;
  for (const auto& [name, accesses] : found.accesses) {
    if (auto p = padding(found.buffers.at(name), accesses)) result.emplace(name, *p);
  }
  return result;
}

}  // namespace heddle::nest
