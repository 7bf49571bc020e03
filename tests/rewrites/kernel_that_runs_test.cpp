// That a derivation ends with the kernel that a program launches.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cctype>
#include <map>

#include "ir/nest/printer.h"
#include "rewrites/contraction/steps.h"
#include "rewrites/lower/alternatives.h"
#include "rewrites/lower/specialize.h"
#include "tests/rewrites/contraction_examples.h"
#include "tests/rewrites/random_contraction.h"

namespace heddle::contraction {
namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The text with names numbered in the order in which they occur.
std::string with_numbered_names(const std::string& text) {
  std::map<std::string, size_t> numbers;
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && in_word(text[end])) ++end;
    std::string word = text.substr(at, end - at);
    bool is_name = word.find('_') != std::string::npos && std::isdigit(static_cast<unsigned char>(word.back())) != 0;
    if (is_name) word = "name" + std::to_string(numbers.try_emplace(word, numbers.size()).first->second);
    result += word;
    if (end == at) result += text[end++];
    at = end;
  }
  return result;
}

void expect_derived(const recognize::Contraction& match, const lower::Launch& direct, seg::NameSource& names) {
  auto ways = lower::alternatives(match, direct, names);
  RC_PRE(static_cast<bool>(ways));
  for (const lower::Specialized& way : *ways) {
    Derivation d = derive(way.match, lower::unfixed_kernel(way));
    RC_ASSERT(d.stopped == "");
    RC_ASSERT(with_numbered_names(nest::to_text(d.steps.back().kernel.body)) ==
              with_numbered_names(nest::to_text(way.launch.kernel.body)));
  }
}

RC_GTEST_PROP(KernelThatRuns, IsTheLastOfItsDerivation, ()) {
  seg::NameSource names(1);
  examples::RandomContraction random = examples::random_contraction(names);
  expect_derived(random.match, random.direct, names);
}

}  // namespace
}  // namespace heddle::contraction
