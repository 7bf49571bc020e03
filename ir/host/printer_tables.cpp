// Programs, but for the statements.
#include "ir/host/printer_parts.h"

namespace heddle::host {

namespace {

std::string text(const seg::ValueType& t) {
  std::string elem(prim::name(t.elem));
  if (t.is_unsigned) elem = "unsigned " + elem;
  for (int d = 0; d < t.rank; ++d) elem += "[]";
  return elem;
}

std::string text(const seg::EntryType& t) {
  if (const auto* value = std::get_if<seg::ValueType>(&t)) return text(*value);
  return quote(std::get<seg::OpaqueRef>(t).name);
}

std::string values(const std::vector<seg::ValueType>& all) {
  return list(all, [](const seg::ValueType& v) { return text(v); });
}

std::string fields(const std::vector<seg::RecordField>& all) {
  return list(all, [](const seg::RecordField& f) { return quote(f.name) + ": " + text(f.type); });
}

std::string definition(const seg::OpaqueType& d) { return "opaque " + values(d.values); }
std::string definition(const seg::OpaqueRecord& d) { return "record " + fields(d.fields); }
std::string definition(const seg::OpaqueSum& d) {
  std::string all = "sum " + values(d.values);
  for (const seg::SumVariant& v : d.variants) {
    all +=
        fmt::format(" {} {}", quote(v.name),
                    list(v.payloads, [](const seg::SumPayload& p) { return text(p.type) + " in " + list(p.slots); }));
  }
  return all;
}
std::string definition(const seg::OpaqueArray& d) {
  return fmt::format("array {} {} {}", d.rank, quote(d.elem), values(d.values));
}
std::string definition(const seg::OpaqueRecordArray& d) {
  return fmt::format("record_array {} {} {}", d.rank, quote(d.elem), fields(d.fields));
}

std::string text(const TuningParam& p) {
  const seg::SizeClass& c = p.size_class;
  std::string all = fmt::format("param {} = {}", quote(p.name), word(c.kind));
  if (!c.bespoke.empty()) all += " " + quote(c.bespoke);
  if (c.default_value) all += fmt::format(" default {}", *c.default_value);
  if (!c.path.empty()) {
    all += " path " + list(c.path, [](const seg::PathStep& s) { return (s.taken ? "" : "!") + quote(s.threshold); });
  }
  return all + ";";
}

std::string text(const Failure& f) {
  std::string message = list(f.message, [](const auto& part) {
    const auto* words = std::get_if<std::string>(&part);
    return words ? quote(*words) : std::string(prim::name(std::get<prim::Type>(part)));
  });
  return fmt::format("failure {}{};", message, f.location.empty() ? "" : " at " + quote(f.location));
}

std::string text(const seg::EntryParam& p) {
  return fmt::format("{}{}: {}", p.unique ? "*" : "", quote(p.name), text(p.type));
}
std::string text(const seg::EntryResult& r) { return (r.unique ? "*" : "") + text(r.type); }

void print(Lines& out, const FamilyKernel& f) {
  out.line("family {} {}", quote(f.family), quote(f.label));
  out.raw(nest::to_text(f.kernel));
  out.line("chosen {}",
           list(f.chosen, [](const auto& c) { return quote(c.member) + " = " + nest::to_text(c.constant); }));
  out.line("sizes {}", list(f.sizes));
  for (const FamilyKernel::Function& function : f.functions) {
    out.line("function {} {{", quote(function.name));
    out.inner([&] {
      for (const auto& r : function.results) out.line("{} = {};", quote(r.member), nest::to_text(r.value));
    });
    out.line("}}");
  }
}

}  // namespace

std::string to_text(const Program& p) {
  Lines out;
  auto binders = [](const std::vector<Binder>& all) { return list(all, [](const Binder& b) { return to_text(b); }); };
  for (const seg::OpaqueDef& d : p.types)
    out.line("type {} = {};", quote(d.name), std::visit([](const auto& def) { return definition(def); }, d.def));
  for (const TuningParam& param : p.params) out.line("{}", text(param));
  for (size_t i = 0; i < p.failures.size(); ++i) out.line("{}  -- {}", text(p.failures[i]), i);
  for (size_t i = 0; i < p.kernels.size(); ++i) {
    out.line("-- {}", i);
    out.raw(nest::to_text(p.kernels[i]));
  }
  for (const FamilyKernel& f : p.family_kernels) print(out, f);
  if (!p.init.stmts.empty() || !p.constants.empty()) {
    out.line("constants {} {{", binders(p.constants));
    out.inner([&] { print(out, p.init); });
    out.line("}}");
  }
  for (const Function& f : p.functions) {
    out.line("entry {} {} : {}", quote(f.entry.name), list(f.entry.params, [](const auto& x) { return text(x); }),
             list(f.entry.results, [](const auto& x) { return text(x); }));
    out.line("takes {} {{", binders(f.inputs));
    out.inner([&] { print(out, f.body); });
    out.line("}}");
  }
  return out.take();
}

}  // namespace heddle::host
