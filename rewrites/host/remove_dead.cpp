#include "rewrites/host/remove_dead.h"

#include "ir/host/traverse.h"

namespace heddle::host {

namespace {

bool may_fail(const Expr& expr) {
  bool found = false;
  nest::for_each_expr(expr, [&](const Expr& e) {
    const auto* o = std::get_if<nest::Operation>(&e->node);
    found |= o && prim::can_fail(o->op);
  });
  return found;
}

// What a statement binds, if it does nothing else. Divisions stay, and with them the parameters that say how many blocks a seg op
// has: users may set those, whether kernels heed them or not.
const Name* only_binds(const Stmt& s) {
  return std::visit(
      [](const auto& n) -> const Name* {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, Let>) {
          return may_fail(n.value) ? nullptr : &n.name;
        } else if constexpr (std::is_same_v<T, Alloc>) {
          return n.from ? nullptr : &n.name;  // which ends another array
        } else if constexpr (requires { n.name; }) {
          return &n.name;
        } else {
          return nullptr;
        }
      },
      s->node);
}

// The array whose elements a statement writes, if it does nothing else.
const Name* only_writes(const Stmt& s) {
  return std::visit(
      [](const auto& n) -> const Name* {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, Fill> || std::is_same_v<T, Iota> || std::is_same_v<T, Upload>) {
          return &n.array;
        } else if constexpr (std::is_same_v<T, Copy> || std::is_same_v<T, Pack>) {
          return &n.to;
        } else {
          return nullptr;
        }
      },
      s->node);
}

// Arrays that are made and written to, and nothing else.
nest::NameSet never_read(const Block& body) {
  struct Uses : Walker<Uses> {
    nest::NameSet made, read;
    void expr(const Expr&) {}
    void use(const Name& n) { read.insert(n); }
    void write(const Name&) {}
    void stmt(const Stmt& s) {
      if (const auto* alloc = std::get_if<Alloc>(&s->node)) made.insert(alloc->name);
      if (!std::holds_alternative<Free>(s->node)) Walker<Uses>::stmt(s);
    }
  } uses;
  uses.body(body);
  std::erase_if(uses.made, [&](const Name& n) { return uses.read.contains(n); });
  return std::move(uses.made);
}

// Goes through a function from the last statement to the first, so that all uses of a name are seen before its definition.
class Search {
 public:
  explicit Search(const Block& body) : never_read_(never_read(body)) {}

  void run(Block& body) {
    block(body);
    Frees{{}, removed_}.body(body);
  }

 private:
  struct Pieces : Rebuilder<Pieces> {
    Search& search;
    explicit Pieces(Search& search) : search(search) {}
    void expr(const Expr& e) const { search.use(e); }
    void use(const Name& n) const { search.needed_.insert(n); }
    void body(Block& b) const { search.block(b); }
  };

  // Takes away those of arrays that are no longer made.
  struct Frees : Rebuilder<Frees> {
    const nest::NameSet& removed;
    void body(Block& b) {
      std::erase_if(b.stmts, [&](const Stmt& s) {
        const auto* free = std::get_if<Free>(&s->node);
        return free && removed.contains(free->array);
      });
      Rebuilder<Frees>::body(b);
    }
  };

  void use(const Expr& e) { needed_.merge(nest::free_names(e)); }

  void block(Block& b) {
    for (const Value& v : b.yields) {
      if (const auto* e = std::get_if<Expr>(&v)) {
        use(*e);
      } else {
        needed_.insert(std::get<Name>(v));
      }
    }
    std::vector<Stmt> kept;
    for (size_t i = b.stmts.size(); i-- > 0;) {
      if (statement(b.stmts[i])) kept.push_back(b.stmts[i]);
    }
    b.stmts.assign(kept.rbegin(), kept.rend());
  }

  // Whether the statement stays. Blocks within it lose what they do not need.
  bool statement(Stmt& s) {
    if (std::holds_alternative<Free>(s->node)) return true;
    if (const Name* written = only_writes(s); written && never_read_.contains(*written)) return false;
    if (const Name* bound = only_binds(s); bound && !needed_.contains(*bound)) {
      removed_.insert(*bound);
      return false;
    }
    if (const auto* choose = std::get_if<Choose>(&s->node)) {
      Choose copy = *choose;
      backwards(copy);
      s = stmt(std::move(copy));
    } else {
      Pieces(*this).stmt(s);
    }
    return true;
  }

  // The scalars of a way are used by what stands behind them.
  void backwards(Choose& choose) {
    Pieces uses(*this);
    block(choose.otherwise);
    for (Way& w : choose.ways) {
      block(w.body);
      for (const std::vector<Expr>* list : {&w.sizes, &w.fixed, &w.places}) {
        for (const Expr& e : *list) use(e);
      }
      pieces(w.shape, uses);
      block(w.measured);
      use(w.guard);
      block(w.asked);
    }
  }

  nest::NameSet never_read_, needed_, removed_;
};

void clean(Block& body, nest::NameSet& needed) {
  Search(body).run(body);
  needed.merge(free_names(body));
}

}  // namespace

Program remove_dead(Program p) {
  nest::NameSet needed;
  for (Function& f : p.functions) clean(f.body, needed);
  std::vector<Binder> constants;
  std::vector<Value> yields;
  std::vector<Stmt> kept = p.init.stmts;
  for (size_t i = 0; i < p.constants.size(); ++i) {
    if (needed.contains(p.constants[i].name)) {
      constants.push_back(p.constants[i]);
      yields.push_back(p.init.yields[i]);
    } else if (const auto* array = std::get_if<Name>(&p.init.yields[i])) {
      p.init.stmts.push_back(stmt(Free{*array}));
    }
  }
  p.constants = std::move(constants);
  p.init.yields = std::move(yields);
  clean(p.init, needed);

  std::unordered_set<std::string> asked;
  for_each_stmt(p, [&](const Stmt& s) {
    if (const auto* get = std::get_if<GetParam>(&s->node)) asked.insert(get->param);
    if (const auto* compare = std::get_if<Compare>(&s->node)) asked.insert(compare->param);
  });
  std::erase_if(p.params, [&](const TuningParam& param) { return !asked.contains(param.name); });
  return p;
}

}  // namespace heddle::host
