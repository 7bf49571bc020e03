#include "tests/codegen/random_nest.h"

#include <rapidcheck.h>

#include "tests/ir/nest_examples.h"

namespace heddle::codegen {

namespace {

using namespace nest;
using namespace nest::examples;
using prim::Family;
using prim::Op;
using prim::Type;
using prim::Value;

int pick(int low, int high) { return *rc::gen::inRange(low, high + 1); }
bool chance(int percent) { return pick(0, 99) < percent; }
template <class T>
T one_of(const std::vector<T>& xs) {
  return xs[static_cast<size_t>(pick(0, static_cast<int>(xs.size()) - 1))];
}

class Generator {
 public:
  RandomCase make() {
    n_ = names_.fresh("n");
    m_ = names_.fresh("m");
    std::vector<Value> scalars = {Value::i64(pick(0, 9)), Value::i64(pick(-1, 5))};
    RandomCase result{{"random", {{n_, Type::I64}, {m_, Type::I64}}, {}, {}}, scalars, {}};
    for (int i = pick(1, 3); i > 0; --i) add_input(result);

    out_type_ = one_of(types());
    int rank = pick(1, 3);
    // The whole of the parallel loops: each index is block * tile + thread, guarded where the tiles do not fit.
    std::vector<Expr> sizes;
    std::vector<int64_t> tiles;
    int64_t total = 1;
    for (int d = 0; d < rank; ++d) {
      sizes.push_back(one_of<Expr>({v(n_), v(m_), i64(pick(1, 4)), add(v(n_), i64(-1))}));
      tiles.push_back(pick(1, 4));
      total *= std::max<int64_t>(0, evaluate(sizes.back(), {{n_, scalars[0]}, {m_, scalars[1]}})->i);
    }
    out_ = names_.fresh("out");
    std::vector<Expr> dims = sizes;
    for (Expr& d : dims) d = operation(Op(Family::SMax, Type::I64), {i64(0), d});
    result.kernel.buffers.push_back(buffer(out_, out_type_, Space::Global, dims));
    result.buffers.push_back(unwritten_memory(out_type_, total));

    std::vector<Name> blocks, threads, indices;
    for (int d = 0; d < rank; ++d) {
      blocks.push_back(names_.fresh("block"));
      threads.push_back(names_.fresh("thread"));
      indices.push_back(names_.fresh("i"));
    }
    Block body;
    Expr inside = constant(Value::of_bool(true));
    std::vector<Expr> at;
    for (size_t d = 0; d < indices.size(); ++d) {
      body.push_back(let(indices[d], add(mul(v(blocks[d]), i64(tiles[d])), v(threads[d]))));
      inside = both(inside, less(v(indices[d]), sizes[d]));
      at.push_back(v(indices[d]));
    }
    indices_ = at;
    indices_.push_back(v(n_));
    Block point = statements(2);
    point.push_back(store(out_, at, expr(out_type_, 2)));
    body.push_back(when(inside, std::move(point)));
    for (size_t d = indices.size(); d-- > 0;) body = {loop(Role::Block, threads[d], i64(tiles[d]), std::move(body))};
    for (size_t d = indices.size(); d-- > 0;) {
      body = {loop(Role::Grid, blocks[d], ceil_div(sizes[d], i64(tiles[d])), std::move(body))};
    }
    result.kernel.body = std::move(body);
    return result;
  }

 private:
  static std::vector<Type> types() {
    return {Type::I8, Type::I16, Type::I32, Type::I64, Type::F32, Type::F64, Type::Bool};
  }

  Value value(Type type) {
    if (type == Type::Bool) return Value::of_bool(chance(50));
    return prim::is_float(type) ? Value::of_float(type, 0.5 * pick(-20, 20)) : Value::of_int(type, pick(-20, 20));
  }

  void add_input(RandomCase& c) {
    Input in{names_.fresh("in"), one_of(types()), {}};
    int64_t total = 1;
    for (int d = pick(1, 2); d > 0; --d) {
      in.dims.push_back(pick(1, 5));
      total *= in.dims.back();
    }
    std::vector<Expr> dims;
    for (int64_t d : in.dims) dims.push_back(i64(d));
    Buffer b = buffer(in.name, in.type, Space::Global, dims);
    if (in.dims.size() == 2 && chance(50)) b.strides = {i64(1), i64(in.dims[0])};
    b.read_once = chance(30);
    std::vector<Value> data;
    for (int64_t i = 0; i < total; ++i) data.push_back(value(in.type));
    c.kernel.buffers.push_back(b);
    c.buffers.push_back(memory_of(std::move(data)));
    inputs_.push_back(in);
  }

  // An affine function of the indices in scope, brought into 0 ... size - 1.
  Expr index(int64_t size) {
    Expr sum = i64(pick(-3, 3));
    for (int i = pick(0, 2); i > 0; --i) sum = add(sum, mul(one_of(indices_), i64(pick(-3, 3))));
    return mod(sum, i64(size));
  }

  Expr condition(int depth) {
    Type type = one_of(types());
    Family family = type == Type::Bool ? Family::Llt : prim::is_float(type) ? Family::FLe : Family::Slt;
    Expr compared = operation(Op(chance(30) ? Family::Eq : family, type), {expr(type, depth), expr(type, depth)});
    return chance(20) ? negate(compared) : compared;
  }

  // Any expression of this type without results that depend on how floats are rounded: only sums and products of small
  // halves.
  Expr expr(Type type, int depth) {
    std::vector<Expr> known;
    for (const Local& l : locals_) {
      if (l.type == type) known.push_back(l.in_register ? load(l.name, type, {}) : var(l.name, type));
    }
    if (!known.empty() && chance(40)) return one_of(known);
    for (const Input& in : inputs_) {
      if (in.type != type || !chance(50)) continue;
      std::vector<Expr> at;
      for (int64_t d : in.dims) at.push_back(index(d));
      return load(in.name, type, at);
    }
    if (depth == 0) return type == Type::I64 && chance(50) ? one_of(indices_) : constant(value(type));
    if (chance(15)) return select(condition(depth - 1), expr(type, depth - 1), expr(type, depth - 1));
    if (type == Type::Bool) return condition(depth - 1);
    if (prim::is_float(type)) {
      if (chance(20)) return operation(Op(Family::SIToFP, Type::I8, type), {expr(Type::I8, depth - 1)});
      if (chance(20)) return operation(Op(Family::Neg, type), {expr(type, depth - 1)});
      Family f = one_of<Family>({Family::FAdd, Family::FSub, Family::FMul, Family::FMin, Family::FMax});
      return operation(Op(f, type), {expr(type, depth - 1), expr(type, depth - 1)});
    }
    if (chance(20)) {
      Type from = one_of<Type>({Type::I8, Type::I16, Type::I32, Type::I64});
      return operation(Op(chance(50) ? Family::SExt : Family::ZExt, from, type), {expr(from, depth - 1)});
    }
    if (chance(10))
      return call(prim::find_function("umul_hi" + std::to_string(8 * prim::size_bytes(type))),
                  {expr(type, depth - 1), expr(type, depth - 1)});
    Family f =
        one_of<Family>({Family::Add, Family::Sub, Family::Mul, Family::SMin, Family::UMax, Family::And, Family::Or,
                        Family::Xor, Family::Shl, Family::AShr, Family::SDivSafe, Family::SModSafe, Family::UDivSafe});
    return operation(Op(f, type), {expr(type, depth - 1), expr(type, depth - 1)});
  }

  Block statements(int depth) {
    Block block;
    size_t mark = locals_.size();
    for (int i = pick(1, 3); i > 0; --i) statement(block, depth);
    if (depth < 2) locals_.resize(mark);
    return block;
  }

  void statement(Block& block, int depth) {
    int kind = pick(0, depth > 0 ? 4 : 1);
    Type type = one_of(types());
    switch (kind) {
      case 0: {
        Name x = names_.fresh("x");
        block.push_back(let(x, expr(type, 2)));
        locals_.push_back({x, type, false});
        return;
      }
      case 1: {
        std::vector<Local> registers;
        for (const Local& l : locals_) {
          if (l.in_register) registers.push_back(l);
        }
        if (!registers.empty() && chance(70)) {
          Local l = one_of(registers);
          block.push_back(store(l.name, {}, expr(l.type, 2)));
          return;
        }
        Name r = names_.fresh("r");
        block.push_back(stmt(Alloc{buffer(r, type, Space::Register, {})}));
        block.push_back(store(r, {}, expr(type, 1)));
        locals_.push_back({r, type, true});
        return;
      }
      case 2: {
        Block then_body = statements(depth - 1);
        block.push_back(stmt(If{condition(1), then_body, chance(50) ? statements(depth - 1) : Block{}}));
        return;
      }
      case 3: {
        Name i = names_.fresh("k");
        bool unrolled = chance(40);
        Expr extent = unrolled ? i64(pick(0, 3)) : one_of<Expr>({v(m_), i64(pick(0, 3)), sub(v(n_), v(m_))});
        indices_.push_back(v(i));
        Block body = statements(depth - 1);
        indices_.pop_back();
        block.push_back(loop(unrolled ? Role::Unrolled : Role::Serial, i, extent, body));
        return;
      }
      default: {
        // An array in registers, written whole and then read.
        Name a = names_.fresh("a"), i = names_.fresh("k"), x = names_.fresh("x");
        int64_t size = pick(1, 4);
        block.push_back(stmt(Alloc{buffer(a, type, Space::Register, {i64(size)})}));
        indices_.push_back(v(i));
        block.push_back(loop(Role::Unrolled, i, i64(size), {store(a, {v(i)}, expr(type, 1))}));
        indices_.pop_back();
        block.push_back(let(x, load(a, type, {index(size)})));
        locals_.push_back({x, type, false});
        return;
      }
    }
  }

  struct Input {
    Name name;
    Type type;
    std::vector<int64_t> dims;
  };
  struct Local {
    Name name;
    Type type;
    bool in_register;
  };

  NameSource names_{1};
  Name n_, m_, out_;
  Type out_type_ = Type::I64;
  std::vector<Input> inputs_;
  std::vector<Local> locals_;
  std::vector<Expr> indices_;
};

}  // namespace

RandomCase random_case() { return Generator().make(); }

}  // namespace heddle::codegen
