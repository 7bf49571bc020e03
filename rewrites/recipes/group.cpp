#include "rewrites/recipes/group.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/nest/fill.h"
#include "rewrites/points/index_code.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// A result that lies in shared memory while a tile is computed.
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
    for (size_t d = 0; d < element.size(); ++d) result.push_back(nest::sub(element[d], t.base[d]));
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
    for (size_t s = 0; s + 1 < stages_.size(); ++s) allocate(s, body);
    for (size_t s = 0; s < stages_.size(); ++s) {
      if (s > 0) body.push_back(nest::stmt(nest::Barrier{nest::Scope::Block}));
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
      nest::Block points = stages_[s]->work;
      Redirect(tiled_).body(points);
      lets.push_back(nest::stmt(nest::If{exists, std::move(points), {}}));
      return lets;
    };
    return nest::fill(extents(s), {index(thread_), i64(kGroupThreads)}, work, names_);
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
};

}  // namespace

Launch group_kernel(const std::string& name, const std::vector<const StageCode*>& stages, const stencil::Halos& halos,
                    const stencil::Tile& tile, NameSource& names) {
  return GroupKernel(stages, halos, tile, names).run(name);
}

}  // namespace heddle::lower
