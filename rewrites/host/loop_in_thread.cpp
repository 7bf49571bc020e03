#include "rewrites/host/loop_in_thread.h"

#include <algorithm>

namespace heddle::host {

namespace {

// An array as a thread sees it: the one that it is a window onto, and where in that its elements are.
struct View {
  struct Dim {
    Expr start;
    std::optional<Expr> stride;  // none: the dimension is fixed
    bool single = false;         // one element of it
  };
  Name array;             // from outside of the loop
  std::vector<Dim> dims;  // empty: the whole array
};

bool is_whole(const View& v) { return v.dims.empty(); }

// Thrown within this file only.
struct NotForThreads {};

class Translation {
 public:
  Translation(const ElemTypes& types, OneThread& thread, NameSource& names)
      : types_(types), thread_(thread), names_(names) {}

  void add(const Loop& loop, nest::Block& out) {
    std::vector<std::optional<Name>> registers;
    for (const LoopParam& p : loop.params) {
      if (const auto* array = std::get_if<Name>(&p.init)) {
        views_.insert_or_assign(p.binder.name, whole(*array));
        registers.emplace_back();
      } else {
        const Expr init = here(std::get<Expr>(p.init));
        registers.emplace_back(register_for(p.binder, out));
        out.push_back(nest::stmt(nest::Store{*registers.back(), {}, init}));
      }
    }
    nest::Block step;
    for (size_t i = 0; i < loop.params.size(); ++i) {
      if (registers[i]) define_loaded(loop.params[i].binder, loop.params[i].binder.name, *registers[i], step);
    }
    if (const auto* each = std::get_if<ForEach>(&loop.form)) {
      const Expr bound = here(each->bound);
      const prim::Type type = bound->type;
      const Name index = names_.fresh(each->index);
      const Expr number = nest::var(index, prim::Type::I64);
      const bool is_long = type == prim::Type::I64;
      auto convert = [](prim::Family family, prim::Type from, prim::Type to, const Expr& e) {
        return nest::operation(prim::Op(family, from, to), {e});
      };
      thread_.define(step, each->index, is_long ? number : convert(prim::Family::SExt, prim::Type::I64, type, number));
      all(loop, registers, step);
      const Expr extent = is_long ? bound : convert(prim::Family::SExt, type, prim::Type::I64, bound);
      out.push_back(nest::stmt(nest::For{index, extent, nest::Role::Serial, std::move(step)}));
    } else {
      const Name& condition = std::get<WhileTrue>(loop.form).condition;
      const auto param = std::ranges::find(loop.params, condition, [](const LoopParam& p) { return p.binder.name; });
      if (param == loop.params.end()) throw NotForThreads{};
      const auto at = static_cast<size_t>(param - loop.params.begin());
      all(loop, registers, step);
      out.push_back(nest::stmt(nest::While{nest::load(*registers[at], param->binder.type.elem, {}), std::move(step)}));
    }
    for (size_t i = 0; i < loop.params.size(); ++i) {
      if (registers[i]) {
        define_loaded(loop.params[i].binder, loop.results[i], *registers[i], out);
      } else {
        views_.insert_or_assign(loop.results[i], views_.at(loop.params[i].binder.name));
      }
    }
  }

  std::vector<Name> stored;

 private:
  Expr here(const Expr& of_host) {
    if (of_host->type == prim::Type::Unit) throw NotForThreads{};
    return thread_.in_kernel(of_host);
  }

  std::vector<Expr> here(const std::vector<Expr>& of_host) {
    std::vector<Expr> all;
    for (const Expr& e : of_host) all.push_back(here(e));
    return all;
  }

  Name register_for(const Binder& b, nest::Block& out) {
    if (b.type.elem == prim::Type::Unit) throw NotForThreads{};
    Name name = names_.fresh(b.name);
    out.push_back(nest::stmt(nest::Alloc{{name, b.type.elem, nest::Space::Register, {}, {}}}));
    return name;
  }

  void define_loaded(const Binder& b, const Name& of_host, const Name& from, nest::Block& out) {
    thread_.define(out, of_host, nest::load(from, b.type.elem, {}));
  }

  // A step of the loop, at whose end all parameters change at once.
  void all(const Loop& loop, const std::vector<std::optional<Name>>& registers, nest::Block& out) {
    block(loop.body, out);
    std::vector<nest::Stmt> stores;
    for (size_t i = 0; i < registers.size(); ++i) {
      if (registers[i]) {
        const Name next = names_.fresh("next");
        const Expr value = here(std::get<Expr>(loop.body.yields[i]));
        out.push_back(nest::stmt(nest::Let{next, value}));
        stores.push_back(nest::stmt(nest::Store{*registers[i], {}, nest::var(next, value->type)}));
      } else {
        same(whole(std::get<Name>(loop.body.yields[i])), views_.at(loop.params[i].binder.name));
      }
    }
    out.insert(out.end(), stores.begin(), stores.end());
  }

  void block(const Block& b, nest::Block& out) {
    for (const Stmt& s : b.stmts) {
      std::visit([&](const auto& n) { add(n, out); }, s->node);
    }
  }

  static void same(const View& a, const View& b) {
    if (a.array != b.array) throw NotForThreads{};
  }

  View view(const Name& array) const {
    auto it = views_.find(array);
    return it == views_.end() ? View{array, {}} : it->second;
  }
  View whole(const Name& array) const {
    View v = view(array);
    if (!is_whole(v)) throw NotForThreads{};
    return v;
  }

  // The place in the array that the view is onto; none of its dimensions that are single need an index.
  std::vector<Expr> place(const View& v, const std::vector<Expr>& index) const {
    if (is_whole(v)) return index;
    std::vector<Expr> place;
    size_t next = 0;
    for (const View::Dim& d : v.dims) {
      place.push_back(d.stride ? nest::add(d.start, nest::mul(index.at(next++), *d.stride)) : d.start);
    }
    return place;
  }

  Name buffer(const View& v, size_t rank) {
    auto type = types_.find(v.array);
    if (type == types_.end() || type->second == prim::Type::Unit) throw NotForThreads{};
    return thread_.array(v.array, type->second, rank);
  }

  Expr loaded(const View& v, const std::vector<Expr>& index) {
    const std::vector<Expr> at = place(v, index);
    const Name from = buffer(v, at.size());
    return nest::load(from, types_.at(v.array), at);
  }

  void store(const View& v, const std::vector<Expr>& index, const Expr& value, nest::Block& out) {
    const std::vector<Expr> at = place(v, index);
    out.push_back(nest::stmt(nest::Store{buffer(v, at.size()), at, value}));
    if (std::ranges::find(stored, v.array) == stored.end()) stored.push_back(v.array);
  }

  // ---- Statement by statement. ----

  template <class Node>
  void add(const Node&, nest::Block&) {
    throw NotForThreads{};
  }

  void add(const Let& n, nest::Block& out) { thread_.define(out, n.name, here(n.value)); }
  void add(const ReadElement& n, nest::Block& out) {
    thread_.define(out, n.name, loaded(view(n.array), here(n.index)));
  }
  void add(const WriteElement& n, nest::Block& out) {
    const Expr value = here(n.value);
    store(view(n.array), here(n.index), value, out);
  }
  void add(const Share& n, nest::Block&) { views_.insert_or_assign(n.name, view(n.array)); }
  void add(const Free& n, nest::Block&) {
    if (!views_.contains(n.array)) throw NotForThreads{};
  }

  void add(const Slice& n, nest::Block& out) {
    View v{whole(n.array).array, {}};
    for (const Subscript& s : n.subscripts) {
      if (const auto* range = std::get_if<Range>(&s)) {
        v.dims.push_back({kept(range->start, out), kept(range->stride, out), nest::int_constant(range->count) == 1});
      } else {
        v.dims.push_back({kept(std::get<Expr>(s), out), std::nullopt, true});
      }
    }
    views_.insert_or_assign(n.name, std::move(v));
  }
  Expr kept(const Expr& of_host, nest::Block& out) {
    Expr value = here(of_host);
    if (nest::int_constant(value)) return value;
    const Name name = names_.fresh("at");
    out.push_back(nest::stmt(nest::Let{name, value}));
    return nest::var(name, value->type);
  }

  // Of single elements.
  void add(const Copy& n, nest::Block& out) {
    const Expr value = loaded(single(n.from), zeros(n.from));
    const Name element = names_.fresh("element");
    out.push_back(nest::stmt(nest::Let{element, value}));
    store(single(n.to), zeros(n.to), nest::var(element, value->type), out);
  }
  View single(const Name& array) const {
    View v = view(array);
    if (is_whole(v) || !std::ranges::all_of(v.dims, &View::Dim::single)) throw NotForThreads{};
    return v;
  }
  std::vector<Expr> zeros(const Name& array) const {
    return std::vector<Expr>(view(array).dims.size(), nest::constant(int64_t{0}));
  }

  void add(const Assert& n, nest::Block& out) {
    const nest::Stmt fail = nest::stmt(nest::Fail{n.failure, here(n.args)});
    out.push_back(nest::stmt(nest::If{nest::negate(here(n.condition)), {fail}, {}}));
  }

  void add(const If& n, nest::Block& out) {
    std::vector<std::optional<Name>> registers;
    for (const Binder& b : n.results)
      registers.push_back(b.type.rank == 0 ? std::optional(register_for(b, out)) : std::nullopt);
    std::vector<std::optional<View>> arrays(n.results.size());
    auto arm = [&](const Block& b) {
      nest::Block made;
      block(b, made);
      for (size_t i = 0; i < n.results.size(); ++i) {
        if (registers[i]) {
          made.push_back(nest::stmt(nest::Store{*registers[i], {}, here(std::get<Expr>(b.yields[i]))}));
        } else {
          const View v = whole(std::get<Name>(b.yields[i]));
          if (arrays[i]) same(*arrays[i], v);
          arrays[i] = v;
        }
      }
      return made;
    };
    std::vector<std::pair<Expr, nest::Block>> arms;
    for (const Case& c : n.cases) {
      const Expr condition = here(c.condition);
      arms.emplace_back(condition, arm(c.body));
    }
    nest::Block rest = arm(n.otherwise);
    for (auto a = arms.rbegin(); a != arms.rend(); ++a)
      rest = {nest::stmt(nest::If{a->first, std::move(a->second), std::move(rest)})};
    out.insert(out.end(), rest.begin(), rest.end());
    for (size_t i = 0; i < n.results.size(); ++i) {
      if (registers[i]) {
        define_loaded(n.results[i], n.results[i].name, *registers[i], out);
      } else {
        views_.insert_or_assign(n.results[i].name, *arrays[i]);
      }
    }
  }

  const ElemTypes& types_;
  OneThread& thread_;
  NameSource& names_;
  std::unordered_map<Name, View> views_;
};

}  // namespace

std::optional<LoopInThread> loop_in_thread(const Loop& loop, const ElemTypes& types, OneThread& thread,
                                           NameSource& names) try {
  Translation translation(types, thread, names);
  nest::Block body;
  translation.add(loop, body);
  return LoopInThread{std::move(body), std::move(translation.stored)};
} catch (const NotForThreads&) {
  return std::nullopt;
}

}  // namespace heddle::host
