// Into which seg ops several sums at a point are distributed, and that these compute the same.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "frontend_bridge/pipeline.h"
#include "ir/seg/eval.h"
#include "ir/seg/verify.h"
#include "rewrites/seg/distribute_sums.h"
#include "rewrites/seg/join_sums.h"

namespace heddle::seg {
namespace {

struct Found {
  size_t sums = 0, rest = 0;
  bool operator==(const Found&) const = default;
};

void PrintTo(const Found& f, std::ostream* out) { *out << f.sums << " sums, " << f.rest << " more"; }

// Where there is something to distribute.
using Table = std::map<std::string, Found>;

class Sums : public ::testing::Test {
 protected:
  Sums() {
    std::ifstream file(HEDDLE_SOURCE_DIR "/tests/rewrites/data/sums.fut_gpu");
    std::stringstream text;
    text << file.rdbuf();
    Result<Program> program = read_program(text.str(), "sums.fut_gpu");
    EXPECT_TRUE(program);
    before_ = after_ = std::move(*program);
  }

  // Those that can be are joined again if `join`.
  Table distribute(bool may_alias, bool join = false) {
    Table table;
    NameSource names(before_.next_tag());
    for (FunDef& f : after_.functions) {
      Body body{{}, f.body->result};
      for (const StmPtr& s : f.body->stms) {
        auto distributed = distribute_sums(*s, names, may_alias);
        if (!distributed) {
          body.stms.push_back(s);
          continue;
        }
        auto& [sums, rest] = *distributed;
        if (auto joined = join ? join_sums(sums, names) : std::nullopt) {
          joined_.insert(f.name.substr(f.name.find('_') + 1));
          sums = *joined;
        }
        table.emplace(f.name.substr(f.name.find('_') + 1), Found{sums.size(), rest.size()});
        body.stms.insert(body.stms.end(), sums.begin(), sums.end());
        body.stms.insert(body.stms.end(), rest.begin(), rest.end());
      }
      f.body = std::make_shared<const Body>(std::move(body));
    }
    return table;
  }

  // For so many rows and columns.
  static std::vector<TypedValue> inputs(const FunDef& f, int64_t rows, int64_t columns) {
    std::vector<TypedValue> values;
    for (const Param& p : f.params) {
      if (p.type.dims.empty()) {
        if (p.name.base == "k") values.push_back({prim::Value::i64(2), false});
        continue;
      }
      std::vector<int64_t> shape = {rows, columns};
      shape.resize(p.type.dims.size());
      auto count = static_cast<size_t>(*element_count(shape));
      Array a{prim::Type::I32, shape, std::make_shared<std::vector<int64_t>>(count)};
      for (int64_t i = 0; i < a.size(); ++i) a.set(i, prim::Value::i32(static_cast<int32_t>((i * 7 + 3) % 11 - 4)));
      values.push_back({a, false});
    }
    return values;
  }

  void expect_same() {
    for (const Problem& p : verify(after_)) ADD_FAILURE() << p.message;
    for (const FunDef& f : before_.functions) {
      std::string entry = f.entry->name;
      for (auto [rows, columns] : {std::pair{0, 3}, {3, 0}, {1, 1}, {4, 3}}) {
        auto values = inputs(f, rows, columns);
        EvalResult expected = evaluate(before_, entry, values), got = evaluate(after_, entry, values);
        EXPECT_EQ(got.outcome, expected.outcome) << entry << ": " << got.message;
        EXPECT_EQ(got.message, expected.message) << entry;
        ASSERT_EQ(got.values.size(), expected.values.size()) << entry;
        for (size_t k = 0; k < got.values.size(); ++k) {
          EXPECT_EQ(to_text(got.values[k].value, false), to_text(expected.values[k].value, false)) << entry;
        }
      }
    }
  }

  Program before_, after_;
  std::set<std::string> joined_;
};

TEST_F(Sums, AreDistributed) {
  EXPECT_EQ(distribute(true), (Table{{"one_and_more", {1, 1}},
                                     {"two_added", {2, 1}},
                                     {"three_added", {3, 0}},
                                     {"nested", {2, 0}},

                                     {"sum_and_sign", {1, 1}},
                                     {"pairs", {2, 0}},
                                     {"loops", {2, 1}},
                                     {"variance", {2, 0}},
                                     {"checked", {2, 1}}}));
}

TEST_F(Sums, StayTheSame) {
  distribute(false);
  expect_same();
}

// Reductions that do not need each other, by the same operator.
TEST_F(Sums, AreJoined) {
  distribute(true, true);
  EXPECT_EQ(joined_, (std::set<std::string>{"two_added", "three_added", "nested"}));
  expect_same();
}

}  // namespace
}  // namespace heddle::seg
