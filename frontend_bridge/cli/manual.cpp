#include "frontend_bridge/cli/manual.h"

#include <fmt/format.h>

#include <string>

#include "frontend_bridge/cli/commands.h"
#include "frontend_bridge/cli/deliver.h"
#include "frontend_bridge/cli/report.h"

namespace heddle::cli {

namespace {

// What roff would read as markup: a hyphen is to be one that can be searched for, and a line must not begin with a dot.
std::string roff(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') ? "\\&" + out : out;
}

std::string option_text(const OptionInfo& o) {
  std::string names;
  for (const std::string& name : o.names) {
    const std::string value = o.argument.empty() ? "" : fmt::format("\\fI{}\\fR", roff(o.argument));
    const std::string gap = o.argument.empty() ? "" : name.starts_with("--") ? "=" : " ";
    names += fmt::format("{}\\fB{}\\fR{}", names.empty() ? "" : ", ", roff(name),
                         o.may_be_alone ? "[" + (name.starts_with("--") ? gap : "") + value + "]" : gap + value);
  }
  return fmt::format(".TP\n{}\n{}\n", names, roff(o.help));
}

constexpr const char* kEnvironment = R"(.SH ENVIRONMENT
.TP
.B HEDDLE_FUTHARK
the real futhark; else the copy below ~/.cache/heddle, else futhark on PATH
.TP
.BR CC ", " CFLAGS
the C compiler and its flags
.TP
.B HEDDLE_CACHE
the folder for compiled kernels; set to nothing, none are kept (else ~/.cache/heddle)
.TP
.B HEDDLE_CACHE_MIB
how large it may become (256)
.TP
.B CUDA_HOME
where the CUDA toolkit is, if not in a usual place
)";

std::string manual() {
  std::string text = ".TH HEDDLE 1 \"\" \"heddle " HEDDLE_VERSION
                     "\" \"User Commands\"\n.SH NAME\nheddle \\- compile Futhark programs for NVIDIA GPUs and CPUs\n"
                     ".SH SYNOPSIS\n.B heddle\n.I COMMAND\n[\\fIOPTION\\fR...] [\\fIFILE\\fR]\n.SH DESCRIPTION\n";
  text += roff("A middle-end and CUDA backend for Futhark, which takes the place of the futhark command. ") + "\n" +
          roff(about_files()) + "\n.PP\n" + roff(about_futharks_commands()) + "\n.SH COMMANDS\n";
  for (const Command& c : commands()) {
    text += fmt::format(".SS heddle {} \\fI{}\\fR\n{}\n", roff(c.name), roff(c.argument), roff(c.summary));
    for (const OptionInfo& o : c.options()) text += option_text(o);
  }
  return text + ".SH EXIT STATUS\n" + roff(about_exit_codes()) + "\n" + kEnvironment +
         ".SH SEE ALSO\n.BR futhark (1)\n";
}

}  // namespace

int manual_command(int argc, char**) {
  if (argc != 1) return report(input_error("heddle manual takes no arguments"));
  return deliver(manual(), "");
}

}  // namespace heddle::cli
