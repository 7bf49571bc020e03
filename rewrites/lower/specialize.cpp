#include "rewrites/lower/specialize.h"

#include <algorithm>

#include "ir/nest/index_map.h"
#include "ir/nest/printer.h"
#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/structure.h"
#include "rewrites/contraction/tiled.h"

namespace heddle::lower {

namespace {

using contraction::Structure;
using nest::Buffer;
using nest::Expr;
using nest::Name;
using poly::Polynomial;
using prim::Type;

class Specializer {
 public:
  Specializer(const recognize::Contraction& match, const Launch& direct, seg::NameSource& names)
      : match_(match), direct_(direct), names_(names) {
    for (size_t i = 0; i < direct.kernel.scalars.size(); ++i) {
      if (const auto* e = std::get_if<Expr>(&direct.scalar_args[i])) {
        host_values_.emplace(direct.kernel.scalars[i].name, *e);
      }
    }
  }

  Specialized run() {
    for (Buffer& b : direct_.kernel.buffers) put_contiguous_last(b);
    Structure s = contraction::structure_of(match_, direct_.kernel.buffers);
    for (size_t o = 0; o < match_.operands.size(); ++o) {
      if (auto dim = dimension_to_move(s, o)) relay(o, *dim);
    }
    if (!reuses(s)) refuse("every element is used for one point only");
    std::vector<Name> constants = fixed_scalars(contraction::structure_of(match_, direct_.kernel.buffers));
    contraction::Tiling tiling = contraction::name_tiling(match_, names_);
    Launch launch = direct_;
    launch.kernel = contraction::tiled(match_, tiling, constants, direct_.kernel, names_);
    launch.num_blocks = nest::num_blocks(launch.kernel);
    launch.block_size = nest::block_size(launch.kernel);
    launch.can_fail = false;
    launch.scalar_args.clear();
    for (size_t i = 0; i < direct_.scalar_args.size(); ++i) {
      const Name& n = direct_.kernel.scalars[i].name;
      if (std::find(constants.begin(), constants.end(), n) == constants.end())
        launch.scalar_args.push_back(direct_.scalar_args[i]);
    }
    keep_used(launch);
    std::vector<std::pair<Name, Expr>> fixed;
    for (const Name& n : constants) fixed.emplace_back(n, host_values_.at(n));
    Expr guard = steps_forwards(contraction::structure_of(match_, direct_.kernel.buffers));
    return {match_, std::move(tiling), std::move(relaid_), std::move(launch), std::move(fixed), guard};
  }

 private:
  // Whether some element is used for several points, so that keeping it near them pays.
  bool reuses(const Structure& s) const {
    for (const std::vector<contraction::DimMap>& maps : s.maps) {
      for (size_t p = 0; p < match_.parallel.size(); ++p) {
        bool used = false;
        for (const contraction::DimMap& m : maps) used |= depends(m, p);
        if (!used) return true;
      }
    }
    return std::find(s.window.begin(), s.window.end(), true) != s.window.end();
  }

  // ---- Operands in another order. ----

  // A transposed array is one with another order of dimensions.
  void put_contiguous_last(Buffer& b) {
    if (b.strides.empty() || nest::int_constant(b.strides.back()) == 1) return;
    // What is done to the sum reads the buffer in the order that it has.
    if (nest::free_names(match_.result.value).contains(b.name)) return;
    for (size_t d = 0; d + 1 < b.dims.size(); ++d) {
      if (nest::int_constant(b.strides[d]) != 1) continue;
      move_last(b.dims, d);
      move_last(b.strides, d);
      for (recognize::Operand& o : match_.operands) {
        if (o.buffer == b.name) move_last(o.index, d);
      }
      if (match_.result.buffer == b.name) move_last(match_.result.index, d);
      return;
    }
  }

  // The dimension along which a thread needs neighbouring elements, if it is not the last: where the last one is moved
  // along by a window only, it has few elements, and they belong to one point.
  std::optional<size_t> dimension_to_move(const Structure& s, size_t o) const {
    const std::vector<contraction::DimMap>& maps = s.maps[o];
    if (maps.size() < 2) return std::nullopt;
    size_t num_parallel = match_.parallel.size();
    for (size_t p = 0; p < num_parallel; ++p) {
      if (depends(maps.back(), p)) return std::nullopt;
    }
    bool along_window = false;
    for (size_t r = 0; r < match_.reduction.size(); ++r)
      along_window |= depends(maps.back(), num_parallel + r) && s.window[r];
    if (!along_window) return std::nullopt;
    for (size_t d = 0; d + 1 < maps.size(); ++d) {
      bool by_reduction = false, by_point = false;
      for (size_t r = 0; r < match_.reduction.size(); ++r) by_reduction |= depends(maps[d], num_parallel + r);
      for (size_t p = 0; p < num_parallel; ++p) by_point |= nest::int_constant(maps[d].coefficients[p]) == 1;
      if (by_point && !by_reduction) return d;
    }
    return std::nullopt;
  }

  template <class T>
  static void move_last(std::vector<T>& list, size_t dim) {
    std::rotate(list.begin() + static_cast<long>(dim), list.begin() + static_cast<long>(dim) + 1, list.end());
  }

  void relay(size_t o, size_t dim) {
    recognize::Operand& operand = match_.operands[o];
    auto same = [&](const Buffer& b) { return b.name == operand.buffer; };
    auto source = std::find_if(direct_.kernel.buffers.begin(), direct_.kernel.buffers.end(), same);
    BufferArg source_arg = direct_.buffer_args[static_cast<size_t>(source - direct_.kernel.buffers.begin())];
    Buffer target{names_.fresh(operand.buffer.base + "_relaid"), operand.elem, nest::Space::Global, source->dims, {}};
    move_last(target.dims, dim);
    target.strides = nest::dense_strides(target.dims);
    Expr num_elems = nest::constant(int64_t{1});
    for (const Expr& d : target.dims) num_elems = nest::mul(num_elems, nest::substitute(host_values_, d));

    relaid_.push_back({operand.elem, num_elems, relay_launch(*source, source_arg, target, dim)});
    operand.buffer = target.name;
    move_last(operand.index, dim);
    direct_.kernel.buffers.push_back(target);
    direct_.buffer_args.emplace_back(RelaidArray{static_cast<int>(relaid_.size()) - 1});
  }

  // One thread per element, so that it is the writes that are to neighbours.
  Launch relay_launch(const Buffer& source, const BufferArg& source_arg, const Buffer& target, size_t dim) {
    constexpr int64_t kBlockSize = 256;
    Launch launch;
    launch.kernel.name = direct_.kernel.name + "_relay" + std::to_string(relaid_.size());
    launch.kernel.scalars = direct_.kernel.scalars;
    launch.scalar_args = direct_.scalar_args;
    launch.kernel.buffers = {source, target};
    launch.buffer_args = {source_arg, RelaidArray{static_cast<int>(relaid_.size())}};

    Name block = names_.fresh("block"), thread = names_.fresh("thread"), element = names_.fresh("element");
    Expr total = nest::constant(int64_t{1}), rest = nest::var(element, Type::I64);
    for (const Expr& d : target.dims) total = nest::mul(total, d);
    std::vector<Expr> to(target.dims.size());
    for (size_t d = to.size(); d-- > 1;) {
      to[d] = nest::mod(rest, target.dims[d]);
      rest = nest::div(rest, target.dims[d]);
    }
    to[0] = rest;
    std::vector<Expr> from = to;
    std::rotate(from.begin() + static_cast<long>(dim), from.end() - 1, from.end());
    nest::Stmt move = nest::stmt(nest::Store{target.name, to, nest::load(source.name, source.elem, from)});
    Expr index =
        nest::add(nest::mul(nest::var(block, Type::I64), nest::constant(kBlockSize)), nest::var(thread, Type::I64));
    nest::Block body = {nest::stmt(nest::Let{element, index}),
                        nest::stmt(nest::If{nest::less(nest::var(element, Type::I64), total), {move}, {}})};
    body = {nest::stmt(nest::For{thread, nest::constant(kBlockSize), nest::Role::Block, body})};
    launch.kernel.body = {
        nest::stmt(nest::For{block, nest::ceil_div(total, nest::constant(kBlockSize)), nest::Role::Grid, body})};
    launch.num_blocks = nest::num_blocks(launch.kernel);
    launch.block_size = nest::block_size(launch.kernel);
    keep_used(launch);
    return launch;
  }

  // ---- Parameters. ----

  // The scalars that decide how windows lie.
  std::vector<Name> fixed_scalars(const Structure& s) const {
    nest::NameSet names;
    auto add = [&](const Expr& e) {
      for (const Name& n : nest::free_names(e)) names.insert(n);
    };
    for (size_t r = 0; r < match_.reduction.size(); ++r) {
      if (s.window[r]) add(match_.reduction[r].extent);
    }
    for (const std::vector<contraction::DimMap>& maps : s.maps) {
      for (const contraction::DimMap& m : maps) {
        for (const Expr& k : m.coefficients) add(k);
      }
    }
    std::vector<Name> result;
    for (const nest::ScalarParam& p : direct_.kernel.scalars) {
      if (!names.contains(p.name)) continue;
      if (p.type != Type::I64 || !host_values_.contains(p.name))
        refuse("a window's extent is known to the kernel only");
      result.push_back(p.name);
    }
    for (const Name& n : result) {
      for (const recognize::Index& p : match_.parallel) {
        if (nest::equal(p.extent, nest::var(n, Type::I64)))
          refuse("the kernel would have to be compiled anew for every " + n.text());
      }
    }
    return result;
  }

  // That the names in coefficients are not negative, over the host's scalars: so it is known which way operands are run
  // through.
  Expr steps_forwards(const Structure& s) const {
    nest::NameSet names;
    for (const std::vector<contraction::DimMap>& maps : s.maps) {
      for (const contraction::DimMap& m : maps) {
        for (const Expr& k : m.coefficients) {
          if (!contraction::sign(k)) refuse("sizes decide which way an operand is run through, by " + nest::to_text(k));
          for (const Name& n : nest::free_names(k)) names.insert(n);
        }
      }
    }
    Expr all;
    for (const nest::ScalarParam& p : direct_.kernel.scalars) {
      if (!names.contains(p.name)) continue;
      Expr condition = nest::less(nest::constant(int64_t{-1}), host_values_.at(p.name));
      all = all ? nest::both(all, condition) : condition;
    }
    return all;
  }

  // Takes away the parameters that the kernel no longer uses.
  static void keep_used(Launch& launch) {
    nest::NameSet used = nest::free_names(launch.kernel.body);
    std::vector<Buffer> buffers;
    std::vector<BufferArg> buffer_args;
    for (size_t i = 0; i < launch.kernel.buffers.size(); ++i) {
      const Buffer& b = launch.kernel.buffers[i];
      if (!used.contains(b.name)) continue;
      buffers.push_back(b);
      buffer_args.push_back(launch.buffer_args[i]);
    }
    for (const Buffer& b : buffers) {
      for (const std::vector<Expr>* list : {&b.dims, &b.strides}) {
        for (const Expr& e : *list) {
          for (const Name& n : nest::free_names(e)) used.insert(n);
        }
      }
    }
    std::vector<nest::ScalarParam> scalars;
    std::vector<ScalarArg> scalar_args;
    for (size_t i = 0; i < launch.scalar_args.size(); ++i) {
      if (!used.contains(launch.kernel.scalars[i].name)) continue;
      scalars.push_back(launch.kernel.scalars[i]);
      scalar_args.push_back(launch.scalar_args[i]);
    }
    launch.kernel.buffers = std::move(buffers);
    launch.buffer_args = std::move(buffer_args);
    launch.kernel.scalars = std::move(scalars);
    launch.scalar_args = std::move(scalar_args);
  }

  recognize::Contraction match_;
  Launch direct_;
  seg::NameSource& names_;
  nest::Substitution host_values_;
  std::vector<Relaid> relaid_;
};

}  // namespace

Result<Specialized> specialize(const recognize::Contraction& match, const Launch& direct, seg::NameSource& names) {
  try {
    return Specializer(match, direct, names).run();
  } catch (const Refused& r) {
    return r.error;
  }
}

}  // namespace heddle::lower
