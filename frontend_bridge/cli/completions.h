// `heddle completions`: what shells complete after `heddle`, from the tables of commands and options.
#pragma once

namespace heddle::cli {

int completions_command(int argc, char** argv);

}  // namespace heddle::cli
