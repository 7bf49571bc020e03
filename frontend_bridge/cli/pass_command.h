// `heddle pass`: one pass or rewrite alone, from text to text.
#pragma once

namespace heddle::cli {

// `argv[0]` is the command's name. Yields the exit code.
int pass_command(int argc, char** argv);

}  // namespace heddle::cli
