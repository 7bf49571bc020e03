// Programs, but for the statements.
#include "ir/host/printer.h"
#include "ir/host/reader_parser.h"

namespace heddle::host {

Program Parser::program() {
  Program p;
  while (accept_word("type")) p.types.push_back(definition());
  while (accept_word("param")) p.params.push_back(param());
  while (accept_word("failure")) p.failures.push_back(failure());
  while (token().is_word("kernel")) p.kernels.push_back(kernel());
  while (accept_word("family")) p.family_kernels.push_back(family());
  if (accept_word("constants")) {
    p.constants = binders();
    p.init = block();
    for (const Binder& c : p.constants) bind_type(c.name, c.type);
  }
  while (accept_word("entry")) p.functions.push_back(entry());
  if (token().kind != nest::TokenKind::End) fail("an entry point, or the end of the text");
  return p;
}

// ---- Types. ----

seg::ValueType Parser::value_type() {
  seg::ValueType t;
  t.is_unsigned = accept_word("unsigned");
  t.elem = type();
  while (accept("[")) {
    expect("]");
    ++t.rank;
  }
  return t;
}

seg::EntryType Parser::entry_type() {
  if (token().kind == nest::TokenKind::Quoted) return seg::OpaqueRef{text()};
  return value_type();
}

std::vector<seg::ValueType> Parser::value_types() {
  std::vector<seg::ValueType> all;
  expect("(");
  while (!accept(")")) {
    all.push_back(value_type());
    if (!token().is(")")) expect(",");
  }
  return all;
}

std::vector<seg::RecordField> Parser::fields() {
  std::vector<seg::RecordField> all;
  expect("(");
  while (!accept(")")) {
    std::string name = text();
    expect(":");
    all.push_back({std::move(name), entry_type()});
    if (!token().is(")")) expect(",");
  }
  return all;
}

seg::OpaqueDef Parser::definition() {
  seg::OpaqueDef d{text(), {}};
  expect("=");
  if (accept_word("opaque")) {
    d.def = seg::OpaqueType{value_types()};
  } else if (accept_word("record")) {
    d.def = seg::OpaqueRecord{fields()};
  } else if (accept_word("sum")) {
    seg::OpaqueSum sum{value_types(), {}};
    while (token().kind == nest::TokenKind::Quoted) {
      seg::SumVariant v{text(), {}};
      expect("(");
      while (!accept(")")) {
        seg::SumPayload payload{entry_type(), {}};
        expect_word("in");
        payload.slots = numbers();
        v.payloads.push_back(std::move(payload));
        if (!token().is(")")) expect(",");
      }
      sum.variants.push_back(std::move(v));
    }
    d.def = std::move(sum);
  } else if (accept_word("array")) {
    int rank = static_cast<int>(number());
    std::string elem = text();
    d.def = seg::OpaqueArray{rank, std::move(elem), value_types()};
  } else {
    expect_word("record_array");
    int rank = static_cast<int>(number());
    std::string elem = text();
    d.def = seg::OpaqueRecordArray{rank, std::move(elem), fields()};
  }
  expect(";");
  return d;
}

// ---- Tuning parameters and failures. ----

seg::SizeClassKind Parser::size_class() {
  for (int k = 0; k <= static_cast<int>(seg::SizeClassKind::Bespoke); ++k) {
    auto kind = static_cast<seg::SizeClassKind>(k);
    if (accept_word(word(kind))) return kind;
  }
  fail("a class of tuning parameters");
}

TuningParam Parser::param() {
  TuningParam p{text(), {}};
  expect("=");
  seg::SizeClass& c = p.size_class;
  c.kind = size_class();
  if (token().kind == nest::TokenKind::Quoted) c.bespoke = text();
  if (accept_word("default")) c.default_value = number();
  if (accept_word("path")) {
    expect("(");
    do {
      bool taken = !accept("!");
      c.path.push_back({taken, text()});
    } while (accept(","));
    expect(")");
  }
  expect(";");
  return p;
}

Failure Parser::failure() {
  Failure f;
  expect("(");
  while (!accept(")")) {
    if (token().kind == nest::TokenKind::Quoted) {
      f.message.emplace_back(text());
    } else {
      f.message.emplace_back(type());
    }
    if (!token().is(")")) expect(",");
  }
  if (accept_word("at")) f.location = text();
  expect(";");
  return f;
}

// ---- Kernels for sizes, and entry points. ----

FamilyKernel Parser::family() {
  FamilyKernel f;
  f.family = text();
  f.label = text();
  f.kernel = kernel();
  Scope scope(*this);
  expect_word("chosen");
  expect("(");
  while (!accept(")")) {
    std::string member = text();
    expect("=");
    f.chosen.push_back({std::move(member), name()});
    bind_scalar(f.chosen.back().constant, prim::Type::I64);
    if (!token().is(")")) expect(",");
  }
  expect_word("sizes");
  f.sizes = names_or_none();
  for (const Name& n : f.sizes) bind_scalar(n, prim::Type::I64);
  while (accept_word("function")) {
    FamilyKernel::Function function{text(), {}};
    expect("{");
    while (!accept("}")) {
      std::string member = text();
      expect("=");
      function.results.push_back({std::move(member), expr()});
      expect(";");
    }
    f.functions.push_back(std::move(function));
  }
  return f;
}

Function Parser::entry() {
  Scope scope(*this);
  Function f;
  f.entry.name = text();
  expect("(");
  while (!accept(")")) {
    bool unique = accept("*");
    std::string name = text();
    expect(":");
    f.entry.params.push_back({std::move(name), unique, entry_type()});
    if (!token().is(")")) expect(",");
  }
  expect(":");
  expect("(");
  while (!accept(")")) {
    bool unique = accept("*");
    f.entry.results.push_back({unique, entry_type()});
    if (!token().is(")")) expect(",");
  }
  expect_word("takes");
  f.inputs = binders();
  for (const Binder& b : f.inputs) bind_type(b.name, b.type);
  f.body = block();
  return f;
}

}  // namespace heddle::host
