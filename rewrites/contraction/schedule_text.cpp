#include "rewrites/contraction/schedule_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "rewrites/contraction/statement_writer.h"

namespace heddle::contraction {

namespace {

using nest::Expr;

constexpr std::array<std::string_view, 4> kReads = {"guarded", "branchless", "shared", "registers"};

// Calls f(name, field) for all decisions: the one list of them.
template <class S, class F>
void for_each_decision(S& s, F f) {
  f("grid_order", s.grid_order);
  for (size_t p = 0; p < s.parallel.size(); ++p) {
    auto field = [&](const char* name, auto& value) { f(fmt::format("parallel.{}.{}", p, name), value); };
    field("warps", s.parallel[p].warps);
    field("lanes", s.parallel[p].lanes);
    field("points", s.parallel[p].points);
    field("run", s.parallel[p].run);
  }
  for (size_t r = 0; r < s.reduction.size(); ++r) {
    auto field = [&](const char* name, auto& value) { f(fmt::format("reduction.{}.{}", r, name), value); };
    field("chunk", s.reduction[r].chunk);
    field("unroll", s.reduction[r].unroll);
  }
  for (size_t o = 0; o < s.operands.size(); ++o) {
    auto field = [&](const char* name, auto& value) { f(fmt::format("operand.{}.{}", o, name), value); };
    field("order", s.operands[o].order);
    field("by_group", s.operands[o].by_group);
    field("copy_width", s.operands[o].copy_width);
    field("load_width", s.operands[o].load_width);
    field("padding", s.operands[o].padding);
  }
  f("sliced", s.sliced);
  f("by_chunks", s.by_chunks);
  f("unguarded", s.unguarded);
  f("reads", s.reads);
  f("serpentine", s.serpentine);
  f("asynchronous", s.asynchronous);
  f("slices", s.slices);
  f("store_width", s.store_width);
  f("result_shared", s.result_shared);
  f("stages", s.stages);
  f("ahead", s.ahead);
  f("registers", s.registers);
}

std::string text_of(const Expr& number) {
  const auto* v = std::get_if<nest::Var>(&number->node);
  return v ? v->name.text() : std::to_string(*nest::int_constant(number));
}
std::string text_of(size_t n) { return std::to_string(n); }
std::string text_of(bool b) { return b ? "true" : "false"; }
std::string text_of(Reads r) { return std::string(kReads[static_cast<size_t>(r)]); }
std::string text_of(const std::vector<size_t>& list) { return fmt::format("{}", fmt::join(list, " ")); }

class Reader {
 public:
  Reader(std::string_view text, const std::vector<Name>& constants) : constants_(constants) {
    for (size_t begin = 0; begin < text.size();) {
      size_t end = std::min(text.find('\n', begin), text.size());
      line(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  Schedule run() {
    Schedule s{};
    s.parallel.resize(count("parallel"));
    s.reduction.resize(count("reduction"));
    s.operands.resize(count("operand"));
    for_each_decision(s, [&](const std::string& name, auto& field) {
      auto found = values_.find(name);
      if (found == values_.end()) refuse_input(fmt::format("the schedule has no line for {}", name));
      read(name, found->second, field);
      values_.erase(found);
    });
    if (!values_.empty()) refuse_input(fmt::format("{} is no decision of this schedule", values_.begin()->first));
    return s;
  }

 private:
  [[noreturn]] static void refuse_input(const std::string& message) { throw Refused{input_error(message)}; }

  void line(std::string_view text) {
    if (text.empty()) return;
    size_t middle = text.find(" = ");
    if (middle == std::string_view::npos) refuse_input(fmt::format("'{}' is no line of a schedule", text));
    std::string name(text.substr(0, middle));
    if (!values_.emplace(name, text.substr(middle + 3)).second) refuse_input(fmt::format("{} occurs twice", name));
  }

  // How many of such things have decisions.
  size_t count(const std::string& what) const {
    size_t n = 0;
    while (has(fmt::format("{}.{}.", what, n))) ++n;
    return n;
  }
  bool has(const std::string& prefix) const {
    auto at = values_.lower_bound(prefix);
    return at != values_.end() && at->first.starts_with(prefix);
  }

  template <class T>
  static T integer(const std::string& name, std::string_view text) {
    T n = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size())
      refuse_input(fmt::format("{} is no number: '{}'", name, text));
    return n;
  }

  void read(const std::string& name, const std::string& text, Expr& field) const {
    auto is_it = [&](const Name& n) { return n.text() == text; };
    auto constant = std::ranges::find_if(constants_, is_it);
    field = constant != constants_.end() ? index_of(*constant) : nest::constant(integer<int64_t>(name, text));
  }
  static void read(const std::string& name, const std::string& text, size_t& field) {
    field = integer<size_t>(name, text);
  }
  static void read(const std::string& name, const std::string& text, bool& field) {
    if (text != "true" && text != "false") refuse_input(fmt::format("{} is neither true nor false: '{}'", name, text));
    field = text == "true";
  }
  static void read(const std::string& name, const std::string& text, Reads& field) {
    auto found = std::ranges::find(kReads, text);
    if (found == kReads.end()) refuse_input(fmt::format("{} is none of {}: '{}'", name, fmt::join(kReads, ", "), text));
    field = static_cast<Reads>(found - kReads.begin());
  }
  static void read(const std::string& name, const std::string& text, std::vector<size_t>& field) {
    for (size_t begin = 0; begin < text.size();) {
      size_t end = std::min(text.find(' ', begin), text.size());
      field.push_back(integer<size_t>(name, std::string_view(text).substr(begin, end - begin)));
      begin = end + 1;
    }
  }

  const std::vector<Name>& constants_;
  std::map<std::string, std::string> values_;
};

}  // namespace

std::string to_text(const Schedule& schedule) {
  std::string text;
  for_each_decision(schedule, [&](const std::string& name, const auto& field) {
    text += fmt::format("{} = {}\n", name, text_of(field));
  });
  return text;
}

Result<Schedule> read_schedule(std::string_view text, const std::vector<Name>& constants) {
  try {
    return Reader(text, constants).run();
  } catch (const Refused& refused) {
    return refused.error;
  }
}

}  // namespace heddle::contraction
