// Statements, basic operations and control.
#include <fmt/format.h>

#include <unordered_set>

#include "frontend_bridge/futhark/reader_parser.h"

namespace heddle::futhark {

using namespace seg;

Stms Parser::stms() {
  Stms all;
  while (true) {
    check_stm_start();
    if (!at_word("let")) return all;
    all.push_back(stm());
  }
}

StmPtr Parser::stm() {
  auto s = std::make_shared<Stm>();
  s->position.line = token_.line;
  expect_word("let");
  s->pat = braces([&] { return pat_elem(); });
  expect_word("=");
  s->attrs = attrs();
  s->certs = certs();
  s->exp = exp();
  return s;
}

BodyPtr Parser::body() {
  Level level(*this);
  auto b = std::make_shared<Body>();
  if (!at('{')) {
    b->stms = stms();
    if (!accept_word("in")) fail(b->stms.empty() ? "`let`, `in` or `{`" : "`let` or `in`");
  }
  b->result = braces([&] { return sub_exp_res(); });
  return b;
}

// A body in braces, or just its result.
BodyPtr Parser::branch_body() {
  Level level(*this);
  expect('{');
  if (at_word("let") || at_word("in") || at('{') || token_.kind == TokenKind::String) {
    BodyPtr b = body();
    expect('}');
    return b;
  }
  auto b = std::make_shared<Body>();
  b->result = until('}', [&] { return sub_exp_res(); });
  return b;
}

Lambda Parser::lambda() {
  Lambda l;
  if (accept_word("nilFn")) {
    l.body = std::make_shared<const Body>();
    return l;
  }
  if (!accept('\\')) fail("`\\` (a lambda)");
  l.params = braces([&] { return param(false); });
  expect(':');
  l.ret = types();
  expect_word("->");
  l.body = body();
  return l;
}

// ---- Expressions. ----

namespace {

bool is_conversion(std::string_view keyword) {
  static const std::unordered_set<std::string_view> keywords = [] {
    std::unordered_set<std::string_view> all;
    for (const prim::Op& op : prim::all_ops()) {
      if (prim::kind(op) == prim::Kind::Conv) all.insert(prim::conv_keyword(op));
    }
    return all;
  }();
  return keywords.contains(keyword);
}

// What other dialects have where an expression may stand.
const char* foreign_expression(std::string_view keyword) {
  static const std::unordered_map<std::string_view, const char*> foreign = {
      {"flatmap", "`flatmap` was introduced by Futhark 0.27.1; heddle reads what Futhark 0.25.27 prints"},
      {"alloc",
       "`alloc` belongs to dumps with memory (such as .fut_gpu_mem); heddle reads the form before memory is planned "
       "(.fut_soacs, .fut_gpu)"},
      {"par", "`par` belongs to the multicore form (.fut_mc); heddle reads .fut_soacs and .fut_gpu"}};
  auto it = foreign.find(keyword);
  return it == foreign.end() ? nullptr : it->second;
}

}  // namespace

const std::unordered_map<std::string_view, Parser::ExpMethod>& Parser::exp_keywords() {
  static const std::unordered_map<std::string_view, ExpMethod> keywords = {
      {"opaque", &Parser::opaque},
      {"trace", &Parser::trace},
      {"copy", &Parser::copy},
      {"assert", &Parser::assertion},
      {"replicate", &Parser::replicate},
      {"reshape", &Parser::reshape<false>},
      {"coerce", &Parser::reshape<true>},
      {"scratch", &Parser::scratch},
      {"rearrange", &Parser::rearrange},
      {"manifest", &Parser::manifest},
      {"concat", &Parser::concat},
      {"iota8", &Parser::iota<prim::Type::I8>},
      {"iota16", &Parser::iota<prim::Type::I16>},
      {"iota32", &Parser::iota<prim::Type::I32>},
      {"iota64", &Parser::iota<prim::Type::I64>},
      {"update_acc", &Parser::update_acc<true>},
      {"update_acc_unsafe", &Parser::update_acc<false>},
      {"apply", &Parser::apply},
      {"if", &Parser::if_then_else},
      {"match", &Parser::match},
      {"loop", &Parser::loop},
      {"with_acc", &Parser::with_acc},
      {"map", &Parser::screma<false, false>},
      {"redomap", &Parser::screma<false, true>},
      {"scanomap", &Parser::screma<true, false>},
      {"screma", &Parser::screma<true, true>},
      {"scatter", &Parser::scatter},
      {"hist", &Parser::hist},
      {"streamSeq", &Parser::stream},
      {"jvp", &Parser::derivative<false>},
      {"vjp", &Parser::derivative<true>},
      {"segmap", &Parser::seg_op<SegKind::Map>},
      {"segred", &Parser::seg_op<SegKind::Red>},
      {"segscan", &Parser::seg_op<SegKind::Scan>},
      {"seghist", &Parser::seg_op<SegKind::Hist>},
      {"get_size", &Parser::get_size},
      {"get_size_max", &Parser::get_size_max},
      {"cmp_size", &Parser::cmp_size},
      {"calc_num_tblocks", &Parser::calc_num_blocks},
      {"gpu", &Parser::gpu_body},
  };
  return keywords;
}

Exp Parser::exp() {
  if (token_.kind == TokenKind::Word) {
    auto it = exp_keywords().find(token_.text);
    if (it != exp_keywords().end()) {
      ExpMethod method = it->second;
      advance();
      return (this->*method)();
    }
  }
  return exp_without_keyword();
}

Exp Parser::exp_without_keyword() {
  if (std::optional<Name> array = try_name()) return indexing(*std::move(array));
  if (at('[')) return array_literal();
  if (token_.kind == TokenKind::Word) {
    if (is_conversion(token_.text)) return conversion();
    if (std::optional<prim::Op> op = prim::parse_op(token_.text); op && prim::kind(*op) != prim::Kind::Conv) {
      advance();
      PrimOp e{*op, {}};
      if (prim::arity(*op) == 1) {
        e.args.push_back(sub_exp());
        return e;
      }
      expect('(');
      e.args.push_back(sub_exp());
      expect(',');
      e.args.push_back(sub_exp());
      expect(')');
      return e;
    }
    if (const char* message = foreign_expression(token_.text)) reject(ErrorKind::Unsupported, message);
  }
  if (std::optional<prim::Value> constant = try_value()) return Atom{*constant};
  fail("an expression");
}

Exp Parser::indexing(Name array) {
  if (accept_word("with")) {
    bool safe = accept('?');
    std::variant<Slice, FlatSlice> s = any_slice();
    expect_word("=");
    if (auto* flat = std::get_if<FlatSlice>(&s)) {
      if (safe) fail("an ordinary slice after `with?`");
      return FlatUpdate{std::move(array), std::move(*flat), name()};
    }
    return Update{std::move(array), safe, std::get<Slice>(std::move(s)), sub_exp()};
  }
  if (at('[')) {
    std::variant<Slice, FlatSlice> s = any_slice();
    if (auto* flat = std::get_if<FlatSlice>(&s)) return FlatIndex{std::move(array), std::move(*flat)};
    return Index{std::move(array), std::get<Slice>(std::move(s))};
  }
  return Atom{std::move(array)};
}

// Constants of a primitive type are an ArrayVal, as in the host.
Exp Parser::array_literal() {
  std::vector<SubExp> elems = list('[', ']', [&] { return sub_exp(); });
  expect(':');
  expect('[');
  expect(']');
  Type row = plain_type();
  bool constant = row.is_scalar();
  for (const SubExp& e : elems) constant = constant && !e.is_var();
  if (!constant) return ArrayLit{std::move(elems), std::move(row)};
  ArrayVal v;
  v.elem_type = row.elem;
  for (const SubExp& e : elems) v.elems.push_back(e.value());
  return v;
}

Exp Parser::opaque() {
  expect('(');
  Opaque e{std::nullopt, sub_exp()};
  expect(')');
  return e;
}

Exp Parser::trace() {
  expect('(');
  Opaque e;
  e.trace = string("the trace's tag in quotes");
  expect(',');
  e.value = sub_exp();
  expect(')');
  return e;
}

Exp Parser::copy() {
  expect('(');
  Replicate e{{}, sub_exp()};
  expect(')');
  return e;
}

Exp Parser::assertion() {
  expect('(');
  Assert e;
  e.condition = sub_exp();
  expect(',');
  e.message = braces([&]() -> ErrorPart {
    if (token_.kind == TokenKind::String) return string("a part of the message");
    ErrorVal v;
    v.value = sub_exp();
    expect(':');
    v.type = prim_type();
    return v;
  });
  expect(',');
  e.location = string("the assertion's source location in quotes");
  expect(')');
  return e;
}

Exp Parser::replicate() {
  expect('(');
  Replicate e;
  e.shape = shape();
  expect(',');
  e.value = sub_exp();
  expect(')');
  return e;
}

template <bool coerce>
Exp Parser::reshape() {
  expect('(');
  Reshape e;
  e.coerce = coerce;
  e.shape = shape();
  expect(',');
  e.array = name();
  expect(')');
  return e;
}

Exp Parser::scratch() {
  expect('(');
  Scratch e;
  e.elem = prim_type();
  while (accept(',')) e.shape.push_back(sub_exp());
  expect(')');
  return e;
}

Exp Parser::rearrange() {
  expect('(');
  Rearrange e;
  e.perm = permutation();
  expect(',');
  e.array = name();
  expect(')');
  return e;
}

Exp Parser::manifest() {
  expect('(');
  Manifest e;
  e.perm = permutation();
  expect(',');
  e.array = name();
  expect(')');
  return e;
}

Exp Parser::concat() {
  expect('@');
  Concat e;
  e.dim = small_int();
  expect('(');
  e.width = sub_exp();
  expect(',');
  e.arrays.push_back(name());
  while (accept(',')) e.arrays.push_back(name());
  expect(')');
  return e;
}

template <prim::Type elem>
Exp Parser::iota() {
  expect('(');
  Iota e;
  e.elem = elem;
  e.count = sub_exp();
  expect(',');
  e.start = sub_exp();
  expect(',');
  e.stride = sub_exp();
  expect(')');
  return e;
}

template <bool safe>
Exp Parser::update_acc() {
  expect('(');
  UpdateAcc e;
  e.safe = safe;
  e.acc = name();
  expect(',');
  e.index = sub_exps();
  expect(',');
  e.values = sub_exps();
  expect(')');
  return e;
}

Exp Parser::conversion() {
  std::string_view keyword = token_.text;
  advance();
  std::string_view from = token_.text;
  prim_type();
  SubExp arg = sub_exp();
  expect_word("to");
  Token to = token_;
  prim_type();
  std::optional<prim::Op> op = prim::parse_conv(keyword, from, to.text);
  if (!op) {
    throw SyntaxError{ErrorKind::Input, to.offset,
                      fmt::format("`{}` does not convert {} to {}", keyword, from, to.text)};
  }
  return PrimOp{*op, {std::move(arg)}};
}

// ---- Control. ----

Exp Parser::apply() {
  Apply e;
  e.unsafe = accept_word("<unsafe>");
  e.function = word("a function's name");
  e.args = list('(', ')', [&] {
    Arg a;
    a.consumed = !at_starred_name() && accept_prefix("*");
    a.value = sub_exp();
    return a;
  });
  expect(':');
  e.ret = braces([&] { return ret_type(); });
  return e;
}

MatchSort Parser::match_sort() {
  if (accept_word("<fallback>")) return MatchSort::Fallback;
  if (accept_word("<equiv>")) return MatchSort::Equiv;
  return MatchSort::Normal;
}

Exp Parser::if_then_else() {
  Match e;
  e.sort = match_sort();
  e.subjects.push_back(sub_exp());
  expect_word("then");
  e.cases.push_back(Case{{prim::Value::of_bool(true)}, branch_body()});
  expect_word("else");
  e.otherwise = branch_body();
  expect(':');
  e.ret = braces([&] { return type(true, false); });
  return e;
}

Exp Parser::match() {
  Match e;
  e.sort = match_sort();
  e.subjects = sub_exps();
  while (accept_word("case")) {
    Case c;
    c.pattern = braces([&]() -> std::optional<prim::Value> {
      if (accept_word("_")) return std::nullopt;
      return value();
    });
    expect_word("->");
    c.body = branch_body();
    e.cases.push_back(std::move(c));
  }
  if (!accept_word("default")) fail("`case` or `default`");
  expect_word("->");
  e.otherwise = branch_body();
  expect(':');
  e.ret = braces([&] { return type(true, false); });
  return e;
}

Exp Parser::loop() {
  Loop e;
  e.params = braces([&] { return param(true); });
  expect_word("=");
  e.inits = sub_exps();
  if (accept_word("for")) {
    ForLoop form;
    form.index = name();
    expect(':');
    if (token_.kind != TokenKind::Word || !prim::parse_type(token_.text) || !is_int(*prim::parse_type(token_.text))) {
      fail("an integer type");
    }
    form.index_type = prim_type();
    expect_word("<");
    form.bound = sub_exp();
    e.form = std::move(form);
  } else if (accept_word("while")) {
    e.form = WhileLoop{name()};
  } else {
    fail("`for` or `while`");
  }
  expect_word("do");
  expect('{');
  e.body = body();
  expect('}');
  return e;
}

Exp Parser::with_acc() {
  expect('(');
  WithAcc e;
  e.inputs = braces([&] {
    WithAccInput input;
    expect('(');
    input.shape = shape();
    expect(',');
    input.arrays = names();
    if (accept(',')) {
      WithAccOp op;
      expect('(');
      op.op = lambda();
      expect(',');
      op.neutral = sub_exps();
      expect(')');
      input.op = std::move(op);
    }
    expect(')');
    return input;
  });
  expect(',');
  e.lambda = lambda();
  expect(')');
  return e;
}

}  // namespace heddle::futhark
