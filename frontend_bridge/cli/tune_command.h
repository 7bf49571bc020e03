// `heddle tune`: thresholds and tilings that suit a program's datasets, in a file that the program reads (--tuning).
#pragma once

namespace heddle::cli {

int tune_command(int argc, char** argv);

}  // namespace heddle::cli
