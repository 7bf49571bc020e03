// Writes one C function of host statements, each as its own few lines. Every array that the function owns is a variable declared
// empty at its top, is empty again once its name has ended, and is released at the one exit; so each failure may simply go there.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/host/c_writer.h"
#include "codegen/host/generate.h"
#include "codegen/host/launching.h"
#include "codegen/host/scalar_text.h"
#include "ir/host/changing.h"
#include "ir/host/traverse.h"

namespace heddle::codegen::host {

namespace ir = heddle::host;

class FunctionWriter {
 public:
  FunctionWriter(const ir::Program& program, Target target)
      : program_(program), beside_others_(kernels_beside_others(program)), reaches_arrays_(target == Target::Cpu) {}

  // `static int name(parameters)` of an entry point, and of the function that computes the program's constants.
  std::string entry_point(const std::string& name, const ir::Function& function);
  std::string init_constants(const std::string& name);

 private:
  // ---- Blocks and variables (function_writer.cpp). ----
  void statements(const ir::Block& block);
  void statement(const ir::Stmt& s);
  size_t reads(const std::vector<ir::Stmt>& stmts, size_t begin);
  std::string finish_function(const std::string& head, const ir::Block& body);
  // Arrays of others have a text of their own; a name that takes another's array over has the same text.
  std::string array(const Name& name) const;
  std::string declare(const Name& array);
  void declare_text(const std::string& variable);
  void take_over(const Name& name, const Name& from) { arrays_of_others_[name] = array(from); }
  void move(const Name& to, const Name& from);
  void define(const Name& name, prim::Type type, const std::string& value);
  // The address of a value: what is no variable gets one.
  std::string address(const nest::Expr& value);
  std::string fresh(const std::string& base);

  template <class... Args>
  void try_call(fmt::format_string<Args...> format, Args&&... args) {
    out_.line("TRY({});", fmt::format(format, std::forward<Args>(args)...));
  }

  // An element as C has it, where the host reaches the arrays.
  std::string element(const Name& array, const std::vector<nest::Expr>& index, prim::Type type) const;

  // ---- Scalars, memory and elements (statements.cpp). ----
  void emit(const ir::Let&);
  void emit(const ir::Measure&);
  void emit(const ir::Ask&);
  void emit(const ir::GetParam&);
  void emit(const ir::GetMax&);
  void emit(const ir::Compare&);
  void emit(const ir::ReadElement&);
  void emit(const ir::Alloc&);
  void emit(const ir::Free&);
  void emit(const ir::Share&);
  void emit(const ir::Slice&);
  void emit(const ir::FlatSlice&);
  void emit(const ir::Rearrange&);
  void emit(const ir::Broadcast&);
  void emit(const ir::Reshape&);
  void emit(const ir::Manifest&);
  void emit(const ir::Deliver&);
  void emit(const ir::Copy&);
  void emit(const ir::Pack&);
  void emit(const ir::Fill&);
  void emit(const ir::Iota&);
  void emit(const ir::Upload&);
  void emit(const ir::WriteElement&);
  void emit(const ir::Trace&);

  // ---- Control (control.cpp). ----
  void emit(const ir::If&);
  void emit(const ir::Loop&);
  void emit(const ir::Assert&);
  void emit(const ir::Check&);
  void branch(const ir::Block& block, const std::vector<ir::Binder>& results);
  void long_chain(const ir::If& first);
  void next_iteration(const ir::Loop& loop);

  // ---- Kernels (launches.cpp, choose.cpp). ----
  void emit(const ir::Launch&);
  void emit(const ir::LaunchChosen&);
  void emit(const ir::Choose&);
  void way(const ir::Way& way, bool is_first);
  void ask(const ir::Way& way);
  // What the runtime asks of a launch to have it run beside others.
  struct Beside {
    nest::NameSet written;
    bool next;
  };
  // `code` launches `launch`; the values of the kernel's constants are in `constants`.
  void launch(const nest::Kernel& kernel, const std::vector<nest::Expr>& scalars, const std::vector<Name>& buffers,
              const std::string& number, const std::string& constants, const std::string& code,
              const std::optional<Beside>& beside);

  // ---- Entry points (entry_points.cpp). ----
  void bind_constants(const nest::NameSet& used);
  void hand_over(const std::string& to, const ir::Value& value);

  const ir::Program& program_;
  std::vector<bool> beside_others_;  // by kernel
  bool reaches_arrays_;              // by the addresses that kernels use
  std::unordered_set<const ir::StmtNode*> launching_;
  bool failures_unseen_ = true;  // kernels may have failed, and left who knows what, since the host looked
  CWriter out_{1};
  std::vector<std::string> variables_;  // arrays that the function owns
  std::unordered_set<std::string> declared_;
  std::unordered_map<Name, std::string> arrays_of_others_;
  std::vector<size_t> constants_in_use_;  // arrays
  const ir::Way* way_ = nullptr;          // in whose body we are
  nest::NameSet changing_;                // from one round of a loop to the next
  std::unordered_map<std::string, int> counters_;
};

}  // namespace heddle::codegen::host
