#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "ir/seg/eval.h"
#include "ir/seg/traverse.h"
#include "seg_data.h"

namespace heddle::seg {
namespace {

std::string text(const EvalResult& result) {
  if (result.outcome == Outcome::ProgramError) return "error: " + result.message + "\n";
  if (result.outcome != Outcome::Ok)
    return "outcome " + std::to_string(static_cast<int>(result.outcome)) + ": " + result.message;
  std::string all;
  for (const TypedValue& v : result.values) all += to_text(v.value, v.is_unsigned) + "\n";
  return all;
}

EvalResult run(const Program& program, std::string_view entry, const std::vector<TypedValue>& arguments,
               Versions versions = Versions::ByCondition) {
  EvalOptions options;
  options.versions = versions;
  return evaluate(program, entry, arguments, options);
}

// ---- Against Futhark. ----

// Numbers but for what is lost in printing six digits after the point.
bool close(const Value& a, const Value& b) {
  auto* x = std::get_if<Array>(&a);
  auto* y = std::get_if<Array>(&b);
  if (!x != !y || (x && (x->elem != y->elem || x->shape != y->shape))) return false;
  auto scalars_close = [](const prim::Value& p, const prim::Value& q) {
    return p == q || (p.type == q.type && std::abs(p.f - q.f) <= 1e-6 * std::max(1.0, std::abs(q.f)));
  };
  if (!x) return scalars_close(std::get<prim::Value>(a), std::get<prim::Value>(b));
  for (int64_t i = 0; i < x->size(); i++) {
    if (!scalars_close(x->at(i), y->at(i))) return false;
  }
  return true;
}

bool as_expected(const EvalResult& result, const std::string& expected) {
  if (result.outcome != Outcome::Ok || expected.starts_with("error: ")) return text(result) == expected;
  std::vector<TypedValue> wanted = values(expected);
  return std::equal(wanted.begin(), wanted.end(), result.values.begin(), result.values.end(),
                    [](const TypedValue& w, const TypedValue& r) { return close(r.value, w.value); });
}

class SegEvalData : public testing::TestWithParam<const char*> {};

TEST_P(SegEvalData, AgreesWithTheHostCompilersOwnBackend) {
  std::string name = GetParam();
  for (const char* form : kForms) {
    Program program = data_program(name + form);
    for (const DataCase& c : data_cases(name)) {
      for (Versions v : {Versions::ByCondition, Versions::Default, Versions::FirstFeasible}) {
        EvalResult result = run(program, c.entry, values(c.arguments), v);
        EXPECT_TRUE(as_expected(result, c.results))
            << name << form << ", " << c.entry << ", versions " << static_cast<int>(v) << ", given " << c.arguments
            << "yields " << text(result) << "instead of " << c.results;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, SegEvalData, testing::ValuesIn(kDataPrograms),
                         [](const auto& info) { return std::string(info.param); });

// ---- The forms and versions among themselves, on random data. ----

TypedValue random_array(prim::Type type, std::vector<int64_t> shape) {
  Array a{type, std::move(shape), std::make_shared<std::vector<int64_t>>()};
  for (int64_t i = 0; i < *element_count(a.shape); i++) {
    int n = *rc::gen::inRange(-9, 10);
    // Small integers, so that sums of floats are exact in any order.
    a.cells->push_back(to_cell(prim::is_float(type) ? prim::Value::of_float(type, n) : prim::Value::of_int(type, n)));
  }
  return {std::move(a), false};
}

int64_t random_size() { return *rc::gen::element<int64_t>(0, 1, 2, 3, 5, 17); }

// Awkward tuning parameters. Those of one class are equal, because the host compiler's tiled code reads out of bounds
// when its tiles do not divide each other.
EvalOptions random_options(const Program& program) {
  struct Find {
    int64_t threshold = *rc::gen::element<int64_t>(0, 4, 1 << 20);
    int64_t tile = *rc::gen::element<int64_t>(1, 2, 3, 4, 16);
    int64_t reg_tile = *rc::gen::element<int64_t>(1, 2, 3);
    EvalOptions options;
    void use(const Name&) {}
    void bind(const Name&) {}
    void stms(const Stms& stms) {
      for (const StmPtr& s : stms) {
        if (auto* g = std::get_if<GetSize>(&s->exp)) {
          options.tuning[g->key] = g->size_class.kind == SizeClassKind::RegTile ? reg_tile : tile;
        } else if (auto* c = std::get_if<CmpSize>(&s->exp)) {
          options.tuning[c->key] = threshold;
        }
      }
    }
    bool enter(const BodyPtr& b) { return stms(b->stms), true; }
    bool enter(const KernelBodyPtr& b) { return stms(b->stms), true; }
  } find;
  for (const FunDef& f : program.functions) walk(find, f.body);
  return find.options;
}

void forms_agree(const char* name, const char* entry, const std::vector<TypedValue>& arguments) {
  std::string expected = text(run(data_program(std::string(name) + ".fut_soacs"), entry, arguments));
  for (const char* form : {".fut_gpu", ".tiled.fut_gpu"}) {
    Program program = data_program(std::string(name) + form);
    EvalOptions options = random_options(program);
    std::string got = text(evaluate(program, entry, arguments, options));
    if (got != expected) {
      RC_LOG() << name << form << " " << entry;
      for (const auto& [key, value] : options.tuning) RC_LOG() << " " << key << "=" << value;
      RC_FAIL("yields " + got + "instead of " + expected);
    }
  }
}

RC_GTEST_PROP(SegEval, FormsAgreeOnProducts, ()) {
  int64_t n = random_size(), m = random_size(), k = random_size();
  forms_agree("products", "main", {random_array(prim::Type::F32, {n, m}), random_array(prim::Type::F32, {m, k})});
}

RC_GTEST_PROP(SegEval, FormsAgreeOnNestedReductions, ()) {
  int64_t n = random_size(), m = random_size();
  forms_agree("products", "sums", {random_array(prim::Type::I64, {n, m})});
  forms_agree("products", "dots", {random_array(prim::Type::I32, {n, m}), random_array(prim::Type::I32, {n, m})});
}

RC_GTEST_PROP(SegEval, FormsAgreeOnScans, ()) {
  int64_t n = random_size(), m = random_size();
  forms_agree("scans", "main", {random_array(prim::Type::I32, {n, m})});
  forms_agree("scans", "linear", {random_array(prim::Type::I32, {n}), random_array(prim::Type::I32, {n})});
  forms_agree("scans", "vectors", {random_array(prim::Type::I64, {n, m})});
  forms_agree("scans", "keep", {random_array(prim::Type::I32, {n})});
}

RC_GTEST_PROP(SegEval, FormsAgreeOnHistograms, ()) {
  int64_t n = random_size(), m = random_size(), k = random_size();
  TypedValue size{prim::Value::i64(k), false};
  forms_agree("updates", "histogram", {size, random_array(prim::Type::I64, {n}), random_array(prim::Type::I32, {n})});
  forms_agree("updates", "histograms", {size, random_array(prim::Type::I64, {n, m})});
}

RC_GTEST_PROP(SegEval, FormsAgreeOnStencils, ()) {
  int64_t n = random_size(), m = random_size();
  TypedValue steps{prim::Value::i64(2), false};
  forms_agree("stencil", "main", {steps, random_array(prim::Type::F64, {n, m})});
  forms_agree("stencil", "convolve", {random_array(prim::Type::I32, {n, m}), random_array(prim::Type::I32, {3, 3})});
}

// ---- Operators. ----

SubExp variable(int tag) { return Name{"x", tag}; }

// A program whose entry point applies one expression to its parameters.
Program applying(Exp exp, std::span<const prim::Type> args, prim::Type result) {
  FunDef f;
  f.name = "f";
  EntryPoint entry{"main", {}, {}};
  for (size_t i = 0; i < args.size(); i++) {
    f.params.push_back(Param{{}, Name{"x", static_cast<int>(i)}, Type::scalar(args[i])});
    entry.params.push_back(EntryParam{"x", false, ValueType{args[i], false, 0}});
  }
  entry.results.push_back(EntryResult{false, ValueType{result, false, 0}});
  f.entry = std::move(entry);
  f.ret.push_back(RetType{Type::scalar(result), {}, {}});
  Name y{"y", 100};
  Stm stm{{PatElem{y, Type::scalar(result)}}, {}, {}, std::move(exp), {}};
  f.body = std::make_shared<const Body>(Body{{std::make_shared<const Stm>(std::move(stm))}, {SubExpRes{{}, y}}});
  Program program;
  program.functions.push_back(std::move(f));
  return program;
}

std::vector<prim::Value> samples(prim::Type type) {
  if (prim::is_float(type)) return {prim::Value::of_float(type, 2.5), prim::Value::of_float(type, -1)};
  if (prim::is_int(type))
    return {prim::Value::of_int(type, 3), prim::Value::of_int(type, 0), prim::Value::of_int(type, -5)};
  return {prim::zero(type), prim::one(type)};
}

// `direct` is what the operator itself says; the program must say the same, or be reported as broken.
template <class F>
void check_operator(const Program& program, std::span<const prim::Type> types, F direct) {
  std::vector<std::vector<prim::Value>> choices;
  for (prim::Type t : types) choices.push_back(samples(t));
  size_t longest = 1;
  for (const auto& c : choices) longest = std::max(longest, c.size());
  for (size_t n = 0; n < longest * longest; n++) {
    std::vector<prim::Value> args;
    std::vector<TypedValue> inputs;
    for (size_t i = 0; i < choices.size(); i++) {
      args.push_back(choices[i][(i == 0 ? n : n / longest) % choices[i].size()]);
      inputs.push_back({args.back(), false});
    }
    EvalResult result = run(program, "main", inputs);
    std::optional<prim::Value> expected = direct(args);
    ASSERT_EQ(result.outcome, expected ? Outcome::Ok : Outcome::Broken) << result.message;
    if (expected) {
      ASSERT_EQ(std::get<prim::Value>(result.values.at(0).value), *expected);
    }
  }
}

TEST(SegEval, ReachesEveryOperator) {
  for (const prim::Op& op : prim::all_ops()) {
    SCOPED_TRACE(prim::name(op));
    PrimOp exp{op, {}};
    std::vector<prim::Type> types(static_cast<size_t>(prim::arity(op)), prim::arg_type(op));
    for (int i = 0; i < prim::arity(op); i++) exp.args.push_back(variable(i));
    check_operator(applying(exp, types, prim::result_type(op)), types,
                   [&](const auto& args) { return prim::eval(op, args); });
  }
}

TEST(SegEval, ReachesEveryBuiltinFunction) {
  for (const prim::Function& f : prim::all_functions()) {
    SCOPED_TRACE(f.name);
    Apply exp{false, f.name, {}, {RetType{Type::scalar(f.result), {}, {}}}};
    for (int i = 0; i < f.num_args; i++) exp.args.push_back(Arg{false, variable(i)});
    check_operator(applying(exp, f.arg_types(), f.result), f.arg_types(),
                   [&](const auto& args) { return prim::eval_function(f, args); });
  }
}

// ---- What goes wrong. ----

// An entry point with the parameters n : i64 and xs : *[n]i32 and the result i32.
EvalResult run_body(const std::string& body, const std::string& more = "", const EvalOptions& options = {}) {
  Program p =
      parse("types { }\nentry(\"main\", {xs: *[]i32}, {i32})\nfun_main (n_1 : i64, xs_2 : *[n_1]i32) : {i32} = {\n" +
            body + "\n}\n" + more);
  return evaluate(p, "main", values("[10, 20, 30]"), options);
}

TEST(SegEval, ReportsFailedAsserts) {
  EvalResult r = run_body(
      "let {c_3 : unit} = assert(false, {\"Size is \", n_1 : i64, \", not \", 1.5f64 : f64, \".\"}, \"a.fut:1:2\") in "
      "{0i32}");
  EXPECT_EQ(r.outcome, Outcome::ProgramError);
  EXPECT_EQ(r.message, "Size is 3, not 1.500000.");
  EXPECT_EQ(r.location, "a.fut:1:2");
}

TEST(SegEval, CallsAnUncheckedAccessOutOfBoundsBroken) {
  EXPECT_EQ(text(run_body("let {y_3 : i32} = xs_2[2i64] in {y_3}")), "30i32\n");
  EvalResult r = run_body("let {y_3 : i32} = xs_2[3i64] in {y_3}");
  EXPECT_EQ(r.outcome, Outcome::Broken);
  EXPECT_EQ(r.message, "xs_2[3] is out of bounds: the shape is [3].");
  EXPECT_EQ(run_body("let {ys_3 : [n_1]i32} = xs_2 with [-1i64] = 1i32 in {0i32}").outcome, Outcome::Broken);
  EXPECT_EQ(text(run_body("let {ys_3 : [n_1]i32} = xs_2 with? [-1i64] = 1i32 let {y_4 : i32} = ys_3[0i64] in {y_4}")),
            "10i32\n");
}

TEST(SegEval, LetsViewsThatDoNotFitBeUntilTheyAreRead) {
  EXPECT_EQ(text(run_body("let {ys_3 : [5i64]i32} = coerce([5i64], xs_2) "
                          "let {zs_4 : [9i64]i32} = xs_2[0i64 :+ 9i64 * 1i64] in {7i32}")),
            "7i32\n");
  EvalResult r = run_body("let {ys_3 : [5i64]i32} = coerce([5i64], xs_2) let {y_4 : i32} = ys_3[0i64] in {y_4}");
  EXPECT_EQ(r.outcome, Outcome::Broken);
  EXPECT_EQ(r.message, "xs_2 of shape [3] is reshaped to [5].");
}

TEST(SegEval, CatchesUseAfterConsumption) {
  EvalResult r = run_body("let {ys_3 : [n_1]i32} = xs_2 with [0i64] = 1i32 let {y_4 : i32} = xs_2[0i64] in {y_4}");
  EXPECT_EQ(r.outcome, Outcome::Broken);
  EXPECT_EQ(r.message, "xs_2 is used after it has been consumed.");
}

TEST(SegEval, CallsUndefinedOperationsBroken) {
  EvalResult r = run_body("let {y_3 : i64} = sdiv64(n_1, 0i64) in {0i32}");
  EXPECT_EQ(r.outcome, Outcome::Broken);
  EXPECT_EQ(r.message, "sdiv64(3i64, 0i64) is undefined.");
}

TEST(SegEval, EndsEveryProgram) {
  EvalOptions options;
  options.max_steps = 10'000;
  EXPECT_EQ(
      run_body("let {y_3 : bool} = loop {b_4 : bool} = {true} while b_4 do { {b_4} } in {0i32}", "", options).outcome,
      Outcome::Limit);
  EXPECT_EQ(run_body("let {ys_3 : [99999999999i64]i32} = replicate([99999999999i64], 1i32) in {0i32}").outcome,
            Outcome::Limit);
  EXPECT_EQ(
      run_body("let {ys_3 : [n_1][9223372036854775807i64]i8} = scratch(i8, n_1, 9223372036854775807i64) in {0i32}")
          .outcome,
      Outcome::Limit);
  EXPECT_EQ(run_body("let {y_3 : i32} = apply f(1i32) : {i32} in {y_3}",
                     "fun f (x_5 : i32) : {i32} = { let {z_6 : i32} = apply f(x_5) : {i32} in {z_6} }")
                .outcome,
            Outcome::Limit);
  EXPECT_EQ(run_body("let {ys_3 : [-1i64]i32} = replicate([-1i64], 1i32) in {0i32}").outcome, Outcome::Broken);
}

TEST(SegEval, SaysWhatIsWrongWithArguments) {
  Program p = data_program("products.fut_gpu");
  EXPECT_EQ(run(p, "nothing", {}).message, "There is no entry point \"nothing\".");
  EXPECT_EQ(run(p, "main", values("[[1f32]] [[1f32],[2f32]]")).message, "Entry point arguments have invalid sizes.");
  for (const char* arguments :
       {"[[1f32]]", "[[1f32]] 2i32", "[1f32] [[1f32]]", "[[1i32]] [[1i32]]", "1 2 3 4 5 6 7 8"}) {
    EXPECT_EQ(run(p, "main", values(arguments)).outcome, Outcome::Input) << arguments;
  }
}

TEST(SegEval, RefusesDerivativesByName) {
  EvalResult r = run_body("let {y_3 : i64, z_4 : i64} = jvp({n_1}, {n_1}, \\ {a_5 : i64} : {i64} -> {a_5}) in {0i32}");
  EXPECT_EQ(r.outcome, Outcome::Unsupported);
  EXPECT_EQ(r.message, "The evaluator does not know jvp.");
}

// ---- Tiles, which few programs have. ----

TEST(SegEval, PutsTilesTogether) {
  std::string grid = "let {g_3 : i64} = get_size(g, grid_size) ";
  // Blocks of two over five elements: the last tile sticks out.
  std::string tiled = grid +
                      "let {ys_4 : [5i64]i64} = segmap(block; ; grid=g_3; blocksize=g_3) (b_5 < 3i64) (~f_6) : {i64} { "
                      "let {o_7 : i64} = mul64(b_5, 2i64) let {t_8 : [2i64]i64} = iota64(2i64, o_7, 1i64) return "
                      "{tile(5i64 / 2i64) t_8} } "
                      "let {l_9 : i64} = ys_4[4i64] let {m_10 : i64} = ys_4[1i64] let {s_11 : i64} = add64(l_9, m_10) "
                      "let {r_12 : i32} = sext i64 s_11 to i32 in {r_12}";
  EXPECT_EQ(text(run_body(tiled)), "5i32\n");
  // Element 5 is in block 1, thread 0, register 1 (of 2 threads with 2 registers each).
  std::string registers =
      grid +
      "let {ys_4 : [7i64]i64} = segmap(block; ; grid=g_3; blocksize=g_3) (b_5 < 2i64) (~f_6) : {i64} { "
      "let {o_7 : i64} = mul64(b_5, 4i64) let {u_8 : [4i64]i64} = iota64(4i64, o_7, 1i64) "
      "let {t_9 : [2i64][2i64]i64} = reshape([2i64][2i64], u_8) return {blkreg_tile(7i64 / (2i64 * 2i64)) t_9} } "
      "let {l_10 : i64} = ys_4[5i64] let {r_12 : i32} = sext i64 l_10 to i32 in {r_12}";
  EXPECT_EQ(text(run_body(registers)), "5i32\n");
}

}  // namespace
}  // namespace heddle::seg
