#include "frontend_bridge/cli/completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "frontend_bridge/cli/commands.h"
#include "frontend_bridge/cli/deliver.h"
#include "frontend_bridge/cli/futhark_commands.h"
#include "frontend_bridge/cli/report.h"

namespace heddle::cli {

namespace {

constexpr const char* kShells = "bash zsh fish";

// In single quotes, for all three shells; in fish a backslash would need more, and no text here has one.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// What follows the command, where it is no file.
std::vector<std::string> words_after(const Command& c) {
  if (c.name == "completions") return {"bash", "zsh", "fish"};
  return {};
}

std::string all_names() {
  std::vector<std::string_view> names;
  for (const Command& c : commands()) names.push_back(c.name);
  for (std::string_view name : futharks_commands()) names.push_back(name);
  return fmt::format("{}", fmt::join(names, " "));
}

// bash takes = for a word of its own.
std::string for_bash() {
  std::string values, options;
  for (const Command& c : commands()) {
    std::vector<std::string> names;
    if (const std::vector<std::string> words = words_after(c); !words.empty())
      values += fmt::format("    '{0} {0}') words='{1}' ;;\n", c.name, fmt::join(words, " "));
    for (const OptionInfo& o : c.options()) {
      for (const std::string& name : o.names) {
        names.push_back(name);
        if (!o.choices.empty())
          values += fmt::format("    '{} {}') words='{}' ;;\n", c.name, name, fmt::join(o.choices, " "));
      }
    }
    options += fmt::format("    {}) words='{}' ;;\n", c.name, fmt::join(names, " "));
  }
  return fmt::format(R"(# Completions of heddle for bash, printed by `heddle completions bash`.
_heddle() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} words=''
  if [ "$word" = = ]; then
    word=''
  elif [ "$before" = = ]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W '{}' -- "$word"))
    return
  fi
  case "${{COMP_WORDS[1]}} $before" in
{}  esac
  [[ $word != -* ]] || case "${{COMP_WORDS[1]}}" in
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _heddle heddle
)",
                     all_names(), values, options);
}

// _arguments wants brackets and colons of texts escaped.
std::string for_arguments(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_value(const OptionInfo& o) {
  if (o.argument.empty()) return "";
  return fmt::format(":{}:{}", o.argument,
                     o.choices.empty() ? "_files" : fmt::format("({})", fmt::join(o.choices, " ")));
}

std::string for_zsh() {
  std::string names, cases;
  for (const Command& c : commands()) {
    names += fmt::format("    {}\n", in_quotes(fmt::format("{}:{}", c.name, for_arguments(c.summary))));
    std::string specs;
    for (const OptionInfo& o : c.options()) {
      for (const std::string& name : o.names) {
        const std::string ending = o.argument.empty()        ? ""
                                   : !name.starts_with("--") ? "+"
                                   : o.may_be_alone          ? "=-"
                                                             : "=";
        specs += " \\\n        " + in_quotes(fmt::format("*{}{}[{}]{}{}", name, ending, for_arguments(o.help),
                                                         o.may_be_alone ? ":" : "", zsh_value(o)));
      }
    }
    const std::vector<std::string> words = words_after(c);
    cases += fmt::format("    {}) _arguments{} \\\n        '*:{}:{}' ;;\n", c.name, specs, for_arguments(c.argument),
                         words.empty() ? "_files" : fmt::format("({})", fmt::join(words, " ")));
  }
  for (std::string_view name : futharks_commands()) names += fmt::format("    '{}:Futhark'\\''s own'\n", name);
  return fmt::format(R"(#compdef heddle
# Completions of heddle for zsh, printed by `heddle completions zsh`.
_heddle() {{
  local -a names=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command names
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT -= 1 ))
  case $command in
{}    *) _files ;;
  esac
}}
_heddle "$@"
)",
                     names, cases);
}

std::string for_fish() {
  std::string text = "# Completions of heddle for fish, printed by `heddle completions fish`.\n";
  auto name = [&](std::string_view command, std::string_view summary) {
    text += fmt::format("complete -c heddle -n __fish_use_subcommand -f -a {} -d {}\n", command, in_quotes(summary));
  };
  for (const Command& c : commands()) name(c.name, c.summary);
  for (std::string_view command : futharks_commands()) name(command, "Futhark's own");
  for (const Command& c : commands()) {
    const std::string here = fmt::format("complete -c heddle -n '__fish_seen_subcommand_from {}'", c.name);
    if (const std::vector<std::string> words = words_after(c); !words.empty())
      text += fmt::format("{} -f -a '{}'\n", here, fmt::join(words, " "));
    for (const OptionInfo& o : c.options()) {
      text += here;
      for (const std::string& option : o.names)
        text += option.starts_with("--") ? " -l " + option.substr(2) : " -s " + option.substr(1);
      if (!o.argument.empty() && !o.may_be_alone) text += " -r";
      if (!o.choices.empty()) text += fmt::format(" -f -a '{}'", fmt::join(o.choices, " "));
      text += fmt::format(" -d {}\n", in_quotes(o.help));
    }
  }
  return text;
}

}  // namespace

int completions_command(int argc, char** argv) {
  const std::string_view shell = argc == 2 ? argv[1] : "";
  if (shell == "bash") return deliver(for_bash(), "");
  if (shell == "zsh") return deliver(for_zsh(), "");
  if (shell == "fish") return deliver(for_fish(), "");
  return report(input_error(fmt::format("one shell must be named, of {}", kShells)));
}

}  // namespace heddle::cli
