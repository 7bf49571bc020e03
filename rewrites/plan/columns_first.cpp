#include "rewrites/plan/columns_first.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "ir/seg/host_stms.h"
#include "ir/seg/traverse.h"
#include "rewrites/points/layouts.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::lower {

namespace {

using seg::StmPtr;

// Every statement of a point, those within others, too, and how many loops and SOACs are around it.
template <class F>
void for_each_stm(const seg::Stms& stms, F f) {
  struct Walk {
    F& f;
    int depth = 0;
    void use(const Name&) {}
    void bind(const Name&) {}
    bool enter(const seg::BodyPtr& b) {
      all(b->stms);
      return false;
    }
    bool enter(const seg::KernelBodyPtr&) { return false; }
    void all(const seg::Stms& stms) {
      for (const StmPtr& s : stms) {
        f(*s, depth);
        const int within =
            std::holds_alternative<seg::Screma>(s->exp) || std::holds_alternative<seg::Loop>(s->exp) ? 1 : 0;
        depth += within;
        seg::walk(*this, s->exp);
        depth -= within;
      }
    }
  };
  Walk{f}.all(stms);
}

// What is read of a row of the point's own, xs[i, ...] or xs[j, i, ...], i being the index of which neighbouring threads have neighbours.
struct OwnRow {
  size_t dim;     // which of the array's dimensions i is in
  bool constant;  // an element that is always the same
};
std::optional<OwnRow> own_row(const seg::Exp& e, const Name& own) {
  const auto* read = std::get_if<seg::Index>(&e);
  if (!read) return std::nullopt;
  auto is_own = [&](const seg::DimIndex& d) {
    const auto* fixed = std::get_if<seg::DimFix>(&d);
    return fixed && fixed->index == seg::SubExp(own);
  };
  const auto at = std::ranges::find_if(read->slice, is_own);
  if (at == read->slice.end() || at + 1 == read->slice.end() || std::ranges::count_if(read->slice, is_own) != 1)
    return std::nullopt;
  const bool before = std::all_of(read->slice.begin(), at,
                                  [](const seg::DimIndex& d) { return std::holds_alternative<seg::DimFix>(d); });
  if (!before) return std::nullopt;
  bool constant = std::all_of(at + 1, read->slice.end(), [](const seg::DimIndex& d) {
    const auto* fixed = std::get_if<seg::DimFix>(&d);
    return fixed && !fixed->index.is_var();
  });
  return OwnRow{static_cast<size_t>(at - read->slice.begin()), constant};
}

// Whether neighbouring threads have neighbouring points. Those of a reduction take them by turns where the order does not matter.
bool neighbours_side_by_side(const seg::SegOp& op) {
  if (op.level.kind != seg::LevelKind::Thread) return false;
  if (op.kind == seg::SegKind::Red)
    return std::ranges::all_of(op.ops, [](const seg::SegBinOp& o) { return o.commutative; });
  return op.kind == seg::SegKind::Map;
}

// Whether no points along another index read the same rows.
bool along_one(const seg::SegOp& op) {
  return std::all_of(op.space.dims.begin(), op.space.dims.end() - 1,
                     [](const seg::SegDim& d) { return d.size == seg::SubExp(prim::Value::i64(1)); });
}

// Whether points make arrays by operations within others, for themselves alone. What several points read of the same rows is not shared then, as
// it is in contractions.
bool makes_arrays_within(const seg::SegOp& op) {
  seg::NameSet returned;
  for (const seg::KernelResult& r : op.body->results) {
    const auto* value = std::get_if<seg::Returns>(&r);
    if (value && value->value.is_var()) returned.insert(value->value.name());
  }
  auto for_itself = [&](const seg::PatElem& p) { return !p.type.dims.empty() && !returned.contains(p.name); };
  bool of_arrays = false, found = false;
  for_each_stm(op.body->stms, [&](const seg::Stm& s, int depth) {
    const bool is_screma = std::holds_alternative<seg::Screma>(s.exp);
    if (depth == 0) of_arrays = is_screma && std::ranges::any_of(s.pat, for_itself);
    found |= depth > 0 && is_screma && of_arrays;
  });
  return found;
}

// An array of which the points of an operation read their own rows, in loops.
struct ReadByRows {
  Name array;
  size_t dim;      // that counts the rows
  bool otherwise;  // whether they read something else of it, too
};
std::vector<ReadByRows> read_by_rows(const seg::SegOp& op) {
  if (!neighbours_side_by_side(op)) return {};
  const Name& own = op.space.dims.back().index;
  bool loops = false;
  std::map<Name, int> uses;
  std::map<std::pair<Name, size_t>, int> rows;
  std::set<std::pair<Name, size_t>> any;
  struct Uses {
    std::map<Name, int>& uses;
    void use(const Name& n) { ++uses[n]; }
    void bind(const Name&) {}
  } count{uses};
  seg::walk(count, op.body);
  for_each_stm(op.body->stms, [&](const seg::Stm& s, int) {
    loops |= std::holds_alternative<seg::Loop>(s.exp) || std::holds_alternative<seg::Screma>(s.exp);
    const std::optional<OwnRow> read = own_row(s.exp, own);
    if (!read) return;
    const std::pair array(std::get<seg::Index>(s.exp).array, read->dim);
    ++rows[array];
    if (!read->constant) any.insert(array);
  });
  std::vector<ReadByRows> found;
  for (const auto& [array, times] : rows) {
    if (loops && any.contains(array)) found.push_back({array.first, array.second, uses[array.first] != times});
  }
  return found;
}

// The arrays of whose rows some are run through by operations or loops within others, several times then; or, `of_rows`, also the rows of rows.
std::set<Name> run_through_within(const seg::SegOp& op, bool of_rows) {
  const Name& own = op.space.dims.back().index;
  std::map<Name, Name> row_of;
  std::set<Name> of_rows_within;  // that are read in loops, a different one in each step
  std::set<Name> found;
  for_each_stm(op.body->stms, [&](const seg::Stm& s, int depth) {
    if (const auto* read = std::get_if<seg::Index>(&s.exp); read && depth > 1 && s.pat[0].type.is_scalar()) {
      auto row = row_of.find(read->array);
      if (row != row_of.end() && depth > (of_rows_within.contains(row->first) ? 2 : 1)) found.insert(row->second);
      if (auto own_one = own_row(s.exp, own); own_one && !own_one->constant) found.insert(read->array);
    }
    if (auto own_one = own_row(s.exp, own); own_one && !own_one->constant) {
      row_of.emplace(s.pat[0].name, std::get<seg::Index>(s.exp).array);
      if (depth > 0) of_rows_within.insert(s.pat[0].name);
    }
    const auto* screma = std::get_if<seg::Screma>(&s.exp);
    if (!screma) return;
    for (size_t k = 0; k < screma->arrays.size(); ++k) {
      auto row = row_of.find(screma->arrays[k]);
      if (row == row_of.end()) continue;
      if (depth > (of_rows_within.contains(row->first) ? 1 : 0)) found.insert(row->second);
      if (of_rows) row_of.emplace(screma->map.params[k].name, row->second);
    }
  });
  return found;
}

// The copies by array and dimension that counts its rows.
using Columns = std::map<std::pair<Name, size_t>, Name>;

// The operation with own rows read of the copies. What else it reads stays as it is.
seg::SegOp reading(const seg::SegOp& op, const Columns& columns) {
  const Name& own = op.space.dims.back().index;
  auto of_columns = [&](const seg::Stm& s) {
    const std::optional<OwnRow> row = own_row(s.exp, own);
    if (!row) return seg::just(s);
    const auto& read = std::get<seg::Index>(s.exp);
    auto copy = columns.find({read.array, row->dim});
    if (copy == columns.end()) return seg::just(s);
    seg::Stm changed = s;
    changed.exp = seg::Index{copy->second, read.slice};
    return seg::just(std::move(changed));
  };
  seg::StmExpander<decltype(of_columns)> expander(of_columns, true);
  seg::SegOp changed = op;
  changed.body = expander.body(op.body);
  return changed;
}

class ColumnsFirst {
 public:
  ColumnsFirst(const Layouts& layouts, NameSource& names) : layouts_(layouts), names_(names) {}

  void learn(const std::vector<seg::Param>& params) {
    for (const seg::Param& p : params) types_.emplace(p.name, p.type);
  }
  void learn(const seg::Stms& stms) {
    seg::for_each_host_stm(stms, [&](const StmPtr& s) {
      for (const seg::PatElem& p : s->pat) types_.emplace(p.name, p.type);
    });
  }

  // Arrays whose rows an operation runs through again and again, by itself.
  seg::Stms for_one(const seg::Stm& s) const {
    const auto* op = std::get_if<seg::SegOp>(&s.exp);
    if (!op) return seg::just(s);
    const bool alone = along_one(*op);
    // Every segment of several reads all rows again, so that narrow ones are worth a copy, too.
    const bool by_segments = op->kind == seg::SegKind::Red && !alone;
    if (!alone && !by_segments && !makes_arrays_within(*op)) return seg::just(s);
    std::set<Name> again = run_through_within(*op, !alone);
    seg::Stms out;
    Columns by_columns;
    for (const auto& [array, dim, otherwise] : read_by_rows(*op)) {
      if (!again.contains(array) && !by_segments) continue;
      if (!(alone ? by_rows(array) : may_lie_by_rows(array)) || !has_row_for_each_point(array, *op, dim)) continue;
      if (is_narrow(array, dim) && !by_segments) continue;
      Name columns = names_.fresh("columns");
      by_columns.emplace(std::pair(array, dim), columns);
      out.push_back(copied(array, columns, dim));
    }
    seg::Stm changed = s;
    if (!by_columns.empty()) changed.exp = reading(*op, by_columns);
    out.push_back(std::make_shared<const seg::Stm>(std::move(changed)));
    return out;
  }

  seg::Stms for_loop(const seg::Stm& s) {
    const auto* loop = std::get_if<seg::Loop>(&s.exp);
    if (!loop) return seg::just(s);
    seg::NameSet outside = seg::free_names(*loop->body);
    for (const seg::Param& p : loop->params) outside.erase(p.name);
    seg::Stms out;
    Columns columns;
    auto relaid = [&](const seg::Stm& inner) {
      const auto* op = std::get_if<seg::SegOp>(&inner.exp);
      if (!op || !along_one(*op)) return seg::just(inner);
      Columns by_columns;
      for (const auto& [array, dim, otherwise] : read_by_rows(*op)) {
        if (otherwise || dim > 0 || !outside.contains(array) || !by_rows(array)) continue;
        const std::pair rows(array, dim);
        if (!columns.contains(rows)) {
          columns.emplace(rows, names_.fresh("columns"));
          out.push_back(copied(array, columns.at(rows), dim));
        }
        by_columns.emplace(rows, columns.at(rows));
      }
      seg::Stm changed = inner;
      if (!by_columns.empty()) changed.exp = reading(*op, by_columns);
      return seg::just(std::move(changed));
    };
    seg::StmExpander<decltype(relaid)> expander(relaid, false);
    seg::Loop changed = *loop;
    changed.body = expander.body(loop->body);
    seg::Stm result = s;
    if (!out.empty()) result.exp = std::move(changed);
    out.push_back(std::make_shared<const seg::Stm>(std::move(result)));
    return out;
  }

 private:
  bool by_rows(const Name& array) const {
    auto perm = layouts_.dense_perm(array);
    return types_.contains(array) && perm && std::ranges::is_sorted(*perm);
  }

  bool may_lie_by_rows(const Name& array) const {
    auto perm = layouts_.dense_perm(array);
    return types_.contains(array) && (!perm || std::ranges::is_sorted(*perm));
  }

  bool has_row_for_each_point(const Name& array, const seg::SegOp& op, size_t dim) const {
    const seg::Dim& rows = types_.at(array).dims[dim];
    return !rows.is_ext() && rows.size() == op.space.dims.back().size;
  }

  // Rows of which the threads of a warp find most in the lines that their neighbours have loaded.
  bool is_narrow(const Name& array, size_t dim) const {
    constexpr int64_t kNarrow = 16;
    int64_t elems = 1;
    const seg::Type& type = types_.at(array);
    for (size_t d = dim + 1; d < type.dims.size(); ++d) {
      auto size = type.dims[d].is_ext() ? std::nullopt : type.dims[d].size().int_constant();
      elems = size && elems <= kNarrow ? elems * *size : kNarrow + 1;
    }
    return elems <= kNarrow;
  }

  StmPtr copied(const Name& array, const Name& columns, size_t dim) const {
    const seg::Type& type = types_.at(array);
    std::vector<int> perm(static_cast<size_t>(type.rank()));
    std::iota(perm.begin(), perm.end(), 0);
    std::rotate(perm.begin() + static_cast<std::ptrdiff_t>(dim), perm.begin() + static_cast<std::ptrdiff_t>(dim) + 1,
                perm.end());
    return std::make_shared<const seg::Stm>(seg::Stm{{{columns, type}}, {}, {}, seg::Manifest{perm, array}, {}});
  }

  const Layouts& layouts_;
  NameSource& names_;
  std::unordered_map<Name, seg::Type> types_;
};

}  // namespace

seg::Program columns_first(const seg::Program& program, NameSource& names) {
  seg::Program out = program;
  for (seg::FunDef& f : out.functions) {
    Layouts layouts = find_layouts(Device::Blocks, program.constants, &f);
    ColumnsFirst pass(layouts, names);
    pass.learn(program.constants);
    pass.learn(f.params);
    pass.learn(f.body->stms);
    auto for_loop = [&](const seg::Stm& s) { return pass.for_loop(s); };
    f.body = seg::StmExpander<decltype(for_loop)>(for_loop, false).body(f.body);
    auto for_one = [&](const seg::Stm& s) { return pass.for_one(s); };
    f.body = seg::StmExpander<decltype(for_one)>(for_one, false).body(f.body);
  }
  return out;
}

}  // namespace heddle::lower
