// Statements.
#include "ir/host/reader.h"

#include <fmt/format.h>

#include "ir/host/printer.h"
#include "ir/host/reader_parser.h"
#include "ir/support/located.h"

namespace heddle::host {

Result<Program> read(std::string_view text, std::string_view file_name) {
  try {
    return Parser(text).program();
  } catch (const nest::SyntaxError& e) {
    return located(ErrorKind::Input, text, e.offset, file_name, e.message);
  }
}

// ---- Pieces. ----

std::string Parser::text() {
  if (token().kind != nest::TokenKind::Quoted || token().tag >= 0) fail("a text between backquotes");
  return nest::unquoted(take().text);
}

int64_t Parser::number() {
  const nest::Token at = token();
  Expr e = expr();
  std::optional<int64_t> n = nest::int_constant(e);
  if (!n || e->type != prim::Type::I64) reject(at, "expected a number");
  return *n;
}

template <class F>
void Parser::list(std::string_view open, std::string_view close, F item) {
  expect(open);
  if (accept(close)) return;
  do {
    item();
  } while (accept(","));
  expect(close);
}

std::vector<int> Parser::numbers() {
  std::vector<int> all;
  list("(", ")", [&] { all.push_back(static_cast<int>(number())); });
  return all;
}

std::vector<Name> Parser::names_or_none() {
  std::vector<Name> all;
  list("(", ")", [&] { all.push_back(name()); });
  return all;
}

Binder Parser::binder() {
  Binder b{name(), {}};
  expect(":");
  b.type.elem = type();
  while (accept("[")) {
    expect("]");
    ++b.type.rank;
  }
  return b;
}

std::vector<Binder> Parser::binders() {
  std::vector<Binder> all;
  list("(", ")", [&] { all.push_back(binder()); });
  return all;
}

Name Parser::array() {
  const nest::Token at = token();
  Name n = name();
  auto bound = scope_.find(n.tag);
  if (bound == scope_.end() || !bound->second.is_buffer)
    reject(at, fmt::format("no array {} is in scope", shown(n.text())));
  return n;
}

Value Parser::value() {
  bool is_array = false;
  if (at_name()) {
    auto bound = scope_.find(token().tag);
    is_array = bound != scope_.end() && bound->second.is_buffer;
  }
  return is_array ? Value(array()) : Value(expr());
}

// ---- Blocks. ----

Block Parser::block() {
  Scope scope(*this);
  Block b;
  block_into(b);
  return b;
}

void Parser::block_into(Block& b) {
  Nested nested(*this);
  expect("{");
  while (!token().is("}") && !token().is_word("yield")) b.stmts.push_back(statement());
  if (accept_word("yield")) {
    do {
      b.yields.push_back(value());
    } while (accept(","));
    expect(";");
  }
  expect("}");
}

namespace {

template <class Enum>
std::optional<Enum> one_of(const nest::Token& token, std::initializer_list<Enum> all) {
  for (Enum e : all) {
    if (token.is_word(word(e))) return e;
  }
  return std::nullopt;
}

}  // namespace

template <class Node, class Last>
Stmt Parser::view(Last last) {
  Node node{};
  node.name = new_name();
  expect("=");
  node.array = array();
  last(node);
  expect(";");
  bind(node.name, {elem_of(node.array), true});
  return stmt(std::move(node));
}

Stmt Parser::statement() {
  auto ended = [&](auto node) {
    expect(";");
    return stmt(std::move(node));
  };
  auto ended_scalar = [&](auto node, prim::Type type) {
    expect(";");
    bind_scalar(node.name, type);
    return stmt(std::move(node));
  };
  auto named = [&] {
    Name n = new_name();
    expect("=");
    return n;
  };
  auto target = [&] {
    Name n = array();
    expect(":=");
    return n;
  };
  auto nothing = [](auto&) {};
  if (accept_word("let")) {
    nest::Stmt let = nest::Parser::let();
    const auto& node = std::get<nest::Let>(let->node);
    return stmt(Let{node.name, node.value});
  }
  if (accept_word("measure")) {
    Measure m{named(), {}, {}, 0};
    auto aspect = one_of(token(), {Aspect::Size, Aspect::Stride, Aspect::Alignment, Aspect::Address});
    if (!aspect) fail("what is measured");
    take();
    m.aspect = *aspect;
    if (m.aspect == Aspect::Size || m.aspect == Aspect::Stride) m.dim = static_cast<int>(number());
    expect_word("of");
    m.array = array();
    return ended_scalar(std::move(m), prim::Type::I64);
  }
  if (accept_word("ask")) {
    Ask a{named(), {}, {}};
    auto question = one_of(token(), {Question::Parts, Question::DetourPays, Question::RowAlignment});
    if (!question) fail("a question");
    take();
    a.question = *question;
    a.args = nest::Parser::list();
    return ended_scalar(std::move(a), prim::Type::I64);
  }
  if (accept_word("param")) {
    Name n = named();
    return ended_scalar(GetParam{n, text()}, prim::Type::I64);
  }
  if (accept_word("most")) {
    Name n = named();
    return ended_scalar(GetMax{n, size_class()}, prim::Type::I64);
  }
  if (accept_word("compare")) {
    Compare c{named(), text(), {}};
    expect("<=");
    c.value = expr();
    return ended_scalar(std::move(c), prim::Type::Bool);
  }
  if (accept_word("read")) return read_element();
  if (accept_word("alloc")) return alloc();
  if (accept_word("free")) return ended(Free{array()});
  if (accept_word("share")) return view<Share>(nothing);
  if (accept_word("deliver")) return view<Deliver>(nothing);
  if (accept_word("slice")) return slice();
  if (accept_word("flat")) return flat_slice();
  if (accept_word("rearrange")) return view<Rearrange>([&](Rearrange& r) { r.perm = numbers(); });
  if (accept_word("manifest")) return view<Manifest>([&](Manifest& m) { m.order = numbers(); });
  if (accept_word("broadcast")) return view<Broadcast>([&](Broadcast& b) { b.sizes = nest::Parser::list(); });
  if (accept_word("reshape")) return view<Reshape>([&](Reshape& r) { r.shape = nest::Parser::list(); });
  if (accept_word("copy")) {
    Name to = target();
    return ended(Copy{to, array()});
  }
  if (accept_word("pack")) {
    Pack p{target(), array(), {}, {}, {}};
    p.shape = nest::Parser::list();
    p.to_strides = nest::Parser::list();
    p.from_strides = nest::Parser::list();
    return ended(std::move(p));
  }
  if (accept_word("fill")) {
    Name to = target();
    return ended(Fill{to, expr()});
  }
  if (accept_word("iota")) {
    Iota i{target(), expr(), {}};
    expect(",");
    i.step = expr();
    return ended(std::move(i));
  }
  if (accept_word("upload")) {
    Name to = target();
    return ended(Upload{to, nest::Parser::list()});
  }
  if (accept_word("write")) {
    Element e = element();
    expect(":=");
    return ended(WriteElement{e.buffer, e.index, expr()});
  }
  if (accept_word("launch")) return launch();
  if (accept_word("choose")) return choose();
  if (accept_word("if")) return branch(true);
  if (accept_word("always")) return branch(false);
  if (accept_word("loop")) return loop();
  if (accept_word("assert")) {
    Assert a{expr(), 0, {}};
    expect_word("else");
    expect_word("failure");
    if (token().kind != nest::TokenKind::Number) fail("the number of a failure");
    std::string digits(take().text);
    a.failure = std::stoi(digits.substr(0, 9));
    a.args = nest::Parser::list();
    return ended(std::move(a));
  }
  if (accept_word("check")) {
    Check c{expr(), {}};
    expect_word("else");
    c.message = text();
    return ended(std::move(c));
  }
  if (accept_word("trace")) {
    std::string tag = text();
    return ended(Trace{std::move(tag), value()});
  }
  fail("a statement or `}`");
}

Stmt Parser::read_element() {
  ReadElement r{new_name(), {}, {}, {}};
  expect(":");
  r.type = type();
  expect("=");
  Element e = element();
  expect(";");
  r.array = e.buffer;
  r.index = e.index;
  bind_scalar(r.name, r.type);
  return stmt(std::move(r));
}

Stmt Parser::alloc() {
  Alloc a{new_name(), {}, {}, {}};
  expect(":");
  a.elem = type();
  while (accept("[")) {
    a.shape.push_back(expr());
    expect("]");
  }
  a.order = accept_word("order") ? numbers() : row_major(a.shape.size());
  if (accept_word("from")) a.from = array();
  if (accept_word("for")) {
    expect_word("host");
    a.for_host = true;
  }
  expect(";");
  bind(a.name, {a.elem, true});
  return stmt(std::move(a));
}

Stmt Parser::slice() {
  return view<Slice>([&](Slice& s) {
    while (accept("[")) {
      Expr start = expr();
      if (accept(":")) {
        Range r{start, expr(), {}};
        expect(":");
        r.stride = expr();
        s.subscripts.emplace_back(std::move(r));
      } else {
        s.subscripts.emplace_back(start);
      }
      expect("]");
    }
  });
}

Stmt Parser::flat_slice() {
  return view<FlatSlice>([&](FlatSlice& s) {
    expect("[");
    s.offset = expr();
    expect("]");
    while (accept("[")) {
      s.counts.push_back(expr());
      expect(":");
      s.strides.push_back(expr());
      expect("]");
    }
  });
}

// ---- Kernels. ----

Stmt Parser::launch() {
  auto arguments = [&](auto node) {
    node.scalars = nest::Parser::list();
    list("(", ")", [&] { node.buffers.push_back(array()); });
    if constexpr (std::is_same_v<decltype(node), Launch>) {
      if ((node.beside_next = accept_word("beside"))) expect_word("next");
    }
    expect(";");
    return stmt(std::move(node));
  };
  if (accept_word("chosen")) return arguments(LaunchChosen{});
  if (token().kind != nest::TokenKind::Number) fail("the number of a kernel, or `chosen`");
  std::string digits(take().text);
  return arguments(Launch{.kernel = std::stoi(digits.substr(0, 9)), .scalars = {}, .buffers = {}});
}

Record Parser::record() {
  Nested nested(*this);
  Record r{text(), {}};
  list("(", ")", [&] {
    Member m{text(), Expr()};
    expect("=");
    if (token().is("{")) {
      std::vector<Expr> all;
      list("{", "}", [&] { all.push_back(expr()); });
      m.value = std::move(all);
    } else if (token().is("[")) {
      Records all;
      list("[", "]", [&] { all.push_back(record()); });
      m.value = std::move(all);
    } else {
      m.value = expr();
    }
    r.members.push_back(std::move(m));
  });
  return r;
}

Way Parser::way() {
  Scope scope(*this);
  Way w;
  w.kernel = static_cast<int>(number());
  expect_word("asks");
  block_into(w.asked);
  expect_word("if");
  w.guard = expr();
  expect_word("measures");
  block_into(w.measured);
  expect_word("shape");
  w.shape = record();
  expect_word("sizes");
  w.sizes = nest::Parser::list();
  expect_word("fixed");
  w.fixed = nest::Parser::list();
  expect_word("places");
  w.places = nest::Parser::list();
  expect_word("runs");
  w.body = block();
  return w;
}

Stmt Parser::choose() {
  Choose c;
  expect("{");
  while (accept_word("way")) c.ways.push_back(way());
  expect("}");
  expect_word("else");
  c.otherwise = block();
  return stmt(std::move(c));
}

// ---- Control. ----

Stmt Parser::branch(bool has_cases) {
  If node;
  if (has_cases) {
    do {
      Expr condition = expr();
      node.cases.push_back({condition, block()});
    } while (accept_word("case"));
    expect_word("else");
  }
  node.otherwise = block();
  if (accept_word("giving")) {
    node.results = binders();
    expect(";");
  }
  for (const Binder& r : node.results) bind_type(r.name, r.type);
  return stmt(std::move(node));
}

Stmt Parser::loop() {
  Loop node;
  list("(", ")", [&] {
    Binder b = binder();
    expect("=");
    node.params.push_back({b, value()});
  });
  {
    Scope scope(*this);
    if (accept_word("while")) {
      node.form = WhileTrue{name()};
    } else {
      expect_word("for");
      Name index = name();
      expect("<");
      Expr bound = expr();
      node.form = ForEach{index, bound};
      bind_scalar(index, bound->type);
    }
    for (const LoopParam& p : node.params) bind_type(p.binder.name, p.binder.type);
    node.body = block();
  }
  const nest::Token at = token();
  if (accept_word("giving")) {
    node.results = names_or_none();
    expect(";");
  }
  if (node.results.size() != node.params.size()) reject(at, "a loop gives as many results as it has parameters");
  for (size_t i = 0; i < node.results.size(); ++i) bind_type(node.results[i], node.params[i].binder.type);
  return stmt(std::move(node));
}

}  // namespace heddle::host
