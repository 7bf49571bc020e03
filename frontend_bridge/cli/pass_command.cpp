#include "frontend_bridge/cli/pass_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>

#include "frontend_bridge/cli/deliver.h"
#include "frontend_bridge/cli/futhark_path.h"
#include "frontend_bridge/cli/options_of.h"
#include "frontend_bridge/cli/report.h"
#include "frontend_bridge/pipeline.h"
#include "ir/host/printer.h"
#include "ir/host/reader.h"
#include "ir/host/verify.h"
#include "ir/nest/printer.h"
#include "ir/nest/reader.h"
#include "ir/nest/verify.h"
#include "ir/seg/printer.h"
#include "rewrites/host/passes.h"
#include "rewrites/nest/rewrites.h"

namespace heddle::cli {

namespace {

using Given = std::map<std::string, std::string, std::less<>>;

struct PassOptions {
  std::string name, file, output;
  std::vector<std::string> words;  // the others: parameters, and the file
  Given given;
  bool list = false;
};

// ---- The list. ----

std::string usage(const nest::NestRewrite& r) {
  std::string text(r.name);
  for (const nest::Parameter& p : r.parameters) {
    std::string word = fmt::format("{}={}", p.name, nest::placeholder(p.kind));
    text += p.may_be_left_out ? fmt::format(" [{}]", word) : " " + word;
  }
  return text;
}

std::string entry(const std::string& usage, std::string_view what, std::string_view why_here) {
  return fmt::format("  {}\n      {}\n      {}\n", usage, what, why_here);
}

std::string list_of_passes() {
  std::string text = "Passes over programs (FILE: .fut_gpu, .fut_soacs or .fut), in the order in which they run:\n\n";
  for (const SegPass& p : seg_passes()) text += entry(std::string(p.name), p.description, p.why_here);
  text += "\nPasses that planning asks for, on one seg op at a time:\n\n";
  for (const SegPass& p : seg_passes_of_planning()) text += entry(std::string(p.name), p.description, p.why_here);
  text += "\nRewrites of kernels (FILE: .nest), in the order in which kernels go through them:\n\n";
  for (const nest::NestRewrite& r : nest::nest_rewrites()) {
    text += entry(usage(r), r.description, r.why_here);
    for (const nest::Parameter& p : r.parameters) text += fmt::format("      {}: {}\n", p.name, p.description);
  }
  text += "\nPasses over what the host does (FILE: .host), in the order in which they run:\n\n";
  for (const host::Pass& p : host::passes()) text += entry(std::string(p.name), p.description, p.why_here);
  return text;
}

// ---- One of them. ----

// Names are written with hyphens or underscores.
bool same_name(std::string_view a, std::string_view b) {
  auto plain = [](char c) { return c == '-' ? '_' : c; };
  return std::ranges::equal(a, b, {}, plain, plain);
}

template <class Passes>
auto find_pass(const Passes& passes, std::string_view name) -> decltype(&passes[0]) {
  auto found = std::ranges::find_if(passes, [&](const auto& p) { return same_name(p.name, name); });
  return found == passes.end() ? nullptr : &*found;
}

const SegPass* find_seg_pass(std::string_view name) {
  for (std::span<const SegPass> passes : {seg_passes(), seg_passes_of_planning()}) {
    if (const SegPass* p = find_pass(passes, name)) return p;
  }
  return nullptr;
}

bool from_standard_input(const PassOptions& o) { return o.file.empty() || o.file == "-"; }

std::string standard_input() { return {std::istreambuf_iterator<char>(std::cin), {}}; }

Result<std::string> run(const SegPass& pass, const PassOptions& o) {
  if (!o.given.empty()) return input_error(fmt::format("{} has no parameter {}", pass.name, o.given.begin()->first));
  HostOptions host;
  host.futhark = futhark_path();
  Result<seg::Program> before =
      from_standard_input(o) ? read_program(standard_input(), "standard input") : load_as_written(o.file, host);
  if (!before) return before.error();
  Result<seg::Program> after = run_seg_passes({&pass, 1}, *before, check_pass);
  return after ? Result<std::string>(seg::print(*after)) : after.error();
}

std::string file_name(const PassOptions& o) { return from_standard_input(o) ? "standard input" : o.file; }
Result<std::string> text_of(const PassOptions& o) {
  return from_standard_input(o) ? standard_input() : read_text(o.file);
}

Result<std::string> run(const host::Pass& pass, const PassOptions& o) {
  if (!o.given.empty()) return input_error(fmt::format("{} has no parameter {}", pass.name, o.given.begin()->first));
  Result<std::string> text = text_of(o);
  if (!text) return text.error();
  Result<host::Program> before = host::read(*text, file_name(o));
  if (!before) return before.error();
  std::vector<std::string> problems = host::verify(*before);
  if (!problems.empty())
    return input_error(fmt::format("{} is not a well-formed program: {}", file_name(o), problems[0]));
  host::Program after = pass.run(std::move(*before));
  if (std::vector<std::string> wrong = host::verify(after); !wrong.empty())
    return internal_error(fmt::format("ill-formed after {}: {}\n{}", pass.name, wrong[0], host::to_text(after)));
  return host::to_text(after);
}

Result<std::string> run(const nest::NestRewrite& rewrite, const PassOptions& o) {
  std::string file = file_name(o);
  Result<std::string> text = text_of(o);
  if (!text) return text.error();
  Result<nest::Kernel> kernel = nest::read_kernel(*text, file);
  if (!kernel) return kernel.error();
  std::vector<std::string> problems = nest::verify(*kernel);
  if (!problems.empty()) return input_error(fmt::format("{} is not a well-formed kernel: {}", file, problems[0]));
  Result<nest::Rewritten> result = nest::run_nest_rewrite(rewrite, *kernel, o.given);
  if (!result) return result.error();
  std::string out = nest::to_text(result->kernel);
  if (std::vector<std::string> wrong = nest::verify(result->kernel); !wrong.empty())
    return internal_error(fmt::format("ill-formed after {}: {}\n{}", rewrite.name, wrong[0], out));
  // For whoever writes the next rewrite; what is on standard output stays a kernel.
  std::vector<std::string> loops;
  for (const Name& n : result->loops) loops.push_back(n.text());
  fmt::print(stderr, "legal, because {}\n", result->why_legal);
  if (!loops.empty()) fmt::print(stderr, "new loops: {}\n", fmt::join(loops, ", "));
  return out;
}

Result<std::string> run(const PassOptions& o) {
  if (o.list) return list_of_passes();
  if (o.name.empty()) return input_error("no pass is named; try 'heddle pass --list'");
  if (const SegPass* pass = find_seg_pass(o.name)) return run(*pass, o);
  if (const host::Pass* pass = find_pass(host::passes(), o.name)) return run(*pass, o);
  if (const nest::NestRewrite* rewrite = find_pass(nest::nest_rewrites(), o.name)) return run(*rewrite, o);
  return input_error(fmt::format("there is no pass {}; try 'heddle pass --list'", o.name));
}

// PARAMETER=VALUE, or the file.
std::optional<Error> take(PassOptions& o) {
  for (const std::string& word : o.words) {
    size_t equals = word.find('=');
    bool is_file = equals == std::string::npos || word.find_first_of("./") < equals;
    if (!is_file) {
      if (!o.given.emplace(word.substr(0, equals), word.substr(equals + 1)).second) {
        return input_error(fmt::format("{} is given twice", word.substr(0, equals)));
      }
    } else if (o.file.empty()) {
      o.file = word;
    } else {
      return input_error(fmt::format("both {} and {} are given; one file is read", o.file, word));
    }
  }
  return std::nullopt;
}

void declare(CLI::App& app, PassOptions& o) {
  app.add_option("NAME", o.name, "the pass");
  app.add_option("WORDS", o.words, "PARAMETER=VALUE for each of its parameters, and the file");
  app.add_option("-o", o.output, "where to");
  app.add_flag("--list", o.list, "say what passes there are, what they do, and why each stands where it stands");
}

}  // namespace

std::vector<OptionInfo> pass_options() {
  CLI::App app;
  PassOptions o;
  declare(app, o);
  return options_of(app);
}

int pass_command(int argc, char** argv) {
  CLI::App app("Runs one pass or rewrite alone on a program, kernel or host program: a file, or standard input.",
               "heddle pass");
  PassOptions o;
  declare(app, o);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    return report(input_error(fmt::format("{}; try 'heddle pass --help'", e.what())));
  }
  if (std::optional<Error> error = take(o)) return report(*error);
  Result<std::string> text = run(o);
  return text ? deliver(*text, o.output) : report(text.error());
}

}  // namespace heddle::cli
