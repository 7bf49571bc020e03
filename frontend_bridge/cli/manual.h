// `heddle manual`: the manual page, from the tables of commands and options.
#pragma once

namespace heddle::cli {

int manual_command(int argc, char** argv);

}  // namespace heddle::cli
