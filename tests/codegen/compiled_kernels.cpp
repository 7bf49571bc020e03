#include "tests/codegen/compiled_kernels.h"

#include <dlfcn.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/c_expr.h"
#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/kernel_traits.h"
#include "embedded_kernel_support.h"
#include "ir/nest/printer.h"
#include "ir/nest/threads.h"
#include "ir/nest/verify.h"
#include "runtime/device/types.h"

namespace heddle::codegen {

using nest::Kernel;
using nest::Memory;
using prim::Type;
using prim::Value;

namespace {

std::string program_text(const std::vector<Kernel>& kernels) {
  std::string text(embedded::kernel_support);
  std::string table;
  for (const Kernel& k : kernels) {
    text += kernel_text(k, {.check_earlier_failure = true}) + cpu_trampoline(k);
    table += fmt::format("{{{}_cpu, {}}}, ", k.name, has_barriers(k));
  }
  text += fmt::format("static const struct test_kernel kernels[] = {{{}}};\n", table);
  text +=
      "void run_test(int kernel, int64_t num_blocks, int block_size, int64_t shared_bytes, void **args);\n"
      "void run_test(int kernel, int64_t num_blocks, int block_size, int64_t shared_bytes, void **args) {\n"
      "  run_kernel(&kernels[kernel], num_blocks, block_size, shared_bytes, args);\n"
      "}\n";
  return text;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

void append_bytes(std::vector<char>& bytes, const Value& v) {
  auto append = [&](auto x) {
    const char* begin = reinterpret_cast<const char*>(&x);
    bytes.insert(bytes.end(), begin, begin + sizeof x);
  };
  uint64_t bits = prim::is_float(v.type) ? prim::float_bits(v) : static_cast<uint64_t>(v.i);
  switch (prim::size_bytes(v.type)) {
    case 1:
      return append(static_cast<uint8_t>(bits));
    case 2:
      return append(static_cast<uint16_t>(bits));
    case 4:
      return append(static_cast<uint32_t>(bits));
    case 8:
      return append(bits);
    default:
      return;
  }
}

Value value_of_bytes(Type type, const char* bytes) {
  if (type == Type::Unit) return Value::unit();
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, static_cast<size_t>(prim::size_bytes(type)));
  if (prim::is_float(type)) return prim::float_from_bits(type, bits);
  if (type == Type::Bool) return Value::of_bool(bits != 0);
  return Value::of_int(type, static_cast<int64_t>(bits));
}

CompiledKernels::CompiledKernels(std::vector<Kernel> kernels, Warnings warnings) : kernels_(std::move(kernels)) {
  folder_ = (std::filesystem::temp_directory_path() / "heddle_kernels_XXXXXX").string();
  if (!mkdtemp(folder_.data())) throw std::runtime_error("cannot make a folder for temporary files");
  std::ofstream(folder_ + "/kernels.c") << program_text(kernels_);
  // The text that programs are made of is free of warnings, but not everything in it is used by each.
  std::string command = fmt::format(
      "'{}' -std=c11 -O1 -ffp-contract=off {} -fPIC -shared -pthread '{}/kernels.c' -o "
      "'{}/kernels.so' -lm 2> '{}/messages'",
      HEDDLE_CC, warnings == Warnings::Errors ? "-Wall -Wextra -Werror -Wno-unused" : "-w", folder_, folder_, folder_);
  if (std::system(command.c_str()) != 0) throw std::runtime_error(read_file(folder_ + "/messages"));
  library_ = dlopen((folder_ + "/kernels.so").c_str(), RTLD_NOW);
  if (!library_) throw std::runtime_error(dlerror());
}

CompiledKernels::~CompiledKernels() {
  if (library_) dlclose(library_);
  std::filesystem::remove_all(folder_);
}

RunResult CompiledKernels::run(size_t number, const std::vector<Value>& scalars, std::vector<Memory>& buffers) const {
  const Kernel& k = kernels_[number];
  hd_failure_report report{-1, {}};
  hd_failure_record record{-1, &report};
  std::vector<std::vector<char>> storage;
  std::vector<void*> values;  // what the arguments' addresses are taken of

  std::unordered_map<Name, Value> known;
  for (size_t i = 0; i < scalars.size(); ++i) {
    known.emplace(k.scalars[i].name, scalars[i]);
    if (!has_text(scalars[i].type)) continue;
    append_bytes(storage.emplace_back(), scalars[i]);
  }
  size_t num_scalars = storage.size();
  for (size_t i = 0; i < buffers.size(); ++i) {
    std::vector<char>& bytes = storage.emplace_back();
    for (const Value& v : buffers[i].data) append_bytes(bytes, v);
    bytes.push_back(0);  // no buffer is empty, so that all have an address
    int64_t start = buffers[i].offset * prim::size_bytes(k.buffers[i].elem);
    values.push_back(bytes.data() + start);
  }
  void* record_address = &record;
  std::vector<void*> args = {&record_address};
  for (size_t i = 0; i < num_scalars; ++i) args.push_back(storage[i].data());
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (has_text(k.buffers[i].elem)) args.push_back(&values[i]);
  }

  auto number_of = [&](const nest::Expr& e) { return nest::evaluate(e, known).value().i; };
  std::vector<hd_divisor> divisors_in_use;
  for (const nest::Expr& d : divisors(k)) divisors_in_use.push_back(hd_divisor_of(number_of(d)));
  for (hd_divisor& d : divisors_in_use) args.push_back(&d);
  std::vector<hd_long_divisor> long_divisors_in_use;
  for (const nest::Expr& d : long_divisors(k)) long_divisors_in_use.push_back(hd_long_divisor_of(number_of(d)));
  for (hd_long_divisor& d : long_divisors_in_use) args.push_back(&d);
  using Run = void (*)(int, int64_t, int, int64_t, void**);
  auto run_test = reinterpret_cast<Run>(dlsym(library_, "run_test"));
  run_test(static_cast<int>(number), number_of(nest::num_blocks(k)), static_cast<int>(number_of(nest::block_size(k))),
           number_of(shared_bytes(k)), args.data());

  for (size_t i = 0; i < buffers.size(); ++i) {
    Type elem = k.buffers[i].elem;
    const char* bytes = storage[num_scalars + i].data();
    for (size_t e = 0; e < buffers[i].data.size(); ++e) {
      buffers[i].data[e] = value_of_bytes(elem, bytes + e * static_cast<size_t>(prim::size_bytes(elem)));
    }
  }
  return {report.id, {report.args, report.args + HD_MAX_FAILURE_ARGS}};
}

void expect_agreement(const CompiledKernels& compiled, size_t number, const Kernel& kernel,
                      const std::vector<Value>& scalars, const std::vector<Memory>& buffers) {
  for (const std::string& problem : nest::verify(kernel)) ADD_FAILURE() << problem;
  std::vector<Memory> evaluated = buffers, native = buffers;
  nest::Outcome outcome = nest::evaluate(kernel, scalars, evaluated);
  ASSERT_FALSE(outcome.problem) << outcome.problem->text << "\n" << nest::to_text(kernel);
  RunResult result = compiled.run(number, scalars, native);
  EXPECT_EQ(result.failure, outcome.failed ? outcome.failed->id : -1);
  // After a failure other threads may or may not have done their work.
  if (outcome.failed) return;
  int mistakes = 0;
  for (size_t b = 0; b < buffers.size(); ++b) {
    for (size_t e = 0; e < buffers[b].data.size() && mistakes < 5; ++e) {
      if (evaluated[b].data[e] == native[b].data[e]) continue;
      ++mistakes;
      ADD_FAILURE() << kernel.buffers[b].name.text() << ", element " << e
                    << " in memory: " << prim::to_text(native[b].data[e]) << " instead of "
                    << prim::to_text(evaluated[b].data[e]) << "\n"
                    << nest::to_text(kernel) << kernel_text(kernel);
    }
  }
}

}  // namespace heddle::codegen
