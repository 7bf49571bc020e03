// The seg IR: what a program computes, before (SOACS form) and after (GPU form) Futhark's kernel extraction.
//
// Semantics, as far as a pass may rely on them:
//  * Programs are in A-normal form and single-assignment. Names are identical when their tags are; a tag may be bound
//    again in disjoint scopes, never within the scope of its first binding.
//  * Values are immutable, except that `update`, `flat_update`, loops over unique parameters, `scatter` destinations
//    and accumulators consume their source: after consumption neither it nor anything that aliases it is used again. A
//    consumed array's memory may be overwritten in place.
//  * Evaluation order is data dependence only. An operation without certificates may be moved, duplicated or dropped,
//    even out of a branch or loop that would not have run it, unless prim::can_fail holds of it.
//  * A statement with certificates #{c} must not be evaluated before the asserts that bind c have succeeded; indexing
//    is only known to be in bounds under its certificates. `assert` itself may be moved, or dropped when proved, but a
//    program that must fail has to fail, and an assert that would not have been reached must not fail.
//  * The operator of a reduce, scan or hist is associative with the given neutral element (also for floats: sums may
//    be reordered by association); it is commutative only where the form says so, or where it is a single operator
//    of ir/prim that is.
//  * In a segop, all points of the segspace are independent; WriteReturns of several points may collide only with equal
//    values or unspecified winner. Results of `returns` are per-point values.
//  * `match <equiv>`: all branches compute the same value; the default may always be taken, a case only where the
//    feasibility part of its condition holds. `<fallback>` marks a case that we hope for, with a slower default.
//
// Nodes are plain immutable structs. Each lists its fields once (`fields`); comparing, walking and rebuilding derive
// from that (traverse.h). The kinds of expression are listed once, in `Exp`.
#pragma once

#include "ir/seg/types.h"

namespace heddle::seg {

struct Body;
using BodyPtr = std::shared_ptr<const Body>;
struct KernelBody;
using KernelBodyPtr = std::shared_ptr<const KernelBody>;

using Certs = std::vector<Name>;

struct Attr {
  std::variant<std::string, int64_t> head;  // #[name], #[name(args)] or a number (only as an argument)
  std::vector<Attr> args;
  bool operator==(const Attr&) const = default;
};
using Attrs = std::vector<Attr>;

// ---- Binders. ----

struct Param {
  Attrs attrs;
  Name name;
  Type type;
  bool operator==(const Param&) const = default;
};

struct PatElem {
  Name name;
  Type type;
  bool operator==(const PatElem&) const = default;
};
using Pat = std::vector<PatElem>;

// ---- Pieces. ----

struct SubExpRes {
  Certs certs;
  SubExp value;
  static constexpr auto fields = std::tuple(&SubExpRes::certs, &SubExpRes::value);
  bool operator==(const SubExpRes&) const = default;
};

struct Lambda {
  std::vector<Param> params;
  std::vector<Type> ret;
  BodyPtr body;
  bool operator==(const Lambda& o) const;
};

struct DimFix {
  SubExp index;
  static constexpr auto fields = std::tuple(&DimFix::index);
  bool operator==(const DimFix&) const = default;
};
struct DimSlice {
  SubExp start, count, stride;
  static constexpr auto fields = std::tuple(&DimSlice::start, &DimSlice::count, &DimSlice::stride);
  bool operator==(const DimSlice&) const = default;
};
using DimIndex = std::variant<DimFix, DimSlice>;
using Slice = std::vector<DimIndex>;

struct FlatDim {
  SubExp count, stride;
  static constexpr auto fields = std::tuple(&FlatDim::count, &FlatDim::stride);
  bool operator==(const FlatDim&) const = default;
};
struct FlatSlice {
  SubExp offset;
  std::vector<FlatDim> dims;
  static constexpr auto fields = std::tuple(&FlatSlice::offset, &FlatSlice::dims);
  bool operator==(const FlatSlice&) const = default;
};

// ---- Basic operations. ----

struct Atom {  // just a value
  SubExp value;
  static constexpr auto fields = std::tuple(&Atom::value);
  bool operator==(const Atom&) const = default;
};

struct Opaque {  // identity that no optimisation sees through; with a tag (#[trace]) it prints its argument
  std::optional<std::string> trace;
  SubExp value;
  static constexpr auto fields = std::tuple(&Opaque::trace, &Opaque::value);
  bool operator==(const Opaque&) const = default;
};

struct PrimOp {  // unary, binary, comparison and conversion operators alike
  prim::Op op;
  std::vector<SubExp> args;
  static constexpr auto fields = std::tuple(&PrimOp::op, &PrimOp::args);
  bool operator==(const PrimOp&) const = default;
};

struct ArrayLit {  // [a, b, c] : []row_type
  std::vector<SubExp> elems;
  Type row_type;
  static constexpr auto fields = std::tuple(&ArrayLit::elems, &ArrayLit::row_type);
  bool operator==(const ArrayLit&) const = default;
};

struct ArrayVal {  // a one-dimensional array of constants
  std::vector<prim::Value> elems;
  prim::Type elem_type;
  static constexpr auto fields = std::tuple(&ArrayVal::elems, &ArrayVal::elem_type);
  bool operator==(const ArrayVal&) const = default;
};

struct ErrorVal {
  SubExp value;
  prim::Type type;
  static constexpr auto fields = std::tuple(&ErrorVal::value, &ErrorVal::type);
  bool operator==(const ErrorVal&) const = default;
};
using ErrorPart = std::variant<std::string, ErrorVal>;

struct Assert {
  SubExp condition;
  std::vector<ErrorPart> message;
  std::string location;
  static constexpr auto fields = std::tuple(&Assert::condition, &Assert::message, &Assert::location);
  bool operator==(const Assert&) const = default;
};

struct Index {
  Name array;
  Slice slice;
  static constexpr auto fields = std::tuple(&Index::array, &Index::slice);
  bool operator==(const Index&) const = default;
};

struct Update {
  Name array;
  bool safe = false;  // `with?`: out of bounds means no update
  Slice slice;
  SubExp value;
  static constexpr auto fields = std::tuple(&Update::array, &Update::safe, &Update::slice, &Update::value);
  bool operator==(const Update&) const = default;
};

struct FlatIndex {
  Name array;
  FlatSlice slice;
  static constexpr auto fields = std::tuple(&FlatIndex::array, &FlatIndex::slice);
  bool operator==(const FlatIndex&) const = default;
};

struct FlatUpdate {
  Name array;
  FlatSlice slice;
  Name value;
  static constexpr auto fields = std::tuple(&FlatUpdate::array, &FlatUpdate::slice, &FlatUpdate::value);
  bool operator==(const FlatUpdate&) const = default;
};

struct Concat {
  int dim = 0;
  SubExp width;  // of the result along dim
  std::vector<Name> arrays;
  static constexpr auto fields = std::tuple(&Concat::dim, &Concat::width, &Concat::arrays);
  bool operator==(const Concat&) const = default;
};

struct Manifest {  // the same value, laid out so that dimension perm.back() is contiguous
  std::vector<int> perm;
  Name array;
  static constexpr auto fields = std::tuple(&Manifest::perm, &Manifest::array);
  bool operator==(const Manifest&) const = default;
};

struct Iota {
  SubExp count, start, stride;
  prim::Type elem;
  static constexpr auto fields = std::tuple(&Iota::count, &Iota::start, &Iota::stride, &Iota::elem);
  bool operator==(const Iota&) const = default;
};

struct Replicate {  // with an empty shape: a copy in fresh memory
  Shape shape;
  SubExp value;
  static constexpr auto fields = std::tuple(&Replicate::shape, &Replicate::value);
  bool operator==(const Replicate&) const = default;
};

struct Scratch {  // an array of undefined elements
  prim::Type elem;
  Shape shape;
  static constexpr auto fields = std::tuple(&Scratch::elem, &Scratch::shape);
  bool operator==(const Scratch&) const = default;
};

struct Reshape {
  bool coerce = false;  // same shape, other names for the sizes
  Shape shape;
  Name array;
  static constexpr auto fields = std::tuple(&Reshape::coerce, &Reshape::shape, &Reshape::array);
  bool operator==(const Reshape&) const = default;
};

struct Rearrange {  // dimension i of the result is dimension perm[i] of the array
  std::vector<int> perm;
  Name array;
  static constexpr auto fields = std::tuple(&Rearrange::perm, &Rearrange::array);
  bool operator==(const Rearrange&) const = default;
};

struct UpdateAcc {
  bool safe = true;  // false: the index is known to be in bounds
  Name acc;
  std::vector<SubExp> index;
  std::vector<SubExp> values;
  static constexpr auto fields = std::tuple(&UpdateAcc::safe, &UpdateAcc::acc, &UpdateAcc::index, &UpdateAcc::values);
  bool operator==(const UpdateAcc&) const = default;
};

// ---- Control. ----

struct Arg {
  bool consumed = false;
  SubExp value;
  static constexpr auto fields = std::tuple(&Arg::consumed, &Arg::value);
  bool operator==(const Arg&) const = default;
};

struct RetType {  // a result type, and which parameters and other results it may alias
  Type type;
  std::vector<int> alias_params, alias_results;
  static constexpr auto fields = std::tuple(&RetType::type, &RetType::alias_params, &RetType::alias_results);
  bool operator==(const RetType&) const = default;
};

struct Apply {  // a function of the program, or a builtin (prim::find_function)
  bool unsafe = false;
  std::string function;
  std::vector<Arg> args;
  std::vector<RetType> ret;
  static constexpr auto fields = std::tuple(&Apply::unsafe, &Apply::function, &Apply::args, &Apply::ret);
  bool operator==(const Apply&) const = default;
};

enum class MatchSort { Normal, Fallback, Equiv };

struct Case {
  std::vector<std::optional<prim::Value>> pattern;  // nullopt: any value
  BodyPtr body;
  static constexpr auto fields = std::tuple(&Case::pattern, &Case::body);
  bool operator==(const Case& o) const;
};

struct Match {  // `if c then a else b` is the match of {c} with one case {true}
  MatchSort sort = MatchSort::Normal;
  std::vector<SubExp> subjects;
  std::vector<Case> cases;
  BodyPtr otherwise;
  std::vector<Type> ret;
  static constexpr auto fields =
      std::tuple(&Match::sort, &Match::subjects, &Match::cases, &Match::otherwise, &Match::ret);
  bool operator==(const Match& o) const;

  bool is_if() const {
    return subjects.size() == 1 && cases.size() == 1 && cases[0].pattern.size() == 1 && cases[0].pattern[0] &&
           *cases[0].pattern[0] == prim::Value::of_bool(true);
  }
};

struct ForLoop {
  Name index;  // binds
  prim::Type index_type;
  SubExp bound;
  bool operator==(const ForLoop&) const = default;
};
struct WhileLoop {
  Name condition;  // one of the loop's parameters
  static constexpr auto fields = std::tuple(&WhileLoop::condition);
  bool operator==(const WhileLoop&) const = default;
};

struct Loop {
  std::vector<Param> params;
  std::vector<SubExp> inits;
  std::variant<ForLoop, WhileLoop> form;
  BodyPtr body;
  bool operator==(const Loop& o) const;
};

struct WithAccOp {
  Lambda op;
  std::vector<SubExp> neutral;
  static constexpr auto fields = std::tuple(&WithAccOp::op, &WithAccOp::neutral);
  bool operator==(const WithAccOp&) const = default;
};
struct WithAccInput {
  Shape shape;
  std::vector<Name> arrays;
  std::optional<WithAccOp> op;  // none: updates overwrite
  static constexpr auto fields = std::tuple(&WithAccInput::shape, &WithAccInput::arrays, &WithAccInput::op);
  bool operator==(const WithAccInput&) const = default;
};
struct WithAcc {
  std::vector<WithAccInput> inputs;
  Lambda lambda;  // parameters: a certificate per input, then an accumulator per input
  static constexpr auto fields = std::tuple(&WithAcc::inputs, &WithAcc::lambda);
  bool operator==(const WithAcc&) const = default;
};

// ---- SOACs. ----

struct ScanOp {
  Lambda lambda;
  std::vector<SubExp> neutral;
  static constexpr auto fields = std::tuple(&ScanOp::lambda, &ScanOp::neutral);
  bool operator==(const ScanOp&) const = default;
};
struct ReduceOp {
  bool commutative = false;
  Lambda lambda;
  std::vector<SubExp> neutral;
  static constexpr auto fields = std::tuple(&ReduceOp::commutative, &ReduceOp::lambda, &ReduceOp::neutral);
  bool operator==(const ReduceOp&) const = default;
};

// map (no scans, no reduces), redomap (no scans), scanomap (no reduces), or both. The map's results are, in order,
// the scans' inputs, the reduces' inputs, and what is returned as it is; the screma's results are in the order
// scans, reduces, mapped.
struct Screma {
  SubExp width;
  std::vector<Name> arrays;
  Lambda map;
  std::vector<ScanOp> scans;
  std::vector<ReduceOp> reduces;
  static constexpr auto fields =
      std::tuple(&Screma::width, &Screma::arrays, &Screma::map, &Screma::scans, &Screma::reduces);
  bool operator==(const Screma&) const = default;
};

struct ScatterDest {
  Shape shape;
  int num_writes = 0;
  Name array;
  static constexpr auto fields = std::tuple(&ScatterDest::shape, &ScatterDest::num_writes, &ScatterDest::array);
  bool operator==(const ScatterDest&) const = default;
};
struct Scatter {
  SubExp width;
  std::vector<Name> arrays;
  std::vector<ScatterDest> dests;
  Lambda lambda;
  static constexpr auto fields = std::tuple(&Scatter::width, &Scatter::arrays, &Scatter::dests, &Scatter::lambda);
  bool operator==(const Scatter&) const = default;
};

struct HistOp {
  Shape shape;
  SubExp race_factor;
  std::vector<Name> dests;
  std::vector<SubExp> neutral;
  Shape op_shape;  // seghist only: the operator is a map over this shape
  Lambda op;
  static constexpr auto fields = std::tuple(&HistOp::shape, &HistOp::race_factor, &HistOp::dests, &HistOp::neutral,
                                            &HistOp::op_shape, &HistOp::op);
  bool operator==(const HistOp&) const = default;
};
struct Hist {
  SubExp width;
  std::vector<Name> arrays;
  std::vector<HistOp> ops;
  Lambda bucket;
  static constexpr auto fields = std::tuple(&Hist::width, &Hist::arrays, &Hist::ops, &Hist::bucket);
  bool operator==(const Hist&) const = default;
};

// Sequential stream: the lambda takes a chunk size, the accumulators, and chunks of the arrays; any chunking gives the
// same result.
struct Stream {
  SubExp width;
  std::vector<Name> arrays;
  std::vector<SubExp> accs;
  Lambda lambda;
  static constexpr auto fields = std::tuple(&Stream::width, &Stream::arrays, &Stream::accs, &Stream::lambda);
  bool operator==(const Stream&) const = default;
};

struct Derivative {  // jvp or vjp: present only before automatic differentiation has run
  bool reverse = false;
  std::vector<SubExp> args;
  std::vector<SubExp> seeds;
  Lambda lambda;
  static constexpr auto fields =
      std::tuple(&Derivative::reverse, &Derivative::args, &Derivative::seeds, &Derivative::lambda);
  bool operator==(const Derivative&) const = default;
};

// ---- The GPU form. ----

enum class SegKind { Map, Red, Scan, Hist };
enum class LevelKind { Thread, Block, InBlock };
enum class Virt { None, Full, Virtualise };

struct KernelGrid {
  SubExp num_blocks, block_size;
  static constexpr auto fields = std::tuple(&KernelGrid::num_blocks, &KernelGrid::block_size);
  bool operator==(const KernelGrid&) const = default;
};
struct SegLevel {
  LevelKind kind = LevelKind::Thread;
  Virt virt = Virt::None;
  std::vector<int> seq_dims;  // with Virt::Full
  std::optional<KernelGrid> grid;
  static constexpr auto fields = std::tuple(&SegLevel::kind, &SegLevel::virt, &SegLevel::seq_dims, &SegLevel::grid);
  bool operator==(const SegLevel&) const = default;
};

struct SegDim {
  Name index;  // binds
  SubExp size;
  bool operator==(const SegDim&) const = default;
};
struct SegSpace {
  Name flat;  // binds: the point's row-major number
  std::vector<SegDim> dims;
  bool operator==(const SegSpace&) const = default;
};

struct SegBinOp {
  bool commutative = false;
  Lambda lambda;
  std::vector<SubExp> neutral;
  Shape shape;  // the operator is a map over this shape
  static constexpr auto fields =
      std::tuple(&SegBinOp::commutative, &SegBinOp::lambda, &SegBinOp::neutral, &SegBinOp::shape);
  bool operator==(const SegBinOp&) const = default;
};

enum class ReturnsKind { MaySimplify, Manifest, Private };
struct Returns {
  ReturnsKind kind = ReturnsKind::MaySimplify;
  Certs certs;
  SubExp value;
  static constexpr auto fields = std::tuple(&Returns::kind, &Returns::certs, &Returns::value);
  bool operator==(const Returns&) const = default;
};
struct Write {
  Slice slice;
  SubExp value;
  static constexpr auto fields = std::tuple(&Write::slice, &Write::value);
  bool operator==(const Write&) const = default;
};
struct WriteReturns {
  Certs certs;
  Name array;
  std::vector<Write> writes;
  static constexpr auto fields = std::tuple(&WriteReturns::certs, &WriteReturns::array, &WriteReturns::writes);
  bool operator==(const WriteReturns&) const = default;
};
struct TileDim {
  SubExp dim, tile;
  static constexpr auto fields = std::tuple(&TileDim::dim, &TileDim::tile);
  bool operator==(const TileDim&) const = default;
};
struct TileReturns {
  Certs certs;
  std::vector<TileDim> dims;
  Name array;
  static constexpr auto fields = std::tuple(&TileReturns::certs, &TileReturns::dims, &TileReturns::array);
  bool operator==(const TileReturns&) const = default;
};
struct RegTileDim {
  SubExp dim, block_tile, reg_tile;
  static constexpr auto fields = std::tuple(&RegTileDim::dim, &RegTileDim::block_tile, &RegTileDim::reg_tile);
  bool operator==(const RegTileDim&) const = default;
};
struct RegTileReturns {
  Certs certs;
  std::vector<RegTileDim> dims;
  Name array;
  static constexpr auto fields = std::tuple(&RegTileReturns::certs, &RegTileReturns::dims, &RegTileReturns::array);
  bool operator==(const RegTileReturns&) const = default;
};
using KernelResult = std::variant<Returns, WriteReturns, TileReturns, RegTileReturns>;

struct SegOp {
  SegKind kind = SegKind::Map;
  SegLevel level;
  SegSpace space;
  std::vector<SegBinOp> ops;  // Red, Scan
  std::vector<HistOp> hists;  // Hist
  std::vector<Type> types;    // of what one point yields
  KernelBodyPtr body;
  bool operator==(const SegOp& o) const;
};

enum class SizeClassKind { ThreadBlock, Grid, Tile, RegTile, SharedMemory, Threshold, Bespoke };
struct PathStep {
  bool taken = true;
  std::string threshold;
  bool operator==(const PathStep&) const = default;
};
struct SizeClass {
  SizeClassKind kind = SizeClassKind::ThreadBlock;
  std::optional<int64_t> default_value;  // Threshold (nullopt: def), Bespoke
  std::vector<PathStep> path;            // Threshold
  std::string bespoke;                   // Bespoke
  bool operator==(const SizeClass&) const = default;
};

struct GetSize {
  std::string key;
  SizeClass size_class;
  static constexpr auto fields = std::tuple(&GetSize::key, &GetSize::size_class);
  bool operator==(const GetSize&) const = default;
};
struct GetSizeMax {
  SizeClass size_class;
  static constexpr auto fields = std::tuple(&GetSizeMax::size_class);
  bool operator==(const GetSizeMax&) const = default;
};
struct CmpSize {  // the parameter's value <= value
  std::string key;
  SizeClass size_class;
  SubExp value;
  static constexpr auto fields = std::tuple(&CmpSize::key, &CmpSize::size_class, &CmpSize::value);
  bool operator==(const CmpSize&) const = default;
};
struct CalcNumBlocks {
  SubExp width;
  std::string max_blocks_key;
  SubExp block_size;
  static constexpr auto fields =
      std::tuple(&CalcNumBlocks::width, &CalcNumBlocks::max_blocks_key, &CalcNumBlocks::block_size);
  bool operator==(const CalcNumBlocks&) const = default;
};

struct GpuBody {  // sequential code run on the device, by one thread
  std::vector<Type> types;
  BodyPtr body;
  static constexpr auto fields = std::tuple(&GpuBody::types, &GpuBody::body);
  bool operator==(const GpuBody& o) const;
};

// ---- The list of expression kinds. ----

using Exp =
    std::variant<Atom, Opaque, PrimOp, ArrayLit, ArrayVal, Assert, Index, Update, FlatIndex, FlatUpdate, Concat,
                 Manifest, Iota, Replicate, Scratch, Reshape, Rearrange, UpdateAcc, Apply, Match, Loop, WithAcc, Screma,
                 Scatter, Hist, Stream, Derivative, SegOp, GetSize, GetSizeMax, CmpSize, CalcNumBlocks, GpuBody>;

struct Stm {
  Pat pat;
  Attrs attrs;
  Certs certs;
  Exp exp;
  Position position;
  bool operator==(const Stm&) const = default;
};
using StmPtr = std::shared_ptr<const Stm>;
using Stms = std::vector<StmPtr>;

struct Body {
  Stms stms;
  std::vector<SubExpRes> result;
  bool operator==(const Body& o) const;
};

struct KernelBody {
  Stms stms;
  std::vector<KernelResult> results;
  bool operator==(const KernelBody& o) const;
};

struct FunDef {
  std::optional<EntryPoint> entry;
  Attrs attrs;
  std::string name;
  std::vector<Param> params;
  std::vector<RetType> ret;
  BodyPtr body;
  Position position = {};
};

struct Program {
  std::vector<OpaqueDef> types;
  Stms constants;
  std::vector<FunDef> functions;

  const FunDef* find_function(const std::string& name) const;
  // One more than the largest tag in the program.
  int next_tag() const;
};

bool operator==(const Program& a, const Program& b);

}  // namespace heddle::seg
