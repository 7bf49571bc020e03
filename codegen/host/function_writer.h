// Writes one C function of host statements. Every array of the function is a variable declared empty at its top, is
// empty again once its last use is over, and is released at the one exit; so each failure may simply go there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/host/c_writer.h"
#include "codegen/host/scalar_text.h"
#include "codegen/host/survey.h"
#include "ir/nest/traverse.h"
#include "ir/seg/traverse.h"

namespace heddle::codegen::host {

// The value of a kernel's argument.
std::string scalar_arg(const lower::ScalarArg& arg);

class FunctionWriter {
 public:
  FunctionWriter(const lower::LoweredProgram& program, const Survey& survey) : program_(program), survey_(survey) {}

  // `static int name(parameters)` of an entry point, and of the function that computes the program's constants.
  std::string entry_point(const std::string& name, const seg::FunDef& function, size_t num_inputs, size_t num_outputs);
  std::string init_constants(const std::string& name);

 private:
  using Results = std::vector<seg::SubExpRes>;

  // What a name is in C: unit values, certificates and accumulators take no variable.
  enum class Kind { Nothing, Scalar, Array };
  static Kind kind_of(const seg::Type& type);
  Kind kind(const seg::SubExp& value) const;
  bool is_array(const seg::SubExp& value) const { return kind(value) == Kind::Array; }

  // Arrays whose last mention is in the statement at hand, or which the block at hand leaves behind: an alias may take
  // them over.
  struct Ending {
    seg::NameSet names;
    bool take(const Name& n) { return names.erase(n) > 0; }
  };

  // ---- Blocks (function_writer.cpp). ----
  using Finish = std::function<void(const Results&, Ending&)>;
  // Writes the statements; `finish` then consumes the results, and whatever arrays it leaves in `Ending` are released.
  void block(const seg::Stms& stms, const Results& result, const std::vector<Name>& owned, const Finish& finish);
  void statement(const seg::Stm& stm, Ending& ending);
  void release(const Name& array);
  void release_all(Ending& ending);
  // `head` without `static int`; `stms` are those of the function.
  std::string finish_function(const std::string& head, const seg::Stms& stms);

  // ---- Variables (function_writer.cpp). ----
  void declare_array(const std::string& c_name);
  void bind(const Name& name, const seg::Type& type);               // arrays get their variable
  void bind_declared(const Name& name, const seg::Type& type);      // scalars get theirs here, too
  void define(const seg::PatElem& elem, const std::string& value);  // a scalar, or nothing
  void alias(const std::string& dst, const Name& src, Ending& ending);
  // Gives results[i] to the variables of `elems` from `first` on; `results` are the last mentions of their names.
  void deliver(const seg::Pat& elems, size_t first, const Results& results, size_t first_result, Ending& ending);
  // The address of a value: constants and results of conversions get a variable.
  std::string address(const seg::SubExp& value, prim::Type type);
  std::string fresh(const std::string& base);

  template <class... Args>
  void try_call(fmt::format_string<Args...> format, Args&&... args) {
    out_.line("TRY({});", fmt::format(format, std::forward<Args>(args)...));
  }

  // ---- Scalar statements and control (control.cpp). ----
  void emit(const seg::Stm&, const seg::Atom&, Ending&);
  void emit(const seg::Stm&, const seg::Opaque&, Ending&);
  void emit(const seg::Stm&, const seg::PrimOp&, Ending&);
  void emit(const seg::Stm&, const seg::Apply&, Ending&);
  void emit(const seg::Stm&, const seg::Assert&, Ending&);
  void emit(const seg::Stm&, const seg::Match&, Ending&);
  void emit(const seg::Stm&, const seg::Loop&, Ending&);
  void emit(const seg::Stm&, const seg::WithAcc&, Ending&);
  void emit(const seg::Stm&, const seg::GetSize&, Ending&);
  void emit(const seg::Stm&, const seg::GetSizeMax&, Ending&);
  void emit(const seg::Stm&, const seg::CmpSize&, Ending&);
  void emit(const seg::Stm&, const seg::CalcNumBlocks&, Ending&);
  static const seg::Match* next_in_chain(const seg::Match& e);
  void long_chain(const seg::Match& first, const Finish& deliver_all);
  std::string failure_arg(const seg::SubExp& value, prim::Type type);
  void trace(const std::string& tag, const seg::SubExp& value, const seg::Type& type);
  void begin_iterations(const seg::Loop& loop);
  void start_loop(const seg::Loop& loop, Ending& ending);
  void next_iteration(const seg::Loop& loop, const Results& results, Ending& ending);

  // ---- Array operations (array_ops.cpp). ----
  static bool reads_element(const seg::Stm& stm);
  static size_t end_of_reads(const seg::Stms& stms, size_t begin, const std::function<bool(size_t)>& is_needed);
  // Those statements, for one wait.
  void read_elements(const seg::Stms& stms, size_t begin, size_t end);
  void emit(const seg::Stm&, const seg::ArrayLit&, Ending&);
  void emit(const seg::Stm&, const seg::ArrayVal&, Ending&);
  void emit(const seg::Stm&, const seg::Index&, Ending&);
  void emit(const seg::Stm&, const seg::Update&, Ending&);
  void emit(const seg::Stm&, const seg::FlatIndex&, Ending&);
  void emit(const seg::Stm&, const seg::FlatUpdate&, Ending&);
  void emit(const seg::Stm&, const seg::Concat&, Ending&);
  void emit(const seg::Stm&, const seg::Manifest&, Ending&);
  void emit(const seg::Stm&, const seg::Iota&, Ending&);
  void emit(const seg::Stm&, const seg::Replicate&, Ending&);
  void emit(const seg::Stm&, const seg::Scratch&, Ending&);
  void emit(const seg::Stm&, const seg::Reshape&, Ending&);
  void emit(const seg::Stm&, const seg::Rearrange&, Ending&);
  void allocate(const std::string& dst, prim::Type elem, const std::vector<std::string>& shape);
  void upload(const std::string& dst, prim::Type elem, const std::vector<std::string>& values, bool constant);
  void write(const std::string& dst, const seg::Slice& slice, const seg::SubExp& value, prim::Type elem);

  // ---- Kernels (launches.cpp). ----
  void emit(const seg::Stm& stm, const seg::SegOp&, Ending& ending) { run_kernels(stm, ending); }
  void emit(const seg::Stm& stm, const seg::GpuBody&, Ending& ending) { run_kernels(stm, ending); }
  void run_kernels(const seg::Stm& stm, Ending& ending);
  // How to launch a kernel compiled at run time: its number in the survey, the variable that holds what was compiled,
  // and the one that holds the values of its constants.
  struct Variant {
    int number;
    std::string code, values;
  };
  void pack(const seg::Stm& stm, const lower::Pack& pack, const std::vector<std::string>& temporaries);
  void run_launches(const seg::Stm& stm, const lower::Lowered& lowered);
  // The host's variables for temporaries.
  std::vector<std::string> allocate(const std::vector<lower::Temporary>& temporaries);
  void release(const std::vector<std::string>& temporaries);
  void launch(const seg::Stm& stm, const lower::Launch& launch, const std::vector<std::string>& temporaries = {},
              const std::optional<Variant>& variant = {});

  // ---- Specialized kernels (specialized.cpp). ----
  void run_specialized(const seg::Stm& stm, const lower::Lowered& lowered);
  void way(const seg::Stm& stm, const lower::Specialized& s, const lower::Launch& direct);
  void contraction(const lower::Specialized& s, const nest::Substitution& values);

  // ---- Entry points (entry_points.cpp). ----
  void bind_sizes(const seg::FunDef& function, size_t num_sizes);
  void bind_inputs(const seg::FunDef& function, size_t num_sizes);
  void bind_constants(const seg::NameSet& used);
  void return_results(const seg::FunDef& function, const Results& results, size_t num_sizes, const seg::NameSet& used,
                      Ending& ending);

  // The survey refuses programs with these among their host statements.
  template <class E>
  static constexpr bool kRefused =
      std::is_same_v<E, seg::Screma> || std::is_same_v<E, seg::Scatter> || std::is_same_v<E, seg::Hist> ||
      std::is_same_v<E, seg::Stream> || std::is_same_v<E, seg::Derivative> || std::is_same_v<E, seg::UpdateAcc>;

  const lower::LoweredProgram& program_;
  const Survey& survey_;
  CWriter out_{1};
  std::vector<std::string> arrays_;
  std::unordered_set<std::string> declared_;
  std::unordered_map<Name, Kind> kinds_;
  std::unordered_map<std::string, int> counters_;
};

std::vector<std::string> c_shape(const seg::Type& type);

}  // namespace heddle::codegen::host
