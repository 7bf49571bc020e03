#include "rewrites/plan/tiled_contraction.h"

#include <algorithm>
#include <numeric>

#include "ir/nest/index_map.h"
#include "ir/nest/traverse.h"
#include "rewrites/contraction/dim_maps.h"
#include "rewrites/recipes/seg_of_expr.h"
#include "rewrites/recipes/way.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/sliding.h"
#include "rewrites/seg/tile_contraction.h"

namespace heddle::lower {

namespace {

using nest::Expr;
using prim::Family;
using prim::Type;
using seg::SubExp;

// What the host's block-level code can do well. H100, 2052x2052, 64 channels, 5x5: of nine tiles, those of 256 threads with
// 64 registers, of which an SM has two blocks, are 1.2 times as fast as those with 128. Of 16 rows by 32 columns they are as
// fast as of 32 by 16 for 32 and 64 channels, and 1.9 times as fast for 16, which fill half of the others. Operands along rows are
// loaded four at a time, so that 16 x 4 registers are 1.05 times as fast as 8 x 8, and these 1.14 times as fast as 4 x 16.
struct Tile {
  int64_t rows, columns;              // threads
  int64_t row_points, column_points;  // of each
};
constexpr int64_t kLanes = 32;
constexpr Tile kSquare{1, 8, 16, 4};
// The same tile where windows slide over a thread's rows: the more rows it has, the fewer elements it reads for each. With 14 rows it needs
// no more than 168 registers, so that an SM has three blocks of 128 threads: 1.04 to 1.17 times as fast as 8 rows of 256 threads, of
// which it has two blocks, and 1.11 to 1.24 times as fast as 16 rows of 128 threads, of which it has two as well.
constexpr Tile kSquareOfWindows{2, 2, 8, 14};
// For 8 channels and fewer all threads lie along columns: 1.6 times as fast as with half of them beyond the channels, but 1.1 times
// as slow where nothing is saved.
constexpr Tile kFlat{1, 8, 8, 8};
// Of a chunk along one index: what 32 neighbouring points read with windows of so many columns 32 threads copy at once, two elements
// each, and with so many as windows mostly have at most 16 threads, three each.
constexpr int64_t kSteps = 33, kColumns = 17;
// Along the outermost of several indices, what is read has no windows in common: chunks have few steps along it, and only where the
// others have few. Those have more together, since with each chunk the windows' halos are read again: 1.14 times as fast for 13x13.
// Windows of 17x17 are whole.
constexpr int64_t kOutermost = 4, kStepsTogether = 50, kStepsOfWindows = 300;
// Without windows the host tiles what there is well itself, with smaller blocks, and without copies that lay operands out anew. So a
// tile is only worth it where there are as many as blocks that fill a large device, two on each of its multiprocessors.
constexpr int64_t kFull = 256;
constexpr int64_t kWaste = 4;  // how many times the points that there are may be computed

// The one that reads the operands as they are and sees all indices that the program has.
const Specialized& way_that_can_be_said(const Plan& plan) {
  for (const Specialized& way : plan.specialized) {
    if (way.temporaries.empty() && way.before.empty() && way.first.empty() && way.after.empty() && !way.parts &&
        !way.doubt && way.name.find("merged") == std::string::npos)
      return way;
  }
  refuse("a contraction that is only computed by way of temporary arrays");
}

class WriteBack {
 public:
  WriteBack(const seg::Stm& stm, const Specialized& way, const TypesOfNames& types, const Layouts& layouts,
            NameSource& names)
      : stm_(stm), way_(way), match_(way.match), types_(types), layouts_(layouts), names_(names), host_(names) {
    values_ = host_values(way.launch);
    for (const auto& [name, value] : way.fixed) values_.insert_or_assign(name, value);
    // Nothing is laid anew.
    if (way.detour) values_.insert_or_assign(way.detour->pays, nest::constant(int64_t{0}));
  }

  seg::Stms run() {
    dimensions();
    seg::TiledContraction c{{}, {}, {}, {}, match_.reduce, match_.neutral, {}};
    for (size_t r = 0; r < match_.reduction.size(); ++r) reduction_.push_back(r);
    for (const recognize::Operand& o : match_.operands) c.operands.push_back(operand(o));
    for (const seg::Dim& d : shape_) c.parallel.push_back({d.size(), 1, 1});
    const auto [row, column] = rows_and_columns(c);
    const bool slides = slide_innermost(c, row, column);
    const Tile& square_tile = slides ? kSquareOfWindows : kSquare;
    for (size_t r : reduction_) {
      bool outermost = r == reduction_[0] && reduction_.size() > 1;
      bool is_column = slides && r != reduction_.back();
      c.reduction.push_back({host(match_.reduction[r].extent),
                             outermost   ? kOutermost
                             : is_column ? kColumns
                                         : kSteps,
                             outermost ? kStepsTogether : kStepsOfWindows});
    }
    if (!has_windows(c))
      few_points_ = kFull * kSquare.rows * kSquare.columns * kLanes * kSquare.row_points * kSquare.column_points;
    c.term = term();
    c.result = result();

    seg::Pat tiled = stm_.pat, plain = stm_.pat;
    tiled[0].name = names_.fresh(tiled[0].name);
    plain[0].name = names_.fresh(plain[0].name);
    for (auto& p : c.parallel) points_ = host_.mul(points_, p.extent);
    Version square = version(c, row, column, square_tile), flat = version(c, row, column, kFlat);
    // A square tile reads less for each point, so that a flat one has to save some.
    SubExp few = at_most(host_.mul(flat.computed, seg::i64(6)), host_.mul(square.computed, seg::i64(5)));
    SubExp in_flat = both(few, flat.fits);
    SubExp condition = guard(either(in_flat, square.fits));
    seg::Stm original = stm_;
    original.pat = plain;
    auto body = [&](seg::Stms stms, const seg::Pat& pat) {
      return std::make_shared<const seg::Body>(seg::Body{std::move(stms), {{{}, SubExp(pat[0].name)}}});
    };
    auto choice = [&](const seg::Pat& pat, const SubExp& is_first, seg::BodyPtr first, seg::BodyPtr second) {
      seg::Case yes{{prim::Value::of_bool(true)}, std::move(first)};
      seg::Match match{seg::MatchSort::Equiv, {is_first}, {std::move(yes)}, std::move(second), {stm_.pat[0].type}};
      return seg::Stm{pat, {}, {}, std::move(match), stm_.position};
    };
    seg::Stm tile =
        choice(tiled, in_flat, body(std::move(flat.stms), flat.pat), body(std::move(square.stms), square.pat));
    host_.add(choice(stm_.pat, condition, body(seg::just(tile), tiled), body(seg::just(original), plain)));
    return host_.take();
  }

 private:
  SubExp host(const Expr& e) { return seg_of(nest::substitute(values_, e), {}, host_); }

  // Which parallel index is which dimension of the result.
  void dimensions() {
    const auto& op = std::get<seg::SegOp>(stm_.exp);
    if (stm_.pat.size() != 1 || op.kind != seg::SegKind::Map) refuse("more results than one");
    shape_ = stm_.pat[0].type.dims;
    const std::vector<Expr>& index = match_.result.index;
    if (index.size() != shape_.size() || index.size() != match_.parallel.size()) refuse("a result seen differently");
    const std::vector<size_t> dims = dims_of(buffer(match_.result.buffer), stm_.pat[0].name, stm_.pat[0].type);
    for (size_t d = 0; d < index.size(); ++d) {
      const auto* v = std::get_if<nest::Var>(&index[dims[d]]->node);
      auto it = v ? std::ranges::find(match_.parallel, v->name, &recognize::Index::name) : match_.parallel.end();
      if (it == match_.parallel.end()) refuse("a result that is stored elsewhere than at its indices");
      if (!is_size(it->extent, shape_[d])) refuse("a result seen differently");
      of_dim_.push_back(static_cast<size_t>(it - match_.parallel.begin()));
    }
  }

  bool is_size(const Expr& extent, const seg::Dim& dim) const {
    Expr e = nest::substitute(values_, extent);
    if (dim.is_ext()) return false;
    if (dim.size().is_var()) {
      const auto* v = std::get_if<nest::Var>(&e->node);
      return v && v->name == dim.size().name();
    }
    return nest::int_constant(e) == dim.size().int_constant();
  }

  const nest::Buffer& buffer(const Name& name) const {
    const std::vector<nest::Buffer>& all = way_.launch.kernel.buffers;
    auto it = std::ranges::find(all, name, &nest::Buffer::name);
    if (it == all.end()) refuse("an operand that is no array");
    return *it;
  }

  // Which of a buffer's dimensions each of its array's is. Ways see those along which neighbours lie as the last, so that
  // transposed arrays are seen in another order than the program sees them; where sizes are equal, only strides tell.
  std::vector<size_t> dims_of(const nest::Buffer& buffer, const Name& array, const seg::Type& type) const {
    std::vector<size_t> dims(type.dims.size()), left(buffer.dims.size());
    if (dims.size() != left.size()) refuse("an array seen differently");
    std::iota(left.begin(), left.end(), size_t{0});
    const auto order = layouts_.dense_perm(array);
    const std::vector<Expr> strides = buffer.strides.empty() ? nest::dense_strides(buffer.dims) : buffer.strides;
    std::optional<nest::Polynomial> stride(1);
    // Outwards from where neighbours lie; arrays of which it is not known how they lie are seen as they are.
    for (size_t k = dims.size(); k-- > 0;) {
      size_t d = order ? static_cast<size_t>((*order)[k]) : k;
      auto is_it = [&](size_t b) {
        if (!is_size(buffer.dims[b], type.dims[d])) return false;
        return order ? stride && polynomial(strides[b]) == stride : b == d;
      };
      auto it = std::ranges::find_if(left, is_it);
      if (it == left.end()) refuse("an array seen differently");
      dims[d] = *it;
      if (auto extent = polynomial(buffer.dims[*it]); extent && stride) {
        stride = *stride * *extent;
      } else {
        stride.reset();
      }
      left.erase(it);
    }
    return dims;
  }

  std::optional<nest::Polynomial> polynomial(const Expr& e) const {
    return nest::from_expr(nest::substitute(values_, e), nest::no_definition);
  }

  struct Array {
    Name name;
    seg::Type type;
    std::vector<size_t> dims;  // of the buffer, by dimension of the array
  };
  Array array_of(const Name& name) const {
    const nest::Buffer& b = buffer(name);
    const auto* array =
        std::get_if<HostArray>(&way_.launch.buffer_args[static_cast<size_t>(&b - way_.launch.kernel.buffers.data())]);
    if (!array) refuse("an operand that is no array of the program");
    auto type = types_.find(array->name);
    if (type == types_.end()) refuse("an operand that is no array of the program");
    return {array->name, type->second, dims_of(b, array->name, type->second)};
  }

  seg::TiledContraction::Operand operand(const recognize::Operand& o) {
    const Array array = array_of(o.buffer);
    seg::TiledContraction::Operand operand{array.name, o.elem, {}, {}};
    if (auto order = layouts_.dense_perm(array.name)) {
      operand.order.assign(order->begin(), order->end());
    } else {
      operand.order.resize(array.dims.size());
      std::iota(operand.order.begin(), operand.order.end(), size_t{0});
    }
    std::vector<contraction::DimMap> maps = contraction::dim_maps(match_, o);
    for (size_t d = 0; d < array.dims.size(); ++d) {
      const contraction::DimMap& map = maps[array.dims[d]];
      auto step = [&](size_t index) -> std::optional<seg::TiledContraction::Step> {
        const nest::Coefficient& k = map.coefficients[index];
        if (nest::is_constant_zero(k.value)) return std::nullopt;
        return seg::TiledContraction::Step{host(k.negative ? nest::sub(nest::constant(int64_t{0}), k.value) : k.value),
                                           k.negative};
      };
      seg::TiledContraction::Dim dim{{}, {}, host(map.constant), array.type.dims[d].size()};
      for (size_t p : of_dim_) dim.parallel.push_back(step(p));
      for (size_t r : reduction_) dim.reduction.push_back(step(match_.parallel.size() + r));
      operand.dims.push_back(std::move(dim));
    }
    return operand;
  }

  static bool reads_along(const seg::TiledContraction::Operand& o, size_t p) {
    return std::ranges::any_of(o.dims, [&](const auto& d) { return d.parallel[p].has_value(); });
  }

  static bool has_windows(const seg::TiledContraction& c) {
    auto has_value = [](const auto& s) { return s.has_value(); };
    auto is_window = [&](const auto& d) {
      return std::ranges::any_of(d.parallel, has_value) && std::ranges::any_of(d.reduction, has_value);
    };
    return std::ranges::any_of(c.operands, [&](const auto& o) { return std::ranges::any_of(o.dims, is_window); });
  }

  // In registers are points along two dimensions, such that what is read for the one is used for all of the other.
  std::pair<size_t, size_t> rows_and_columns(const seg::TiledContraction& c) const {
    size_t last = shape_.size() - 1;
    auto reads_one = [&](size_t one, size_t other) {
      return std::ranges::any_of(c.operands,
                                 [&](const auto& o) { return reads_along(o, one) && !reads_along(o, other); });
    };
    for (size_t column = last; column-- > 0;) {
      for (size_t row = 0; row < last; ++row) {
        if (row == column || !reads_one(row, column) || !reads_one(column, row)) continue;
        // Rows are along the index that all of a warp's threads have in common what is read for.
        bool by_lanes =
            std::ranges::any_of(c.operands, [&](const auto& o) { return reads_along(o, row) && reads_along(o, last); });
        bool others = std::ranges::any_of(
            c.operands, [&](const auto& o) { return reads_along(o, column) && reads_along(o, last); });
        if (by_lanes && !others) continue;
        return {row, column};
      }
    }
    refuse("no two indices along which a thread could use again what it reads");
  }

  // Where windows slide over a column's points, makes the index along which they do the innermost, so that what the other operands are
  // read for in steps that are taken together lies side by side, and where is literal. Says whether they do.
  bool slide_innermost(seg::TiledContraction& c, size_t row, size_t column) {
    seg::TiledContraction in_points = c;
    in_points.reduction.resize(reduction_.size());
    in_points.parallel[row].points = kSquare.row_points;
    in_points.parallel[column].points = kSquare.column_points;
    auto s = seg::sliding(in_points);
    if (!s) return false;
    auto move = [&](auto& indices) {
      auto from = indices.begin() + static_cast<ptrdiff_t>(s->index);
      std::rotate(from, from + 1, indices.end());
    };
    move(reduction_);
    for (auto& o : c.operands) {
      for (auto& d : o.dims) move(d.reduction);
    }
    return true;
  }

  struct Version {
    seg::Pat pat;
    seg::Stms stms;
    SubExp computed, fits;  // how many points, beyond the result, too; and whether that is not too much
  };

  // Threads lie along the last dimension, so that they store neighbours, and so many along the two others.
  Version version(seg::TiledContraction c, size_t row, size_t column, const Tile& tile) {
    c.parallel.back().threads = kLanes;
    c.parallel[row].threads = tile.rows;
    c.parallel[column].threads = tile.columns;
    c.parallel[row].points = tile.row_points;
    c.parallel[column].points = tile.column_points;
    Version v{stm_.pat, {}, seg::i64(1), {}};
    v.pat[0].name = names_.fresh(v.pat[0].name);
    seg::ContractionCode code = seg::tile_contraction(c, v.pat, names_);
    host_.add_all(code.sizes);
    v.stms = std::move(code.stms);
    for (const auto& p : c.parallel) {
      SubExp tile = seg::i64(p.threads * p.points);
      v.computed = host_.mul(v.computed, host_.mul(host_.div_up(p.extent, tile), tile));
    }
    seg::SizeClass shared;
    shared.kind = seg::SizeClassKind::SharedMemory;
    SubExp room = host_.let("room", seg::Type::scalar(Type::I64), seg::GetSizeMax{shared});
    v.fits = both(at_most(code.shared_bytes, room), at_most(v.computed, host_.mul(points_, seg::i64(kWaste))));
    return v;
  }

  seg::Lambda term() {
    seg::Lambda lambda{{}, {seg::Type::scalar(match_.neutral.type)}, nullptr};
    Meanings meanings;
    for (const recognize::Operand& o : match_.operands) {
      lambda.params.push_back({{}, names_.fresh(o.value), seg::Type::scalar(o.elem)});
      meanings.values.insert_or_assign(o.value, lambda.params.back().name);
    }
    nest::NameSet used = nest::free_names(match_.term);
    auto uses = [&](const recognize::Index& i) { return used.contains(i.name); };
    if (std::ranges::any_of(match_.parallel, uses) || std::ranges::any_of(match_.reduction, uses)) {
      auto index = [&](const recognize::Index& i) {
        lambda.params.push_back({{}, names_.fresh(i.name), seg::Type::scalar(Type::I64)});
        meanings.values.insert_or_assign(i.name, lambda.params.back().name);
      };
      for (size_t p : of_dim_) index(match_.parallel[p]);
      for (size_t r : reduction_) index(match_.reduction[r]);
    }
    seg::Builder out(names_);
    SubExp value = seg_of(nest::substitute(values_, match_.term), meanings, out);
    lambda.body = std::make_shared<const seg::Body>(seg::Body{out.take(), {{{}, value}}});
    return lambda;
  }

  std::optional<seg::Lambda> result() {
    const auto* only = std::get_if<nest::Var>(&match_.result.value->node);
    if (only && only->name == match_.sum) return std::nullopt;
    seg::Lambda lambda{{}, {seg::Type::scalar(match_.result.value->type)}, nullptr};
    Meanings meanings;
    meanings.array = [&](const Name& buffer) {
      Array array = array_of(buffer);
      // Elements are read at the buffer's indices.
      if (!std::ranges::is_sorted(array.dims)) refuse("an array seen differently");
      return array.name;
    };
    auto param = [&](const Name& name, Type type) {
      lambda.params.push_back({{}, names_.fresh(name), seg::Type::scalar(type)});
      meanings.values.insert_or_assign(name, lambda.params.back().name);
    };
    param(match_.sum, match_.neutral.type);
    for (size_t p : of_dim_) param(match_.parallel[p].name, Type::I64);
    seg::Builder out(names_);
    SubExp value = seg_of(nest::substitute(values_, match_.result.value), meanings, out);
    lambda.body = std::make_shared<const seg::Body>(seg::Body{out.take(), {{{}, value}}});
    return lambda;
  }

  SubExp at_most(const SubExp& a, const SubExp& b) {
    return host_.let("at_most", seg::Type::scalar(Type::Bool), seg::PrimOp{prim::Op(Family::Sle, Type::I64), {a, b}});
  }
  SubExp both(const SubExp& a, const SubExp& b) {
    return host_.let("both", seg::Type::scalar(Type::Bool), seg::PrimOp{prim::Op(Family::LogAnd, Type::Bool), {a, b}});
  }

  SubExp either(const SubExp& a, const SubExp& b) {
    return host_.let("either", seg::Type::scalar(Type::Bool), seg::PrimOp{prim::Op(Family::LogOr, Type::Bool), {a, b}});
  }

  SubExp guard(const SubExp& fits) {
    Name threshold = names_.fresh("tiled_contraction");
    seg::SizeClass size_class;
    size_class.kind = seg::SizeClassKind::Threshold;
    size_class.default_value = few_points_;
    SubExp enough =
        host_.let("enough", seg::Type::scalar(Type::Bool), seg::CmpSize{threshold.text(), size_class, points_});
    SubExp all = both(enough, fits);
    return way_.guard ? both(all, host(way_.guard)) : all;
  }

  const seg::Stm& stm_;
  const Specialized& way_;
  const recognize::Contraction& match_;
  const TypesOfNames& types_;
  const Layouts& layouts_;
  NameSource& names_;
  seg::Builder host_;
  nest::Substitution values_;      // of the kernel's scalars, over the host's
  std::vector<seg::Dim> shape_;    // of the result
  SubExp points_ = seg::i64(1);    // of the result
  int64_t few_points_ = 1;         // with fewer, the threshold's default leaves the program as it was
  std::vector<size_t> of_dim_;     // the parallel index along each dimension
  std::vector<size_t> reduction_;  // the reduction's indices in the order in which they are tiled
};

}  // namespace

Result<seg::Stms> tiled_contraction(const seg::Stm& stm, const Plan& plan, const TypesOfNames& types,
                                    const Layouts& layouts, NameSource& names) try {
  if (!plan.match) refuse("no contraction");
  return WriteBack(stm, way_that_can_be_said(plan), types, layouts, names).run();
} catch (const Refused& r) {
  return r.error;
}

}  // namespace heddle::lower
