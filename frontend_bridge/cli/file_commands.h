// The commands that look into a program or run it: check, print, compile, explain, run.
#pragma once

namespace heddle::cli {

int file_command(int argc, char** argv);

}  // namespace heddle::cli
