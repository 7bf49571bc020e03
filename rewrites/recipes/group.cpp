#include "rewrites/recipes/group.h"

#include <algorithm>
#include <utility>

#include "ir/nest/traverse.h"
#include "rewrites/points/index_code.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// A result that lies in shared memory while a tile is computed, or in a register while a point is.
struct Tiled {
  Name buffer;
  std::vector<Expr> base;  // the element that is the buffer's first
};

// Redirects what a stage reads and stores.
struct Redirect : nest::Rebuilder<Redirect> {
  const std::unordered_map<Name, Tiled>& tiled;

  explicit Redirect(const std::unordered_map<Name, Tiled>& tiled) : tiled(tiled) {}

  std::vector<Expr> place(const Tiled& t, const std::vector<Expr>& element) const {
    std::vector<Expr> result;
    // A register has the element of the thread's point alone.
    for (size_t d = 0; d < t.base.size(); ++d) result.push_back(nest::sub(element[d], t.base[d]));
    return result;
  }
  void expr(Expr& e) {
    Rebuilder::expr(e);
    const auto* load = std::get_if<nest::Load>(&e->node);
    auto it = load ? tiled.find(load->buffer) : tiled.end();
    if (it != tiled.end()) e = nest::load(it->second.buffer, e->type, place(it->second, load->index));
  }
  void stmts(const nest::Stmt& s, nest::Block& out) {
    Rebuilder::stmts(s, out);
    const auto* store = std::get_if<nest::Store>(&out.back()->node);
    auto it = store ? tiled.find(store->buffer) : tiled.end();
    if (it != tiled.end())
      out.back() = nest::stmt(nest::Store{it->second.buffer, place(it->second, store->index), store->value});
  }
};

class GroupKernel {
 public:
  GroupKernel(const std::vector<const StageCode*>& stages, const stencil::Halos& halos, const stencil::Tile& tile,
              NameSource& names)
      : stages_(stages), halos_(halos), tile_(tile), names_(names), thread_(names.fresh("thread")) {}

  Launch run(const std::string& name) {
    nest::Block body = origins();
    for (size_t s = 0; s + 1 < stages_.size(); ++s) {
      if (auto reader = reader_at_its_point(s)) {
        with_[*reader].push_back(s);
      } else {
        allocate(s, body);
      }
    }
    bool first = true;
    for (size_t s = 0; s < stages_.size(); ++s) {
      if (s + 1 < stages_.size() && !tiled_.contains(stages_[s]->results[0])) continue;
      if (!std::exchange(first, false)) body.push_back(nest::stmt(nest::Barrier{nest::Scope::Block}));
      body.push_back(stage(s));
    }
    body = {nest::stmt(nest::For{thread_, i64(kGroupThreads), nest::Role::Block, std::move(body)})};
    Expr num_blocks = i64(1);
    const std::vector<recognize::Index>& points = stages_.back()->indices;
    for (size_t d = points.size(); d-- > 0;) {
      Expr tiles = nest::ceil_div(points[d].extent, i64(tile_[d]));
      num_blocks = nest::mul(tiles, num_blocks);
      body = {nest::stmt(nest::For{tiles_[d], tiles, nest::Role::Grid, std::move(body)})};
    }
    return launch(name, std::move(body), num_blocks);
  }

 private:
  static Expr index(const Name& n) { return nest::var(n, Type::I64); }

  // The only stage that reads this one, if each of its points reads the one that has the same place: whoever computes it there can
  // compute this one, too, and keep it in registers.
  std::optional<size_t> reader_at_its_point(size_t s) const {
    std::optional<size_t> reader;
    for (size_t r = s + 1; r < stages_.size(); ++r) {
      for (const recognize::WindowedRead& read : stages_[r]->reads) {
        if (std::ranges::find(stages_[s]->arrays, read.buffer) == stages_[s]->arrays.end()) continue;
        if ((reader && *reader != r) || !is_at_point(s, r, read)) return std::nullopt;
        reader = r;
      }
    }
    return reader;
  }

  bool is_at_point(size_t s, size_t reader, const recognize::WindowedRead& read) const {
    if (stages_[reader]->indices.size() != read.windows.size()) return false;
    for (size_t d = 0; d < read.windows.size(); ++d) {
      const stencil::Window& w = read.windows[d];
      bool same_place = w.follows == d && w.lo == 0 && w.hi == 0 && w.num == 1 && w.den == 1;
      if (!same_place || !nest::equal(stages_[s]->indices[d].extent, stages_[reader]->indices[d].extent)) return false;
    }
    return true;
  }

  // What a stage computes at its point, after what others compute for it there.
  nest::Block point(size_t s) {
    nest::Block code;
    for (size_t other : with_[s]) {
      for (size_t d = 0; d < stages_[other]->indices.size(); ++d)
        code.push_back(nest::stmt(nest::Let{stages_[other]->indices[d].name, index(stages_[s]->indices[d].name)}));
      for (size_t k = 0; k < stages_[other]->results.size(); ++k) {
        const Name& result = stages_[other]->results[k];
        Name name = names_.fresh(stages_[other]->arrays[k]);
        code.push_back(nest::stmt(nest::Alloc{{name, buffer_of(other, result).elem, nest::Space::Register, {}, {}}}));
        tiled_.insert_or_assign(result, Tiled{name, {}});
        tiled_.insert_or_assign(stages_[other]->arrays[k], Tiled{name, {}});
      }
      nest::Block before = point(other);
      code.insert(code.end(), before.begin(), before.end());
    }
    nest::Block own = stages_[s]->work;
    Redirect(tiled_).body(own);
    code.insert(code.end(), own.begin(), own.end());
    return code;
  }

  nest::Block origins() {
    nest::Block lets;
    for (size_t d = 0; d < tile_.size(); ++d) {
      const Name& like = stages_.back()->indices[d].name;
      tiles_.push_back(names_.fresh(like.base + "_tile"));
      origins_.push_back(names_.fresh(like.base + "_origin"));
      lets.push_back(nest::stmt(nest::Let{origins_.back(), nest::mul(index(tiles_.back()), i64(tile_[d]))}));
    }
    return lets;
  }

  // The first point in the tile, in dimension `d` of a stage.
  Expr first(size_t s, size_t d) const {
    const stencil::Halo& h = halos_.stages[s][d];
    if (!h.aligned) return i64(h.fixed.first);
    const stencil::Ratio& scale = h.aligned->scale;
    // The tile's size is a multiple of the denominator.
    Expr origin = nest::mul(index(origins_[h.aligned->tile_dim]), i64(scale.num));
    return nest::sub(nest::div(origin, i64(scale.den)), i64(h.left + h.shift));
  }

  std::vector<Expr> extents(size_t s) const {
    std::vector<Expr> result;
    for (int64_t e : stencil::extents(halos_, halos_.group.stages[s], tile_)) result.push_back(i64(e));
    return result;
  }

  void allocate(size_t s, nest::Block& body) {
    std::vector<Expr> base;
    for (size_t d = 0; d < stages_[s]->indices.size(); ++d) {
      Name name = names_.fresh(stages_[s]->indices[d].name.base + "_first");
      body.push_back(nest::stmt(nest::Let{name, first(s, d)}));
      base.push_back(index(name));
    }
    std::vector<Expr> dims = extents(s);
    for (size_t k = 0; k < stages_[s]->results.size(); ++k) {
      const Name& result = stages_[s]->results[k];
      Name name = names_.fresh(stages_[s]->arrays[k].base + "_tile");
      nest::Buffer buffer{name, buffer_of(s, result).elem, nest::Space::Shared, dims, nest::dense_strides(dims)};
      body.push_back(nest::stmt(nest::Alloc{buffer}));
      tiled_.insert_or_assign(result, Tiled{name, base});
      tiled_.insert_or_assign(stages_[s]->arrays[k], Tiled{name, base});
    }
  }

  const nest::Buffer& buffer_of(size_t s, const Name& name) const {
    return *std::ranges::find(stages_[s]->launch.kernel.buffers, name, &nest::Buffer::name);
  }

  // The points of a stage that are in the tile and that exist.
  nest::Stmt stage(size_t s) {
    const std::vector<recognize::Index>& indices = stages_[s]->indices;
    auto work = [&](const std::vector<Expr>& digits) {
      nest::Block lets;
      Expr exists = nest::constant(prim::Value::of_bool(true));
      for (size_t d = 0; d < indices.size(); ++d) {
        Expr point = index(indices[d].name);
        lets.push_back(nest::stmt(nest::Let{indices[d].name, nest::add(first(s, d), digits[d])}));
        const stencil::Halo& h = halos_.stages[s][d];
        bool may_be_negative = h.aligned ? h.left + h.shift > 0 : h.fixed.first < 0;
        if (may_be_negative) exists = nest::both(exists, nest::less(i64(-1), point));
        exists = nest::both(exists, nest::less(point, indices[d].extent));
      }
      lets.push_back(nest::stmt(nest::If{exists, point(s), {}}));
      return lets;
    };
    return by_turns(stencil::extents(halos_, halos_.group.stages[s], tile_), work);
  }

  // The threads take turns at the elements of a box. A tile has few, so 32 bits suffice to divide them, which are much faster.
  nest::Stmt by_turns(const std::vector<int64_t>& dims,
                      const std::function<nest::Block(const std::vector<Expr>&)>& element) {
    Name piece = names_.fresh("piece"), at = names_.fresh("at"), number = names_.fresh("number");
    int64_t count = 1;
    for (int64_t d : dims) count *= d;
    auto small = [](int64_t x) { return nest::constant(prim::Value::i32(static_cast<int32_t>(x))); };
    auto unsigned_of = [](prim::Family f, const Expr& a, const Expr& b) {
      return nest::operation(prim::Op(f, Type::I32), {a, b});
    };
    Expr rest = nest::var(number, Type::I32);
    std::vector<Expr> digits(dims.size());
    for (size_t d = dims.size(); d-- > 0;) {
      Expr digit = d == 0 ? rest : unsigned_of(prim::Family::UMod, rest, small(dims[d]));
      digits[d] = nest::operation(prim::Op(prim::Family::ZExt, Type::I32, Type::I64), {digit});
      if (d > 0) rest = unsigned_of(prim::Family::UDiv, rest, small(dims[d]));
    }
    nest::Block work = {nest::stmt(
        nest::Let{number, nest::operation(prim::Op(prim::Family::ZExt, Type::I64, Type::I32), {index(at)})})};
    nest::Block of_element = element(digits);
    work.insert(work.end(), of_element.begin(), of_element.end());
    Expr place = nest::add(nest::mul(index(piece), i64(kGroupThreads)), index(thread_));
    nest::Block body = {nest::stmt(nest::Let{at, place}),
                        nest::stmt(nest::If{nest::less(index(at), i64(count)), std::move(work), {}})};
    int64_t rounds = (count + kGroupThreads - 1) / kGroupThreads;
    return nest::stmt(nest::For{piece, i64(rounds), nest::Role::Serial, std::move(body)});
  }

  // All of the stages' parameters that are used.
  Launch launch(const std::string& name, nest::Block body, const Expr& num_blocks) {
    Launch result;
    nest::NameSet used = nest::free_names(body);
    for (const StageCode* s : stages_) {
      for (size_t k = 0; k < s->launch.kernel.buffers.size(); ++k) {
        const nest::Buffer& b = s->launch.kernel.buffers[k];
        if (!used.erase(b.name)) continue;
        result.kernel.buffers.push_back(b);
        result.buffer_args.push_back(s->launch.buffer_args[k]);
        for (const auto* sizes : {&b.dims, &b.strides}) {
          for (const Expr& e : *sizes) used.merge(nest::free_names(e));
        }
      }
    }
    for (const StageCode* s : stages_) {
      for (size_t k = 0; k < s->launch.kernel.scalars.size(); ++k) {
        if (!used.erase(s->launch.kernel.scalars[k].name)) continue;
        result.kernel.scalars.push_back(s->launch.kernel.scalars[k]);
        result.scalar_args.push_back(s->launch.scalar_args[k]);
      }
    }
    result.kernel.name = name;
    result.kernel.body = std::move(body);
    result.num_blocks = num_blocks;
    result.block_size = i64(kGroupThreads);
    return result;
  }

  const std::vector<const StageCode*>& stages_;
  const stencil::Halos& halos_;
  const stencil::Tile& tile_;
  NameSource& names_;
  Name thread_;
  std::vector<Name> tiles_, origins_;  // by dimension of the tile
  std::unordered_map<Name, Tiled> tiled_;
  std::unordered_map<size_t, std::vector<size_t>> with_;  // stages that are computed with another's points
};

}  // namespace

Launch group_kernel(const std::string& name, const std::vector<const StageCode*>& stages, const stencil::Halos& halos,
                    const stencil::Tile& tile, NameSource& names) {
  return GroupKernel(stages, halos, tile, names).run(name);
}

}  // namespace heddle::lower
