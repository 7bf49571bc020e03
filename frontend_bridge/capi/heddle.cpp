#include "frontend_bridge/capi/heddle.h"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>

#include "codegen/cuda/kernel_text.h"
#include "embedded_runtime_device.h"
#include "frontend_bridge/any_pass.h"
#include "frontend_bridge/explain/explain.h"
#include "frontend_bridge/explain/json_writer.h"
#include "frontend_bridge/explain/plan_json.h"
#include "frontend_bridge/futhark/nesting.h"
#include "frontend_bridge/kernel_listing.h"
#include "frontend_bridge/pipeline.h"
#include "frontend_bridge/system/large_stack.h"
#include "ir/host/verify.h"
#include "ir/seg/verify.h"

struct heddle_error {
  heddle_status status;
  std::string message;
  int line = 0, column = 0;
};

struct heddle_program {
  heddle::AnyProgram program;
};

struct heddle_plan {
  heddle::lower::PlannedProgram program;
  heddle_target target;
  std::vector<const heddle::nest::Kernel*> kernels = {};  // in `program`
};

namespace {

using namespace heddle;

// ---- Calls. ----

heddle_status status_of(ErrorKind kind) { return static_cast<heddle_status>(exit_code(kind)); }

// For when there is no memory for another one.
const heddle_error& out_of_memory() {
  static const heddle_error error = {HEDDLE_OUT_OF_MEMORY, "out of memory"};
  return error;
}

heddle_error* error_of(const Error& e) { return new heddle_error{status_of(e.kind), e.message, e.line, e.column}; }

// What `body`, which yields the reason why it failed, comes to; null where it succeeded.
template <class Body>
heddle_error* attempt(Body& body) noexcept {
  auto* none_left = const_cast<heddle_error*>(&out_of_memory());
  try {
    try {
      std::optional<Error> failed = body();
      return failed ? error_of(*failed) : nullptr;
    } catch (const std::bad_alloc&) {
      return none_left;
    } catch (const Refused& refused) {
      return error_of(internal_error("a limit was met where none was expected: " + refused.error.message));
    } catch (const std::exception& e) {
      return error_of(internal_error(e.what()));
    } catch (...) {
      return error_of(internal_error("an exception of an unknown kind"));
    }
  } catch (const std::bad_alloc&) {
    return none_left;
  }
}

// The only way in which functions of the interface do something that may fail.
template <class Body>
heddle_status call(heddle_error** error, Body body) noexcept {
  heddle_error* failed = const_cast<heddle_error*>(&out_of_memory());
  auto run = [&] { failed = attempt(body); };
  sigset_t all;
  sigfillset(&all);
  on_large_stack(futhark::kStackForAll, all, std::ref(run));
  heddle_status status = failed ? failed->status : HEDDLE_OK;
  if (error)
    *error = failed;
  else
    heddle_error_free(failed);
  return status;
}

// For a `body` that yields a Result, which is `deliver`ed.
template <class Make, class Deliver>
heddle_status call(heddle_error** error, Make make, Deliver deliver) noexcept {
  return call(error, [&]() -> std::optional<Error> {
    auto result = make();
    if (!result) return result.error();
    deliver(*result);
    return std::nullopt;
  });
}

// Nested values end by recursion, too. Where there is no stack for that, they stay.
template <class T>
void release(T* value) noexcept {
  if (!value) return;
  auto run = [&] { delete value; };
  sigset_t all;
  sigfillset(&all);
  on_large_stack(futhark::kStackForAll, all, std::ref(run));
}

char* copy_of(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (!copy) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

template <class Make>
heddle_status yield_text(char** text, heddle_error** error, Make make) noexcept {
  *text = nullptr;
  return call(
      error, [&] { return Result<std::string>(make()); }, [&](const std::string& made) { *text = copy_of(made); });
}

template <class Make>
heddle_status yield_program(heddle_program** program, heddle_error** error, Make make) noexcept {
  *program = nullptr;
  return call(error, make, [&](AnyProgram& made) {
    *program = std::make_unique<heddle_program>(heddle_program{std::move(made)}).release();
  });
}

// ---- Passes. ----

// Unlike the tool's, which keeps both programs in files.
std::optional<Error> check(const SegPass& pass, const seg::Program&, const seg::Program& after) {
  std::vector<seg::Problem> problems = seg::verify(after);
  if (problems.empty()) return std::nullopt;
  return internal_error(fmt::format("ill-formed after pass {}: {}", pass.name, problems.front().message));
}

Result<GivenArguments> arguments_of(const char* const* texts) {
  GivenArguments given;
  for (; texts && *texts; ++texts) {
    std::string_view text = *texts;
    size_t equals = text.find('=');
    if (equals == std::string_view::npos) return input_error(fmt::format("`{}` is no PARAMETER=VALUE", text));
    if (!given.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
      return input_error(fmt::format("{} is given twice", text.substr(0, equals)));
  }
  return given;
}

Result<AnyProgram> run_named(const AnyProgram& program, const char* name, const char* const* arguments) {
  std::optional<AnyPass> pass = find_pass(name ? name : "");
  if (!pass) return input_error(fmt::format("there is no pass {}", name ? name : "without a name"));
  Result<GivenArguments> given = arguments_of(arguments);
  if (!given) return given.error();
  Result<PassResult> after = run_pass(*pass, program, *given, check);
  return after ? Result<AnyProgram>(std::move(after->program)) : after.error();
}

std::string passes_json() {
  constexpr std::array kForms = {"seg", "nest", "host"};
  JsonWriter out;
  out.list(all_passes(), [&](const AnyPass& pass) {
    std::vector<nest::Parameter> parameters;
    if (const auto* rewrite = std::get_if<const nest::NestRewrite*>(&pass)) parameters = (*rewrite)->parameters;
    out.object([&] {
      out.at("name").value(name_of(pass));
      out.at("form").value(kForms[pass.index()]);
      std::visit(
          [&](const auto* p) {
            out.at("description").value(p->description);
            out.at("why_here").value(p->why_here);
          },
          pass);
      out.at("parameters").list(parameters, [&](const nest::Parameter& p) {
        out.object([&] {
          out.at("name").value(p.name);
          out.at("kind").value(nest::placeholder(p.kind));
          out.at("description").value(p.description);
          out.at("optional").value(p.may_be_left_out);
        });
      });
    });
  });
  return out.take();
}

// ---- Plans. ----

KernelOptions kernel_options(heddle_target target) {
  KernelOptions options;
  options.verify = false;  // done here, so that no files are left
  options.watch = check;
  if (target == HEDDLE_CUDA) options.for_blocks();
  return options;
}

Result<heddle_plan> planned(const AnyProgram& program, heddle_target target) {
  const auto* seg = std::get_if<seg::Program>(&program);
  if (!seg) return input_error("plans are made of programs in the form HEDDLE_SEG only");
  Result<lower::PlannedProgram> lowered = compile_kernels(*seg, kernel_options(target));
  if (!lowered) return lowered.error();
  if (std::vector<std::string> problems = lower::verify_kernels(*lowered); !problems.empty())
    return internal_error("ill-formed after lowering: " + problems.front());
  return heddle_plan{std::move(*lowered), target};
}

Result<const nest::Kernel*> kernel_of(const heddle_plan& plan, size_t number) {
  if (number < plan.kernels.size()) return plan.kernels[number];
  return input_error(fmt::format("there is no kernel {}: the plan has {}", number, plan.kernels.size()));
}

}  // namespace

const char* heddle_version(void) { return HEDDLE_VERSION; }

heddle_status heddle_error_status(const heddle_error* error) { return error->status; }
const char* heddle_error_message(const heddle_error* error) { return error->message.c_str(); }
int heddle_error_line(const heddle_error* error) { return error->line; }
int heddle_error_column(const heddle_error* error) { return error->column; }
void heddle_error_free(heddle_error* error) {
  if (error != &out_of_memory()) delete error;
}

void heddle_text_free(char* text) { std::free(text); }

heddle_status heddle_program_read(heddle_form form, const char* text, size_t length, const char* name,
                                  heddle_program** program, heddle_error** error) {
  return yield_program(program, error, [&]() -> Result<AnyProgram> {
    if (form != HEDDLE_SEG && form != HEDDLE_NEST && form != HEDDLE_HOST)
      return input_error(fmt::format("there is no form {}", static_cast<int>(form)));
    if (length > kLargestText) return input_error(fmt::format("{} is larger than a gigabyte", name));
    return read_any(static_cast<Form>(form), std::string(text, length), name);
  });
}

heddle_form heddle_program_form(const heddle_program* program) {
  return static_cast<heddle_form>(program->program.index());
}

heddle_status heddle_program_text(const heddle_program* program, char** text, heddle_error** error) {
  return yield_text(text, error, [&] { return to_text(program->program); });
}

void heddle_program_free(heddle_program* program) { release(program); }

heddle_status heddle_passes(char** json, heddle_error** error) { return yield_text(json, error, passes_json); }

heddle_status heddle_program_pass(const heddle_program* program, const char* pass, const char* const* arguments,
                                  heddle_program** after, heddle_error** error) {
  return yield_program(after, error, [&] { return run_named(program->program, pass, arguments); });
}

heddle_status heddle_program_plan(const heddle_program* program, heddle_target target, heddle_plan** plan,
                                  heddle_error** error) {
  *plan = nullptr;
  return call(
      error, [&] { return planned(program->program, target); },
      [&](heddle_plan& made) {
        auto kept = std::make_unique<heddle_plan>(std::move(made));
        for (const ListedKernel& k : list_kernels(kept->program)) kept->kernels.push_back(k.kernel);
        *plan = kept.release();
      });
}

heddle_status heddle_plan_json(const heddle_plan* plan, char** json, heddle_error** error) {
  return yield_text(json, error, [&] { return plan_json(plan->program); });
}

heddle_status heddle_plan_explanation(const heddle_plan* plan, char** json, heddle_error** error) {
  return yield_text(json, error, [&] { return explain_json(plan->program); });
}

heddle_status heddle_plan_host(const heddle_plan* plan, heddle_program** host, heddle_error** error) {
  return yield_program(host, error, [&]() -> Result<AnyProgram> {
    Result<heddle::host::Program> made =
        host_program(plan->program, {plan->target == HEDDLE_CUDA}, kernel_options(plan->target));
    if (!made) return made.error();
    if (std::vector<std::string> problems = heddle::host::verify(*made); !problems.empty())
      return internal_error("an ill-formed host program: " + problems.front());
    return AnyProgram(std::move(*made));
  });
}

void heddle_plan_free(heddle_plan* plan) { release(plan); }

size_t heddle_plan_num_kernels(const heddle_plan* plan) { return plan->kernels.size(); }

heddle_status heddle_plan_kernel(const heddle_plan* plan, size_t number, heddle_program** kernel,
                                 heddle_error** error) {
  return yield_program(kernel, error, [&]() -> Result<AnyProgram> {
    Result<const nest::Kernel*> found = kernel_of(*plan, number);
    return found ? Result<AnyProgram>(**found) : found.error();
  });
}

heddle_status heddle_plan_kernel_text(const heddle_plan* plan, size_t number, char** text, heddle_error** error) {
  *text = nullptr;
  return call(
      error, [&] { return kernel_of(*plan, number); },
      [&](const nest::Kernel* kernel) { *text = copy_of(codegen::kernel_text(*kernel)); });
}

// The array that is embedded ends with NUL.
const char* heddle_kernel_prelude(void) { return embedded::runtime_device.data(); }
