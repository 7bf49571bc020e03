#include "frontend_bridge/cli/pass_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>

#include "frontend_bridge/any_pass.h"
#include "frontend_bridge/cli/deliver.h"
#include "frontend_bridge/cli/futhark_path.h"
#include "frontend_bridge/cli/options_of.h"
#include "frontend_bridge/cli/report.h"
#include "frontend_bridge/pipeline.h"

namespace heddle::cli {

namespace {

struct PassOptions {
  std::string name, file, output;
  std::vector<std::string> words;  // the others: parameters, and the file
  GivenArguments given;
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
  text += "\nPasses that write what is planned back into the program, for the host compiler:\n\n";
  for (const SegPass& p : passes_of_plans()) text += entry(std::string(p.name), p.description, p.why_here);
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

std::string file_name(const PassOptions& o) { return o.file.empty() || o.file == "-" ? "standard input" : o.file; }

Result<AnyProgram> read(Form form, const PassOptions& o) {
  std::string name = file_name(o);
  if (name != o.file) return read_any(form, {std::istreambuf_iterator<char>(std::cin), {}}, name);
  if (form != Form::Seg) {
    Result<std::string> text = read_text(o.file);
    return text ? read_any(form, *text, name) : text.error();
  }
  HostOptions host;
  host.futhark = futhark_path();
  Result<seg::Program> program = load_as_written(o.file, host);
  return program ? Result<AnyProgram>(std::move(*program)) : program.error();
}

Result<std::string> run(const PassOptions& o) {
  if (o.list) return list_of_passes();
  if (o.name.empty()) return input_error("no pass is named; try 'heddle pass --list'");
  std::optional<AnyPass> pass = find_pass(o.name);
  if (!pass) return input_error(fmt::format("there is no pass {}; try 'heddle pass --list'", o.name));
  Result<AnyProgram> before = read(form_of(*pass), o);
  if (!before) return before.error();
  Result<PassResult> after = run_pass(*pass, *before, o.given, check_pass);
  if (!after) return after.error();
  // For whoever writes the next rewrite; what is on standard output stays a kernel.
  if (!after->why_legal.empty()) fmt::print(stderr, "legal, because {}\n", after->why_legal);
  std::vector<std::string> loops;
  for (const Name& n : after->new_loops) loops.push_back(n.text());
  if (!loops.empty()) fmt::print(stderr, "new loops: {}\n", fmt::join(loops, ", "));
  return to_text(after->program);
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
