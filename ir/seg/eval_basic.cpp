// Scalars, asserts, accumulators and tuning parameters.
#include <algorithm>
#include <array>
#include <span>

#include "ir/seg/eval_machine.h"

namespace heddle::seg {

namespace {

// As Futhark's C programs print it within a message.
std::string message_text(const prim::Value& v) {
  if (prim::is_int(v.type)) return std::to_string(v.i);
  if (prim::is_float(v.type)) return fmt::format("{:f}", v.f);
  return prim::to_text(v);
}

}  // namespace

constexpr int64_t kDefaultThreshold = 32 * 1024;

int64_t default_size(const SizeClass& c) {
  switch (c.kind) {
    case SizeClassKind::ThreadBlock:
      return 256;
    case SizeClassKind::Grid:
      return 128;
    case SizeClassKind::Tile:
      return 16;
    case SizeClassKind::RegTile:
      return 4;
    case SizeClassKind::SharedMemory:
      return 48 * 1024;
    case SizeClassKind::Threshold:
      return c.default_value.value_or(kDefaultThreshold);
    case SizeClassKind::Bespoke:
      return c.default_value.value_or(0);
  }
  return 0;
}

int64_t max_size(const SizeClass& c) {
  switch (c.kind) {
    case SizeClassKind::ThreadBlock:
      return 1024;
    case SizeClassKind::Grid:
      return 65535;
    case SizeClassKind::SharedMemory:
      return 48 * 1024;
    default:
      return default_size(c);
  }
}

Cell Machine::eval(const Atom& e) { return get(e.value); }

Cell Machine::eval(const Opaque& e) {
  Cell value = get(e.value);
  if (e.trace) {
    std::string text = "an accumulator";
    if (auto* v = std::get_if<prim::Value>(&value)) text = to_text(*v);
    if (auto* a = std::get_if<Array>(&value)) text = to_text(*a);
    tick(static_cast<int64_t>(text.size()));
    trace_.push_back(*e.trace + ": " + text);
  }
  return value;
}

Cell Machine::eval(const PrimOp& e) {
  std::array<prim::Value, 3> args;
  if (e.args.size() > args.size()) broken("{} is applied to {} operands.", prim::name(e.op), e.args.size());
  for (size_t i = 0; i < e.args.size(); i++) args[i] = scalar(e.args[i]);
  auto result = prim::eval(e.op, std::span(args).first(e.args.size()));
  if (result) return *result;
  std::string text;
  for (size_t i = 0; i < e.args.size(); i++) text += (i > 0 ? ", " : "") + prim::to_text(args[i]);
  broken("{}({}) is undefined.", prim::name(e.op), text);
}

Cell Machine::eval(const Assert& e) {
  if (scalar(e.condition).as_bool()) return prim::Value::unit();
  std::string message;
  for (const ErrorPart& part : e.message) {
    if (auto* text = std::get_if<std::string>(&part)) {
      message += *text;
    } else {
      message += message_text(scalar(std::get<ErrorVal>(part).value));
    }
  }
  throw Stop{Outcome::ProgramError, message, e.location};
}

Cell Machine::eval(const UpdateAcc& e) {
  auto* found = std::get_if<std::shared_ptr<Accumulator>>(&lookup(e.acc));
  if (!found) broken("{} must be an accumulator.", e.acc.text());
  std::shared_ptr<Accumulator> acc = *found;
  std::vector<int64_t> index;
  for (const SubExp& i : e.index) index.push_back(integer(i));
  if (index.size() != acc->space.size() || e.values.size() != acc->arrays.size()) {
    broken("{} is updated with the wrong number of indices or values.", e.acc.text());
  }
  int64_t flat = 0;
  if (!flat_index(acc->space, index, flat)) {
    if (e.safe) return acc;
    broken("{}[{}] is updated out of bounds: the shape is [{}].", e.acc.text(), fmt::join(index, ", "),
           fmt::join(acc->space, "]["));
  }
  Cells values;
  for (const SubExp& v : e.values) values.push_back(get(v));
  std::vector<std::vector<int64_t>> inner;
  for (const Array& a : acc->arrays) {
    inner.emplace_back(a.shape.begin() + static_cast<std::ptrdiff_t>(index.size()), a.shape.end());
  }
  if (acc->input->op) {
    Cells args;
    for (int64_t i : index) args.emplace_back(prim::Value::i64(i));
    for (size_t k = 0; k < acc->arrays.size(); k++) {
      args.push_back(part(acc->arrays[k], flat * *element_count(inner[k]), inner[k]));
    }
    args.insert(args.end(), values.begin(), values.end());
    values = call(acc->input->op->op, std::move(args));
    if (values.size() != acc->arrays.size()) broken("An accumulator's operator yields {} values.", values.size());
  }
  for (size_t k = 0; k < acc->arrays.size(); k++) {
    int64_t size = *element_count(inner[k]);
    own(acc->arrays[k]);
    put_part(acc->arrays[k], flat * size, values[k], size);
  }
  return acc;
}

int64_t Machine::tuning(const std::string& key, const SizeClass& size_class) const {
  auto it = options_.tuning.find(key);
  return it != options_.tuning.end() ? it->second : default_size(size_class);
}

Cell Machine::eval(const GetSize& e) { return prim::Value::i64(tuning(e.key, e.size_class)); }

Cell Machine::eval(const GetSizeMax& e) { return prim::Value::i64(max_size(e.size_class)); }

Cell Machine::eval(const CmpSize& e) {
  bool passed = tuning(e.key, e.size_class) <= integer(e.value);
  if (options_.versions == Versions::FirstFeasible && e.size_class.kind == SizeClassKind::Threshold) passed = true;
  return prim::Value::of_bool(passed);
}

Cell Machine::eval(const CalcNumBlocks& e) {
  int64_t block_size = std::max<int64_t>(1, integer(e.block_size));
  int64_t width = std::max<int64_t>(0, integer(e.width));
  int64_t needed = width / block_size + (width % block_size != 0);
  SizeClass grid;
  grid.kind = SizeClassKind::Grid;
  return prim::Value::i64(std::max<int64_t>(1, std::min(needed, tuning(e.max_blocks_key, grid))));
}

}  // namespace heddle::seg
