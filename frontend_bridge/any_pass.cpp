#include "frontend_bridge/any_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "frontend_bridge/pipeline.h"
#include "frontend_bridge/tile_contractions.h"
#include "frontend_bridge/tile_groups.h"
#include "ir/host/printer.h"
#include "ir/host/reader.h"
#include "ir/host/verify.h"
#include "ir/nest/printer.h"
#include "ir/nest/reader.h"
#include "ir/nest/verify.h"
#include "ir/seg/printer.h"

namespace heddle {

namespace {

Result<AnyProgram> read_verified_kernel(const std::string& text, const std::string& name) {
  Result<nest::Kernel> kernel = nest::read_kernel(text, name);
  if (!kernel) return kernel.error();
  std::vector<std::string> problems = nest::verify(*kernel);
  if (!problems.empty()) return input_error(fmt::format("{} is not a well-formed kernel: {}", name, problems[0]));
  return AnyProgram(std::move(*kernel));
}

Result<AnyProgram> read_verified_host(const std::string& text, const std::string& name) {
  Result<host::Program> program = host::read(text, name);
  if (!program) return program.error();
  std::vector<std::string> problems = host::verify(*program);
  for (const nest::Kernel& k : program->kernels) std::ranges::copy(nest::verify(k), std::back_inserter(problems));
  for (const host::FamilyKernel& k : program->family_kernels)
    std::ranges::copy(nest::verify(k.kernel), std::back_inserter(problems));
  if (!problems.empty()) return input_error(fmt::format("{} is not a well-formed program: {}", name, problems[0]));
  return AnyProgram(std::move(*program));
}

Error ill_formed(std::string_view pass, const std::string& problem, const std::string& text) {
  return internal_error(fmt::format("ill-formed after {}: {}\n{}", pass, problem, text));
}

Error no_parameter(std::string_view pass, const GivenArguments& given) {
  return input_error(fmt::format("{} has no parameter {}", pass, given.begin()->first));
}

Result<PassResult> run(const SegPass& pass, const seg::Program& program, const GivenArguments& given,
                       const PassWatcher& check) {
  if (!given.empty()) return no_parameter(pass.name, given);
  Result<seg::Program> after = run_seg_passes({&pass, 1}, program, check);
  if (!after) return after.error();
  return PassResult{std::move(*after)};
}

Result<PassResult> run(const nest::NestRewrite& rewrite, const nest::Kernel& kernel, const GivenArguments& given) {
  Result<nest::Rewritten> result = nest::run_nest_rewrite(rewrite, kernel, given);
  if (!result) return result.error();
  if (std::vector<std::string> wrong = nest::verify(result->kernel); !wrong.empty())
    return ill_formed(rewrite.name, wrong[0], nest::to_text(result->kernel));
  return PassResult{std::move(result->kernel), result->why_legal, result->loops};
}

Result<PassResult> run(const host::Pass& pass, const host::Program& program, const GivenArguments& given) {
  if (!given.empty()) return no_parameter(pass.name, given);
  host::Program after = pass.run(program);
  if (std::vector<std::string> wrong = host::verify(after); !wrong.empty())
    return ill_formed(pass.name, wrong[0], host::to_text(after));
  return PassResult{std::move(after)};
}

}  // namespace

Result<AnyProgram> read_any(Form form, const std::string& text, const std::string& name) {
  if (form == Form::Nest) return read_verified_kernel(text, name);
  if (form == Form::Host) return read_verified_host(text, name);
  Result<seg::Program> program = read_program(text, name);
  return program ? Result<AnyProgram>(std::move(*program)) : program.error();
}

std::string to_text(const AnyProgram& program) {
  if (const auto* p = std::get_if<seg::Program>(&program)) return seg::print(*p);
  if (const auto* k = std::get_if<nest::Kernel>(&program)) return nest::to_text(*k);
  return host::to_text(std::get<host::Program>(program));
}

std::span<const SegPass> passes_of_plans() {
  static constexpr std::array kPasses = {
      SegPass{"tile-groups", "write fused stages of image pipelines as block-level code",
              "behind all others, for the host compiler to go on with", tile_groups},
      SegPass{"tile-contractions", "write contractions as block-level code with shared tiles and registers",
              "as tile-groups", tile_contractions},
      SegPass{"tile", "write contractions and fused stages as block-level code", "as tile-groups", tile_all}};
  return kPasses;
}

std::vector<AnyPass> all_passes() {
  std::vector<AnyPass> all;
  for (const SegPass& p : seg_passes()) all.emplace_back(&p);
  for (const SegPass& p : seg_passes_of_planning()) all.emplace_back(&p);
  for (const SegPass& p : passes_of_plans()) all.emplace_back(&p);
  for (const nest::NestRewrite& r : nest::nest_rewrites()) all.emplace_back(&r);
  for (const host::Pass& p : host::passes()) all.emplace_back(&p);
  return all;
}

std::string_view name_of(const AnyPass& pass) {
  return std::visit([](const auto* p) -> std::string_view { return p->name; }, pass);
}

std::optional<AnyPass> find_pass(std::string_view name) {
  auto plain = [](char c) { return c == '-' ? '_' : c; };
  for (const AnyPass& pass : all_passes()) {
    if (std::ranges::equal(name_of(pass), name, {}, plain, plain)) return pass;
  }
  return std::nullopt;
}

Result<PassResult> run_pass(const AnyPass& pass, const AnyProgram& program, const GivenArguments& given,
                            const PassWatcher& check) {
  constexpr std::array kRunsOn = {"programs", "kernels", "what the host does"};
  if (program.index() != pass.index())
    return input_error(fmt::format("{} runs on {} only", name_of(pass), kRunsOn[pass.index()]));
  if (const auto* p = std::get_if<const SegPass*>(&pass))
    return run(**p, std::get<seg::Program>(program), given, check);
  if (const auto* p = std::get_if<const nest::NestRewrite*>(&pass))
    return run(**p, std::get<nest::Kernel>(program), given);
  return run(*std::get<const host::Pass*>(pass), std::get<host::Program>(program), given);
}

}  // namespace heddle
