// Evaluation agrees with programs that the Futhark compiler makes. The environment variable FUTHARK names the compiler,
// else it is sought on the PATH.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "../need.h"
#include "tests/ir/prim_samples.h"

namespace heddle::prim {
namespace {

using samples::Callable;

// Why an operator is tried on its own selection of operands: where Futhark's C code is undefined, it may trap.
enum class Restriction { None, Divisor, Exponent, ShiftCount, Promise, FitsInt };

Restriction restriction(const Callable& callable) {
  if (!callable.op) return Restriction::None;
  switch (callable.op->family) {
    case Family::AddNw:
    case Family::SubNw:
    case Family::MulNw:
      return Restriction::Promise;
    case Family::Shl:
    case Family::LShr:
    case Family::AShr:
      return Restriction::ShiftCount;
    case Family::Pow:
      return Restriction::Exponent;
    case Family::FPToSI:
    case Family::FPToUI:
      return Restriction::FitsInt;
    default: {
      std::string_view name = callable.name;
      bool divides =
          is_int(callable.op->type) && (can_fail(*callable.op) || name.find("_safe") != std::string_view::npos);
      return divides ? Restriction::Divisor : Restriction::None;
    }
  }
}

bool allows(Restriction restriction, std::span<const Value> operands) {
  const Value& last = operands.back();
  // Products of narrow numbers, and powers of small ones, overflow no type.
  auto small = [](const Value& value) { return value.i > -8 && value.i < 8; };
  switch (restriction) {
    case Restriction::None:
      return true;
    case Restriction::Divisor:
      return last.i != 0 && last.i != -1;
    case Restriction::Exponent:
      return last.i >= 0;
    case Restriction::ShiftCount:
      return last.i >= 0 && last.i < 8 * size_bytes(last.type);
    case Restriction::Promise:
      return small(operands[0]) && small(last);
    case Restriction::FitsInt: {
      bool special = !std::isfinite(last.f);
      return special ? last.type != Type::F16 : std::fabs(last.f) < 128;
    }
  }
  return false;
}

// An entry point per signature and restriction, so that there are few; its result has a row per callable.
struct Group {
  std::string entry;
  Restriction restricted = Restriction::None;
  std::vector<const Callable*> callables;
  std::vector<std::vector<Value>> operands;
};

// Futhark 0.25.27 computes these in C's float.
bool is_broken_in_futhark(const Callable& callable) {
  return callable.name == "nextafter64" || callable.name == "copysign64";
}

std::vector<Group> make_groups(const std::vector<Callable>& callables) {
  std::map<std::string, Group> groups;
  for (const Callable& callable : callables) {
    if (is_broken_in_futhark(callable)) continue;
    std::string signature = "f";
    for (Type type : callable.args) signature += "_" + std::string(name(type));
    Restriction restricted = restriction(callable);
    signature += fmt::format("_to_{}_{}", name(callable.result), static_cast<int>(restricted));
    Group& group = groups[signature];
    group.entry = signature;
    group.restricted = restricted;
    group.callables.push_back(&callable);
  }
  std::vector<Group> result;
  for (auto& [signature, group] : groups) {
    for (std::vector<Value>& operands : samples::operand_samples(group.callables[0]->args)) {
      if (allows(group.restricted, operands)) group.operands.push_back(std::move(operands));
    }
    result.push_back(std::move(group));
  }
  return result;
}

std::string program(const std::vector<Group>& groups) {
  std::string text;
  for (const Group& group : groups) {
    size_t num_args = group.callables[0]->args.size();
    std::string parameters, arrays, variables, tuple;
    for (size_t i = 0; i < num_args; ++i) {
      parameters += fmt::format(" (xs{} : [n]{})", i, name(group.callables[0]->args[i]));
      arrays += fmt::format(" xs{}", i);
      variables += fmt::format(" x{}", i);
      tuple += fmt::format("{}x{}", i == 0 ? "" : ", ", i);
    }
    std::string results;
    for (const Callable* callable : group.callables) {
      results += fmt::format("{}intrinsics.{} ({})", results.empty() ? "" : ",\n       ", callable->name, tuple);
    }
    text += fmt::format("entry {} [n]{} =\n  map{} (\\{} ->\n      [{}]){}\n", group.entry, parameters,
                        num_args == 1 ? "" : std::to_string(num_args), variables, results, arrays);
  }
  return text;
}

// Futhark's binary data format: 'b', version 2, rank, type in four letters, shape, elements.
std::string type_letters(Type type) {
  std::string letters(name(type));
  return std::string(4 - letters.size(), ' ') + letters;
}

void write_operands(std::ostream& out, const Group& group) {
  for (size_t k = 0; k < group.callables[0]->args.size(); ++k) {
    Type type = group.callables[0]->args[k];
    auto length = static_cast<int64_t>(group.operands.size());
    out << "b\x02\x01" << type_letters(type);
    out.write(reinterpret_cast<const char*>(&length), sizeof(length));
    for (const std::vector<Value>& operands : group.operands) {
      uint64_t slot = samples::to_slot(operands[k]);
      out.write(reinterpret_cast<const char*>(&slot), size_bytes(type));
    }
  }
}

std::vector<Value> read_results(const std::string& path, Type type) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream buffer;
  buffer << in.rdbuf();
  std::string data = buffer.str();
  size_t at = data.find("b\x02\x02" + type_letters(type));
  if (at == std::string::npos) return {};
  std::array<int64_t, 2> shape;
  at += 7;
  if (data.size() < at + sizeof(shape)) return {};
  std::memcpy(shape.data(), data.data() + at, sizeof(shape));
  at += sizeof(shape);
  auto size = static_cast<size_t>(size_bytes(type));
  std::vector<Value> results;
  for (; at + size <= data.size() && results.size() < static_cast<size_t>(shape[0] * shape[1]); at += size) {
    uint64_t slot = 0;
    std::memcpy(&slot, data.data() + at, size);
    results.push_back(samples::from_slot(type, slot));
  }
  return results;
}

// Futhark's C code for halves truncates where it should round to nearest.
bool are_neighbours(const Value& a, const Value& b) {
  return a.type == Type::F16 && std::signbit(a.f) == std::signbit(b.f) &&
         std::abs(Value::of_int(Type::I16, static_cast<int64_t>(float_bits(a))).i -
                  Value::of_int(Type::I16, static_cast<int64_t>(float_bits(b))).i) <= 1;
}

bool agree(const Callable& callable, const Value& expected, const Value& actual) {
  if (actual == expected || are_neighbours(actual, expected)) return true;
  if (callable.function != nullptr && callable.function->builtin == Builtin::ToBits) {
    return std::isnan(float_from_bits(callable.function->type, samples::to_slot(expected)).f) &&
           std::isnan(float_from_bits(callable.function->type, samples::to_slot(actual)).f);
  }
  return is_float(expected.type) && expected.f == 0 && actual.f == 0 && samples::ignores_sign_of_zero(callable);
}

TEST(PrimFuthark, CompiledProgramsComputeWhatEvaluationDoes) {
  const char* variable = std::getenv("FUTHARK");
  std::string futhark = variable != nullptr ? variable : "futhark";
  HEDDLE_NEED(std::system((futhark + " --version > /dev/null 2>&1").c_str()) == 0, "there is no Futhark compiler");

  std::vector<Callable> callables = samples::all_callables();
  std::vector<Group> groups = make_groups(callables);
  std::string folder = testing::TempDir() + "prim_futhark";
  std::filesystem::create_directories(folder);
  std::string base = folder + "/prim";
  std::ofstream(base + ".fut") << program(groups);
  std::string compile = "CFLAGS='-O1 -std=c99' " + futhark + " c " + base + ".fut > " + base + ".log 2>&1";
  ASSERT_EQ(std::system(compile.c_str()), 0) << "see " << base << ".log";

  size_t compared = 0;
  for (const Group& group : groups) {
    {
      std::ofstream in(base + ".in", std::ios::binary);
      write_operands(in, group);
    }
    std::string run = base + " -b -e " + group.entry + " < " + base + ".in > " + base + ".out";
    ASSERT_EQ(std::system(run.c_str()), 0) << group.entry;
    Type type = group.callables[0]->result;
    std::vector<Value> results = read_results(base + ".out", type);
    ASSERT_EQ(results.size(), group.operands.size() * group.callables.size()) << group.entry;
    std::vector<int> failures(group.callables.size());
    for (size_t i = 0; i < results.size(); ++i) {
      size_t which = i % group.callables.size();
      const Callable& callable = *group.callables[which];
      const std::vector<Value>& operands = group.operands[i / group.callables.size()];
      std::optional<Value> expected = callable.eval(operands);
      ASSERT_TRUE(expected) << samples::describe(callable, operands);
      ++compared;
      if (agree(callable, *expected, results[i]) || ++failures[which] > 5) continue;
      ADD_FAILURE() << samples::describe(callable, operands) << " is " << to_text(results[i]) << " by Futhark, but "
                    << to_text(*expected) << " by evaluation";
    }
  }
  RecordProperty("compared", std::to_string(compared));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace heddle::prim
