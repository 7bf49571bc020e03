// Writes the C text of prim_table.h to a file.
#include <fstream>
#include <iostream>

#include "tests/ir/prim_table.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: prim_table_generator FILE\n";
    return 1;
  }
  std::ofstream out(argv[1]);
  out << heddle::prim::samples::table_text();
  out.close();
  return out ? 0 : 1;
}
