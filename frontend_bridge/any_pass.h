// All passes and rewrites under the names that they have on the command line, and what they run on.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/host/host.h"
#include "ir/nest/nest.h"
#include "ir/seg/syntax.h"
#include "ir/support/error.h"
#include "rewrites/host/passes.h"
#include "rewrites/nest/rewrites.h"
#include "rewrites/passes.h"

namespace heddle {

// A program, a kernel, or what the host does.
enum class Form { Seg, Nest, Host };
using AnyProgram = std::variant<seg::Program, nest::Kernel, host::Program>;  // in the order of Form

// Reads and verifies a text. `name` is what messages call it.
Result<AnyProgram> read_any(Form form, const std::string& text, const std::string& name);
std::string to_text(const AnyProgram& program);

using AnyPass = std::variant<const SegPass*, const nest::NestRewrite*, const host::Pass*>;  // in the order of Form
inline Form form_of(const AnyPass& pass) { return static_cast<Form>(pass.index()); }

// Those that write what is planned back into the program.
std::span<const SegPass> passes_of_plans();
// In the order of `heddle pass --list`.
std::vector<AnyPass> all_passes();
// Names are written with hyphens or underscores.
std::optional<AnyPass> find_pass(std::string_view name);
std::string_view name_of(const AnyPass& pass);

// Texts by the names of parameters, which only rewrites of nests have.
using GivenArguments = std::map<std::string, std::string, std::less<>>;

struct PassResult {
  AnyProgram program;
  std::string why_legal{};        // of rewrites of nests
  std::vector<Name> new_loops{};  // of theirs
};

// Runs the pass on a verified program and verifies the result. `check` does so for seg programs; nothing else is told
// of.
Result<PassResult> run_pass(const AnyPass& pass, const AnyProgram& program, const GivenArguments& given,
                            const PassWatcher& check);

}  // namespace heddle
