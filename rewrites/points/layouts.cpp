#include "rewrites/points/layouts.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace heddle::lower {

namespace {

using Perm = std::optional<std::vector<int>>;

Perm row_major(int rank) {
  std::vector<int> perm(static_cast<size_t>(rank));
  std::iota(perm.begin(), perm.end(), 0);
  return perm;
}

bool is_row_major(const Perm& perm, int rank) { return perm && perm == row_major(rank); }

// The same order, in which dimensions of one element, which lie anywhere, follow those that they follow in the type.
std::vector<int> with_single_in_place(const std::vector<int>& perm, const seg::Type& type) {
  const auto is_single = [&](int d) {
    const seg::Dim& dim = type.dims[static_cast<size_t>(d)];
    return !dim.is_ext() && dim.size().int_constant() == 1;
  };
  std::vector<int> order;
  std::ranges::remove_copy_if(perm, std::back_inserter(order), is_single);
  for (int d = 0; d < type.rank(); ++d) {
    if (is_single(d)) order.insert(d == 0 ? order.begin() : std::ranges::find(order, d - 1) + 1, d);
  }
  return order;
}

bool is_whole(const seg::DimSlice& range, const seg::Dim& dim) {
  return range.start.int_constant() == 0 && !dim.is_ext() && range.count == dim.size();
}

class Finder {
 public:
  explicit Finder(Layouts& layouts) : layouts_(layouts) {}

  void stms(const seg::Stms& stms) {
    for (const seg::StmPtr& s : stms) stm(*s);
  }

  // The layouts of a body's results; scalars have none.
  std::vector<Perm> body(const seg::Body& body) {
    stms(body.stms);
    std::vector<Perm> perms;
    for (const seg::SubExpRes& r : body.result) perms.push_back(of(r.value));
    return perms;
  }

 private:
  Perm of(const seg::SubExp& e) const { return e.is_var() ? layouts_.dense_perm(e.name()) : std::nullopt; }

  void set(const seg::PatElem& p, Perm perm) {
    if (p.type.is_array()) layouts_.set(p.name, p.type, std::move(perm));
  }

  void stm(const seg::Stm& s) {
    std::visit([&](const auto& e) { bind(s.pat, e); }, s.exp);
  }

  // Whatever makes a fresh array makes it row-major.
  template <class Exp>
  void bind(const seg::Pat& pat, const Exp&) {
    for (const seg::PatElem& p : pat) set(p, row_major(p.type.rank()));
  }

  void bind(const seg::Pat& pat, const seg::Atom& e) { set(pat[0], of(e.value)); }
  void bind(const seg::Pat& pat, const seg::Opaque& e) { set(pat[0], of(e.value)); }
  void bind(const seg::Pat& pat, const seg::Update& e) { set(pat[0], layouts_.dense_perm(e.array)); }
  void bind(const seg::Pat& pat, const seg::FlatUpdate& e) { set(pat[0], layouts_.dense_perm(e.array)); }
  void bind(const seg::Pat& pat, const seg::Index& e) { set(pat[0], layouts_.dense_perm(e, pat[0].type)); }
  void bind(const seg::Pat& pat, const seg::FlatIndex&) { set(pat[0], std::nullopt); }
  void bind(const seg::Pat& pat, const seg::Manifest& e) { set(pat[0], e.perm); }

  void bind(const seg::Pat& pat, const seg::Reshape& e) {
    Perm source = layouts_.dense_perm(e.array);
    if (e.coerce) {
      set(pat[0], source);
    } else {
      // Reshaping yields a row-major view of a row-major array; of any other it may be a view or a copy.
      bool known = source && is_row_major(source, static_cast<int>(source->size()));
      set(pat[0], known ? row_major(pat[0].type.rank()) : std::nullopt);
    }
  }

  void bind(const seg::Pat& pat, const seg::Rearrange& e) {
    Perm source = layouts_.dense_perm(e.array);
    if (!source) return set(pat[0], std::nullopt);
    std::vector<int> inverse(e.perm.size());
    for (size_t k = 0; k < e.perm.size(); ++k) inverse[static_cast<size_t>(e.perm[k])] = static_cast<int>(k);
    for (int& d : *source) d = inverse[static_cast<size_t>(d)];
    set(pat[0], with_single_in_place(*source, pat[0].type));
  }

  void bind(const seg::Pat& pat, const seg::Match& e) {
    std::vector<Perm> joined = body(*e.otherwise);
    for (const seg::Case& c : e.cases) {
      std::vector<Perm> perms = body(*c.body);
      for (size_t k = 0; k < joined.size(); ++k) {
        if (joined[k] != perms[k]) joined[k] = std::nullopt;
      }
    }
    // Existential sizes come first among the results, and the pattern has them all.
    for (size_t k = 0; k < pat.size(); ++k) set(pat[k], joined[k]);
  }

  void bind(const seg::Pat& pat, const seg::Loop& e) {
    // Optimistic: parameters have their initial values' layouts. Where an iteration contradicts that, try again without
    // it.
    std::vector<Perm> perms;
    for (const seg::SubExp& init : e.inits) perms.push_back(of(init));
    for (bool stable = false; !stable;) {
      for (size_t k = 0; k < perms.size(); ++k) {
        const seg::Type& type = e.params[k].type;
        if (type.is_array()) layouts_.set(e.params[k].name, type, perms[k]);
      }
      std::vector<Perm> results = body(*e.body);
      stable = true;
      for (size_t k = 0; k < perms.size(); ++k) {
        if (perms[k] && perms[k] != results[k]) {
          perms[k] = std::nullopt;
          stable = false;
        }
      }
    }
    for (size_t k = 0; k < pat.size(); ++k) set(pat[k], perms[k]);
  }

  void bind(const seg::Pat& pat, const seg::WithAcc& e) {
    std::vector<Perm> rest = body(*e.lambda.body);
    size_t k = 0;
    for (const seg::WithAccInput& input : e.inputs) {
      for (const Name& array : input.arrays) set(pat[k++], layouts_.dense_perm(array));
    }
    for (size_t r = e.inputs.size(); k < pat.size(); ++k, ++r) set(pat[k], rest[r]);
  }

  void bind(const seg::Pat& pat, const seg::SegOp& e) {
    if (e.kind == seg::SegKind::Hist) {
      size_t k = 0;
      for (const seg::HistOp& h : e.hists) {
        for (const Name& dest : h.dests) set(pat[k++], layouts_.dense_perm(dest));
      }
      return;
    }
    for (size_t k = 0; k < pat.size(); ++k) {
      if (k < e.body->results.size()) {
        if (const auto* w = std::get_if<seg::WriteReturns>(&e.body->results[k])) {
          set(pat[k], layouts_.dense_perm(w->array));
          continue;
        }
      }
      bool mapped = e.kind == seg::SegKind::Map && k < e.types.size();
      set(pat[k],
          mapped ? result_perm(layouts_.device(), e.level, e.space, e.types[k]) : row_major(pat[k].type.rank()));
    }
  }

  Layouts& layouts_;
};

}  // namespace

// a[i, j : j + 2, 0 : n] is dense where a is row-major and has rows of n, and a[0 : m, 0 : n, i] where i is its slowest
// dimension. Only of the slowest that is not fixed may a part be taken, of neighbours.
std::optional<std::vector<int>> Layouts::dense_perm(const seg::Index& window, const seg::Type& type) const {
  const auto source = dense_.find(window.array);
  if (source == dense_.end()) return std::nullopt;
  std::vector<int> place(window.slice.size());
  int rank = 0;
  for (size_t d = 0; d < place.size(); ++d) {
    place[d] = rank;
    rank += std::holds_alternative<seg::DimSlice>(window.slice[d]) ? 1 : 0;
  }
  std::vector<int> perm;
  for (const int d : source->second.perm) {
    const auto dim = static_cast<size_t>(d);
    const auto* range = std::get_if<seg::DimSlice>(&window.slice[dim]);
    if (perm.empty() && !range) continue;
    if (!range || range->stride.int_constant() != 1) return std::nullopt;
    if (!perm.empty() && !is_whole(*range, source->second.dims[dim])) return std::nullopt;
    perm.push_back(place[dim]);
  }
  return with_single_in_place(perm, type);
}

void Layouts::set(const Name& array, const seg::Type& type, std::optional<std::vector<int>> perm) {
  if (perm) {
    dense_.insert_or_assign(array, Dense{std::move(*perm), type.dims});
  } else {
    dense_.erase(array);
  }
}

std::vector<int> result_perm(Device device, const seg::SegLevel& level, const seg::SegSpace& space,
                             const seg::Type& point_type) {
  int points = static_cast<int>(space.dims.size());
  int rank = points + point_type.rank();
  constexpr int64_t kSmallElems = 4;
  int64_t elems = 1;
  for (const seg::Dim& d : point_type.dims) {
    auto size = d.is_ext() ? std::nullopt : d.size().int_constant();
    elems = size && elems <= kSmallElems ? elems * *size : kSmallElems + 1;
  }
  std::vector<int> perm;
  bool points_inside =
      device == Device::Blocks && level.kind != seg::LevelKind::Block && point_type.is_array() && elems > kSmallElems;
  if (points_inside) {
    for (int d = points; d < rank; ++d) perm.push_back(d);
  }
  for (int d = 0; d < points; ++d) perm.push_back(d);
  if (!points_inside) {
    for (int d = points; d < rank; ++d) perm.push_back(d);
  }
  return perm;
}

void add_layouts(Layouts& layouts, const seg::Stms& stms) { Finder(layouts).stms(stms); }

Layouts find_layouts(Device device, const seg::Stms& constants, const seg::FunDef* function) {
  Layouts layouts(device);
  Finder finder(layouts);
  finder.stms(constants);
  if (!function) return layouts;
  for (const seg::Param& p : function->params) {
    if (p.type.is_array()) layouts.set(p.name, p.type, row_major(p.type.rank()));
  }
  finder.body(*function->body);
  return layouts;
}

}  // namespace heddle::lower
