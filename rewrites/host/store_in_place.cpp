#include "rewrites/host/store_in_place.h"

#include <algorithm>
#include <unordered_map>

#include "ir/nest/index_map.h"
#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"
#include "ir/nest/uses.h"

namespace heddle::host {

using nest::Expr;
using nest::Polynomial;

namespace {

struct Steps {  // of a loop of one thread
  Name index;
  Expr extent;
};
struct Access {
  std::vector<Expr> index;
  std::vector<Steps> around;                 // outermost first
  std::vector<const nest::Block*> branches;  // likewise
};

// What threads do with both arrays, in order. Not `in_order` where a thread may read behind its stores, or where steps of a loop do both and may
// be at one place.
class FindAccesses {
 public:
  FindAccesses(const Name& to, const Name& from) : to_(to), from_(from) {}

  std::vector<Access> reads, stores;
  std::unordered_map<Name, Expr> definitions;
  bool in_order = true;
  std::vector<Name> both;  // indices of loops that read and store

  void block(const nest::Block& b) {
    for (const nest::Stmt& s : b) stmt(s);
  }

 private:
  void expr(const Expr& e) {
    nest::for_each_expr(e, [&](const Expr& x) {
      const auto* load = std::get_if<nest::Load>(&x->node);
      if (!load || load->buffer != from_) return;
      in_order = in_order && !has_stored_;
      reads.push_back({load->index, around_, branches_});
    });
  }

  void stmt(const nest::Stmt& s) {
    if (const auto* let = std::get_if<nest::Let>(&s->node)) {
      expr(let->value);
      definitions.emplace(let->name, let->value);
    } else if (const auto* store = std::get_if<nest::Store>(&s->node)) {
      for (const Expr& e : store->index) expr(e);
      expr(store->value);
      if (store->buffer != to_) return;
      stores.push_back({store->index, around_, branches_});
      has_stored_ = true;
    } else if (const auto* branch = std::get_if<nest::If>(&s->node)) {
      expr(branch->condition);
      const bool before = has_stored_;
      inside(branch->then_body);
      const bool after = std::exchange(has_stored_, before);
      inside(branch->else_body);
      has_stored_ = has_stored_ || after;
    } else if (const auto* loop = std::get_if<nest::For>(&s->node)) {
      expr(loop->extent);
      steps(*loop);
    }
  }

  void inside(const nest::Block& branch) {
    branches_.push_back(&branch);
    block(branch);
    branches_.pop_back();
  }

  void steps(const nest::For& loop) {
    const size_t num_reads = reads.size(), num_stores = stores.size();
    const bool is_of_thread = !nest::parallel(loop.role);
    if (is_of_thread) around_.push_back({loop.index, loop.extent});
    block(loop.body);
    if (is_of_thread) around_.pop_back();
    const bool does_both = reads.size() > num_reads && stores.size() > num_stores;
    if (is_of_thread && does_both) both.push_back(loop.index);
    if (loop.role == nest::Role::Vector)
      in_order = in_order && reads.size() == num_reads && stores.size() == num_stores;
  }

  const Name &to_, &from_;
  std::vector<Steps> around_;
  std::vector<const nest::Block*> branches_;
  bool has_stored_ = false;
};

class Places {
 public:
  Places(const nest::Kernel& kernel, const Name& to, const Name& from) : kernel_(kernel), found_(to, from) {
    found_.block(kernel.body);
    const auto num = [](const auto& all) { return static_cast<int>(all.size()); };
    is_known_ = found_.in_order && num(found_.reads) == nest::uses_of(from, kernel.body) && num(found_.stores) > 0 &&
                num(found_.stores) == nest::uses_of(to, kernel.body);
  }

  std::optional<Place> run(const std::vector<bool>& is_one,
                           const std::function<bool(const Index&, const Place&)>& is_apart) const {
    if (!is_known_) return std::nullopt;
    std::optional<Place> place;
    for (const Access& read : found_.reads) {
      if (!place) place = between(found_.stores[0], read, is_one);
    }
    if (!place || !each_step_has_its_own()) return std::nullopt;
    for (const Access& read : found_.reads) {
      if (is_of_all_stores(read, is_one, *place)) continue;
      const std::optional<Index> index = of(read);
      if (!index || !is_apart(*index, *place)) return std::nullopt;
    }
    return place;
  }

 private:
  std::optional<Index> of(const Access& a) const {
    Index index;
    for (const Expr& e : a.index) {
      const auto known = nest::from_expr(e, [&](const Name& n) {
        auto it = found_.definitions.find(n);
        return it == found_.definitions.end() ? nullptr : it->second;
      });
      if (!known) return std::nullopt;
      index.push_back(*known);
    }
    return index;
  }

  static bool mentions(const Index& index, const Name& n) {
    return std::ranges::any_of(index, [&](const Polynomial& p) { return p.mentions(n); });
  }

  // The loops in which it goes from place to place.
  static std::vector<Steps> moving(const Access& a, const Index& index) {
    std::vector<Steps> all;
    for (const Steps& s : a.around) {
      if (mentions(index, s.index)) all.push_back(s);
    }
    return all;
  }

  // Where what is stored lies behind what is read, if that is the same for all threads; loops that go through both alike are taken for one.
  std::optional<Place> between(const Access& store, const Access& read, const std::vector<bool>& is_one) const {
    std::optional<Index> to = of(store), from = of(read);
    if (!to || !from || from->size() != is_one.size()) return std::nullopt;
    const std::vector<Steps> of_store = moving(store, *to), of_read = moving(read, *from);
    if (of_store.size() != of_read.size()) return std::nullopt;
    for (size_t i = 0; i < of_store.size(); ++i) {
      if (!nest::equal(of_store[i].extent, of_read[i].extent)) return std::nullopt;
      for (Polynomial& p : *to) p = p.substitute(of_store[i].index, Polynomial::of(of_read[i].index));
    }
    Place place;
    size_t dim = 0;
    for (size_t d = 0; d < from->size(); ++d) {
      if (!is_one[d] && dim == to->size()) return std::nullopt;
      place.dims.push_back({is_one[d] ? (*from)[d] : (*from)[d] - (*to)[dim++], is_one[d]});
      for (const Name& n : place.dims.back().start.names()) {
        if (std::ranges::find(kernel_.scalars, n, &nest::ScalarParam::name) == kernel_.scalars.end())
          return std::nullopt;
      }
    }
    return dim == to->size() ? std::optional(std::move(place)) : std::nullopt;
  }

  // Whether it is there that all stores store, and whoever reads there stores there, so that nobody else does.
  bool is_of_all_stores(const Access& read, const std::vector<bool>& is_one, const Place& place) const {
    const bool same = std::ranges::all_of(found_.stores, [&](const Access& store) {
      const std::optional<Place> there = between(store, read, is_one);
      return there && std::ranges::equal(there->dims, place.dims, {}, &Place::Dim::start, &Place::Dim::start);
    });
    return same && std::ranges::any_of(found_.stores, [&](const Access& store) {
             const auto end = std::ranges::mismatch(store.branches, read.branches).in1;
             return end == store.branches.end();
           });
  }

  bool each_step_has_its_own() const {
    return std::ranges::all_of(found_.stores, [&](const Access& store) {
      const std::optional<Index> index = of(store);
      return index && std::ranges::all_of(store.around, [&](const Steps& s) {
               return std::ranges::find(found_.both, s.index) == found_.both.end() || mentions(*index, s.index);
             });
    });
  }

  const nest::Kernel& kernel_;
  FindAccesses found_;
  bool is_known_;
};

}  // namespace

std::optional<Place> place_of_stores(const nest::Kernel& kernel, const Name& to, const Name& from,
                                     const std::vector<bool>& is_one,
                                     const std::function<bool(const Index&, const Place&)>& is_apart) {
  return Places(kernel, to, from).run(is_one, is_apart);
}

namespace {

nest::Kernel with_stores(nest::Kernel kernel, const Name& to, const Name& from,
                         const std::function<void(const nest::Store&, nest::Block& out)>& instead) {
  struct Change : nest::Rebuilder<Change> {
    const Name& to;
    const std::function<void(const nest::Store&, nest::Block& out)>& instead;
    Change(const Name& to, const std::function<void(const nest::Store&, nest::Block& out)>& instead)
        : to(to), instead(instead) {}
    void stmts(const nest::Stmt& s, nest::Block& out) {
      const auto* store = std::get_if<nest::Store>(&s->node);
      if (!store || store->buffer != to) return nest::Rebuilder<Change>::stmts(s, out);
      instead(*store, out);
    }
  } change(to, instead);
  change.body(kernel.body);
  std::ranges::find(kernel.buffers, from, &nest::Buffer::name)->read_once = false;
  return kernel;
}

std::vector<Expr> index_there(const nest::Store& store, const Place& place) {
  std::vector<Expr> at;
  size_t dim = 0;
  for (const Place::Dim& d : place.dims) {
    const Expr start = nest::to_expr(d.start);
    at.push_back(d.is_one ? start : nest::add(start, store.index[dim++]));
  }
  return at;
}

}  // namespace

nest::Kernel storing_there(nest::Kernel kernel, const Name& to, const Name& from, const Place& place) {
  kernel = with_stores(std::move(kernel), to, from, [&](const nest::Store& store, nest::Block& out) {
    out.push_back(nest::stmt(nest::Store{from, index_there(store, place), store.value}));
  });
  std::erase_if(kernel.buffers, [&](const nest::Buffer& b) { return b.name == to; });
  return kernel;
}

nest::Kernel storing_to_both(nest::Kernel kernel, const Name& to, const Name& from, const Place& place,
                             NameSource& names) {
  return with_stores(std::move(kernel), to, from, [&](const nest::Store& store, nest::Block& out) {
    const Name value = names.fresh("stored");
    const Expr stored = nest::var(value, store.value->type);
    out.push_back(nest::stmt(nest::Let{value, store.value}));
    out.push_back(nest::stmt(nest::Store{to, store.index, stored}));
    out.push_back(nest::stmt(nest::Store{from, index_there(store, place), stored}));
  });
}

}  // namespace heddle::host
