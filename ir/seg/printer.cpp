#include "ir/seg/printer.h"

#include "ir/seg/printer_nodes.h"

namespace heddle::seg {

// ---- Words. ----

void Printer::put(const char* text) { out += text; }
void Printer::put(const std::string& text) { out += text; }
void Printer::put(int n) { out += std::to_string(n); }

void Printer::put(const Name& n) {
  out += n.base;
  out += '_';
  out += std::to_string(n.tag);
}

void Printer::put(const prim::Value& v) { out += prim::to_text(v); }
void Printer::put(const SubExp& x) { x.is_var() ? put(x.name()) : put(x.value()); }
void Printer::put(prim::Type t) { out += prim::name(t); }

void Printer::new_line() {
  out += '\n';
  out.append(static_cast<size_t>(indent_) * 2, ' ');
}

// ---- Types. ----

void Printer::put_shape(const Shape& s) {
  for (const SubExp& d : s) puts("[", d, "]");
}

void Printer::put(const Dim& d) {
  if (d.is_ext()) {
    puts("?", d.ext().index);
  } else {
    put(d.size());
  }
}

void Printer::put(const Type& t) {
  if (t.unique) out += '*';
  if (t.acc) {
    puts("acc(", t.acc->cert, ", ");
    put_shape(t.acc->space);
    out += ", ";
    in_braces(t.acc->elems);
    out += ')';
    return;
  }
  for (const Dim& d : t.dims) puts("[", d, "]");
  put(t.elem);
}

void Printer::put(const RetType& r) {
  put(r.type);
  if (r.alias_params.empty() && r.alias_results.empty()) return;
  out += "#(";
  in_brackets(r.alias_params);
  out += ", ";
  in_brackets(r.alias_results);
  out += ')';
}

void Printer::put(const ValueType& t) {
  for (int i = 0; i < t.rank; ++i) out += "[]";
  std::string_view elem = prim::name(t.elem);
  if (t.is_unsigned) {
    out += 'u';
    elem.remove_prefix(1);
  }
  out += elem;
}

void Printer::put(const OpaqueRef& t) { puts("opaque \"", t.name, "\""); }
void Printer::put(const RecordField& f) { puts(f.name, ": ", f.type); }

void Printer::put(const SumPayload& p) {
  puts("(", p.type, ", ");
  in_brackets(p.slots);
  out += ')';
}

void Printer::put(const SumVariant& v) {
  puts("#", v.name);
  for (const SumPayload& p : v.payloads) puts(" ", p);
}

void Printer::put(const OpaqueType& t) {
  out += "opaque ";
  items(t.values);
}

void Printer::put(const OpaqueRecord& t) {
  out += "record ";
  items(t.fields);
}

void Printer::put(const OpaqueSum& t) {
  out += "sum ";
  block([&] {
    in_brackets(t.values);
    for (const SumVariant& v : t.variants) {
      new_line();
      put(v);
    }
  });
}

void Printer::put(const OpaqueArray& t) {
  puts("array ", t.rank, "d \"", t.elem, "\" ");
  items(t.values);
}

void Printer::put(const OpaqueRecordArray& t) {
  puts("record_array ", t.rank, "d \"", t.elem, "\" ");
  items(t.fields);
}

void Printer::put(const OpaqueDef& d) {
  puts("type \"", d.name, "\" = ");
  put(d.def);
}

// ---- Pieces. ----

void Printer::put(const Attr& a) {
  if (const int64_t* number = std::get_if<int64_t>(&a.head)) {
    out += std::to_string(*number);
    return;
  }
  out += std::get<std::string>(a.head);
  if (!a.args.empty()) in_parens(a.args);
}

void Printer::put(const Attrs& as) {
  for (const Attr& a : as) puts("#[", a, "] ");
}

void Printer::put_certs(const Certs& cs) {
  if (cs.empty()) return;
  out += '#';
  in_braces(cs);
  out += ' ';
}

void Printer::put(const Param& p) { puts(p.attrs, p.name, " : ", p.type); }
void Printer::put(const PatElem& p) { puts(p.name, " : ", p.type); }

void Printer::put(const SubExpRes& r) {
  put_certs(r.certs);
  put(r.value);
}

void Printer::put(const Lambda& l) {
  if (l.params.empty() && l.ret.empty() && l.body->stms.empty() && l.body->result.empty()) {
    out += "nilFn";
    return;
  }
  out += "\\ ";
  in_braces(l.params);
  out += " : ";
  in_braces(l.ret);
  out += " ->";
  if (l.body->stms.empty()) {
    puts(" ", *l.body);
    return;
  }
  indented([&] {
    new_line();
    put(*l.body);
  });
}

void Printer::put(const DimFix& d) { put(d.index); }
void Printer::put(const DimSlice& d) { puts(d.start, " :+ ", d.count, " * ", d.stride); }
void Printer::put(const FlatDim& d) { puts(d.count, " : ", d.stride); }

void Printer::put(const FlatSlice& s) {
  puts("[", s.offset, "; ");
  commas(s.dims);
  out += ']';
}

// ---- Bodies. ----

void Printer::put(const Stm& s) {
  out += "let ";
  in_braces(s.pat);
  puts(" = ", s.attrs);
  put_certs(s.certs);
  put(s.exp);
}

void Printer::put(const Stms& stms) {
  for (const StmPtr& s : stms) {
    put(*s);
    new_line();
  }
}

void Printer::put(const Body& b) {
  put(b.stms);
  if (!b.stms.empty()) out += "in ";
  in_braces(b.result);
}

void Printer::put(const KernelBody& b) {
  puts(b.stms, "return ");
  in_braces(b.results);
}

void Printer::put_branch(const Body& b) {
  if (b.stms.empty()) {
    put(b);
  } else {
    block([&] { put(b); });
  }
}

// ---- Programs. ----

void Printer::put(const EntryParam& p) { puts(p.name, ": ", p.unique ? "*" : "", p.type); }
void Printer::put(const EntryResult& r) { puts(r.unique ? "*" : "", r.type); }

void Printer::put(const FunDef& f) {
  put(f.attrs);
  if (f.entry) {
    puts("entry(\"", f.entry->name, "\", ");
    in_braces(f.entry->params);
    out += ", ";
    in_braces(f.entry->results);
    out += ')';
    new_line();
  } else {
    out += "fun ";
  }
  puts(f.name, " ");
  in_parens(f.params);
  out += " : ";
  in_braces(f.ret);
  out += " = ";
  block([&] { put(*f.body); });
}

void Printer::put(const Program& p) {
  out += "types ";
  items(p.types);
  out += "\n\n";
  put(p.constants);
  for (const FunDef& f : p.functions) puts("\n", f, "\n");
}

namespace {

template <class T>
std::string printed(const T& x) {
  Printer p;
  p.put(x);
  return std::move(p.out);
}

}  // namespace

std::string print(const Program& x) { return printed(x); }
std::string print(const FunDef& x) { return printed(x); }
std::string print(const Name& x) { return printed(x); }
std::string print(const SubExp& x) { return printed(x); }
std::string print(const Type& x) { return printed(x); }
std::string print(const RetType& x) { return printed(x); }
std::string print(const Param& x) { return printed(x); }
std::string print(const PatElem& x) { return printed(x); }
std::string print(const Exp& x) { return printed(x); }
std::string print(const Stm& x) { return printed(x); }
std::string print(const Body& x) { return printed(x); }
std::string print(const KernelBody& x) { return printed(x); }
std::string print(const KernelResult& x) { return printed(x); }
std::string print(const Lambda& x) { return printed(x); }
std::string print(const SegSpace& x) { return printed(x); }
std::string print(const SegLevel& x) { return printed(x); }
std::string print(const SizeClass& x) { return printed(x); }
std::string print(const ValueType& x) { return printed(x); }
std::string print(const EntryType& x) { return printed(x); }
std::string print(const OpaqueDef& x) { return printed(x); }
std::string print(const Attr& x) { return printed(x); }

}  // namespace heddle::seg
