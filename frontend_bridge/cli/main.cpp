#include <cstdio>
#include <cstring>
#include "codegen/host/generate.h"
#include "frontend_bridge/pipeline.h"
int main(int argc, char** argv) {
  using namespace heddle;
  HostOptions h; if (getenv("HEDDLE_FUTHARK")) h.futhark = getenv("HEDDLE_FUTHARK");
  auto p = load_program(argv[1], h);
  if (!p) { fprintf(stderr, "%s\n", p.error().message.c_str()); return exit_code(p.error().kind); }
  auto l = compile_kernels(*p, true);
  if (!l) { fprintf(stderr, "%s\n", l.error().message.c_str()); return exit_code(l.error().kind); }
  codegen::host::Options o; o.mode = argc > 2 && !strcmp(argv[2], "server") ? codegen::host::Mode::Server : codegen::host::Mode::Executable;
  auto t = codegen::host::generate(*l, o);
  if (!t) { fprintf(stderr, "%s\n", t.error().message.c_str()); return exit_code(t.error().kind); }
  fputs(t->c_str(), stdout);
}
