// Random contractions in random spellings, compiled by heddle and by `futhark c`, run on the same inputs and compared.
//
// A case is one entry run on one draw of sizes and inputs in one of heddle's forms: "cpu" is the program of `heddle
// cpu` with its generic kernels; "specialized" that of `heddle cuda`, specialized at once, on whatever CUDA driver
// --gpu-libraries leads to (cpu_as_gpu.c).
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "tests/campaign/compare.h"
#include "tests/runtime_io/process.h"

namespace fs = std::filesystem;
using namespace heddle::campaign;
using nlohmann::json;

namespace {

struct Options {
  std::string heddle, futhark, gpu_libraries, work = "campaign-work";
  uint64_t seed = 1;
  int64_t programs = 1, first = 0, entries = 30, sizes = 6, specialized_sizes = 3;
  int jobs = 1;
  std::string only;  // an entry
  int64_t seconds = 0;
  int64_t round = 0;
};

constexpr std::string_view kNotTiled = "; not tiled, because ";

// What was found about one program.
struct Report {
  json entries = json::array();   // per entry: tags, match, why
  json findings = json::array();  // what differed
  std::map<std::string, int64_t> cases, failing;
  int64_t specialized = 0;  // kernels
};

class Program {
 public:
  Program(const Options& options, int64_t number)
      : options_(options),
        number_(number),
        random_(options.seed * 1'000'003 + static_cast<uint64_t>(number)),
        folder_(fs::absolute(options.work) / fmt::format("{}-{}", options.seed, number)) {}

  Report run() {
    bool again = options_.round > 0 && fs::exists(folder_ / "program.fut_gpu");
    if (!again) fs::remove_all(folder_);
    fs::create_directories(folder_);
    for (int64_t i = 0; i < options_.entries; ++i) {
      Entry e = spell(random_, draw_contraction(random_), fmt::format("e{}", i));
      if (options_.only.empty() || options_.only == e.name) entries_.push_back(e);
    }
    if (!again && !compile()) return std::move(report_);
    explain();
    random_ = Random(options_.seed * 1'000'003 + static_cast<uint64_t>(number_) +
                     1'000'000'007 * static_cast<uint64_t>(options_.round));
    if (options_.sizes > 0) compare();
    if (report_.findings.empty()) {
      for (const char* file : {"reference.c", "cpu.c", "cuda.c", "inputs", "value"}) fs::remove(folder_ / file);
      fs::remove_all(folder_ / "gpu");
    }
    return std::move(report_);
  }

 private:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  void finding(const std::string& entry, const std::string& form, const std::string& what, const json& sizes = {}) {
    json f = {{"seed", options_.seed}, {"program", number_}, {"entry", entry}, {"form", form}, {"what", what}};
    if (!sizes.is_null()) f["sizes"] = sizes;
    for (const Entry& e : entries_) {
      if (e.name == entry) f["text"] = e.text;
    }
    report_.findings.push_back(f);
  }

  void write_source() const {
    std::ofstream out(path("program.fut"));
    for (const Entry& e : entries_) out << e.text << "\n";
  }

  ProcessResult run_tool(const std::vector<std::string>& command) const { return run_process(command, ""); }

  bool to_ir() {
    write_source();
    ProcessResult ir = run_tool({options_.futhark, "dev", "-w", "-s", "--extract-kernels", "-e", path("program.fut")});
    std::ofstream(path("program.fut_gpu")) << ir.out;
    if (ir.exit_code != 0) finding("", "the generator", ir.err);
    return ir.exit_code == 0;
  }

  ProcessResult heddle(const std::string& backend) {
    return run_tool({options_.heddle, backend, "--server", path("program.fut_gpu"), "-o", path(backend)});
  }

  bool compile() {
    if (!to_ir()) return false;
    ProcessResult cpu = heddle("cpu");
    if (cpu.exit_code != 0) {
      // One entry that cannot be compiled must not keep the others from being tested.
      drop_refused(cpu);
      if (entries_.empty() || !to_ir() || heddle("cpu").exit_code != 0) return false;
    }
    if (!options_.gpu_libraries.empty()) {
      ProcessResult cuda = heddle("cuda");
      if (cuda.exit_code != 0) finding("", "cuda", cuda.err);
    }
    ProcessResult reference =
        run_tool({options_.futhark, "c", "-w", "--server", path("program.fut"), "-o", path("reference")});
    if (reference.exit_code != 0) finding("", "the generator", reference.err);
    return reference.exit_code == 0;
  }

  void drop_refused(const ProcessResult& whole) {
    std::vector<Entry> all = entries_, kept;
    for (const Entry& e : all) {
      entries_ = {e};
      if (!to_ir()) continue;
      ProcessResult alone = heddle("cpu");
      if (alone.exit_code == 0) {
        kept.push_back(e);
      } else {
        finding(e.name, "compiling", fmt::format("exit code {}: {}", alone.exit_code, alone.err));
      }
    }
    entries_ = kept;
    if (kept.size() == all.size())
      finding("", "compiling", fmt::format("only together, exit code {}: {}", whole.exit_code, whole.err));
  }

  void explain() {
    ProcessResult told = run_tool({options_.heddle, "explain", "--json", path("program.fut_gpu")});
    json ops = json::parse(told.out, nullptr, false);
    if (told.exit_code != 0 || ops.is_discarded()) return finding("", "explain", told.err);
    for (const Entry& e : entries_) report_.entries.push_back(note(e, ops));
  }

  // Which versions of an entry there are is the host compiler's choice. What counts is whether one of them is tiled,
  // and if not, what keeps the one from it whose points are the contraction's.
  static json note(const Entry& e, const json& ops) {
    bool matched = false, tiled = false;
    std::string why = "there is no parallel operation";
    int best = 0;
    for (const json& op : ops) {
      if (op["entry"] != e.name) continue;
      std::string reason = op["why"], text = op["op"];
      size_t not_tiled = reason.find(kNotTiled);
      bool match = op["match"] == "contraction";
      matched |= match;
      tiled |= match && not_tiled == std::string::npos;
      if (match)
        reason = not_tiled == std::string::npos ? "" : "not tiled: " + reason.substr(not_tiled + kNotTiled.size());
      size_t dims = 0;
      for (size_t at = text.find("gtid"); at != std::string::npos; at = text.find("gtid", at + 1)) ++dims;
      bool too_many = dims > e.contraction.num_parallel;
      bool no_reduction = reason == "there is no reduction" || reason == "nothing is stored";
      int rank = 1 + (no_reduction || too_many ? 0 : 10 + static_cast<int>(dims));
      if (rank <= best) continue;
      best = rank;
      why = reason;
    }
    json result = {{"entry", e.name}, {"tags", e.tags}, {"matched", matched}, {"tiled", tiled}};
    if (!tiled) result["why"] = {why};
    return result;
  }

  void compare() {
    Server reference({path("reference")}, {}, path("reference.log"));
    // Which of the host compiler's versions of a nest of maps runs depends on a threshold. What is specialized is
    // mostly the flattest one.
    static const char* const thresholds[] = {"1000000", "1", "32768"};
    std::string threshold = fmt::format("--default-threshold={}", thresholds[number_ % 3]);
    std::string flat = fmt::format("--default-threshold={}", thresholds[number_ % 4 == 3]);
    Server cpu({path("cpu"), threshold}, {"HEDDLE_THREADS=1"}, path("cpu.log"));
    bool gpu = !options_.gpu_libraries.empty() && fs::exists(path("cuda"));
    fs::create_directories(path("gpu"));
    std::vector<std::string> environment;
    if (options_.gpu_libraries != "installed") {
      environment = {"LD_LIBRARY_PATH=" + options_.gpu_libraries, "CPU_AS_GPU_FOLDER=" + path("gpu"),
                     fmt::format("CPU_AS_GPU_DEVICE={}", number_ % 3), "XDG_CACHE_HOME=" + path("gpu")};
    }
    Server cuda({path("cuda"), "--specialize-after=0", "-L", flat}, environment, path("cuda.log"));
    for (const Entry& e : entries_) {
      for (int64_t k = 0; k < options_.sizes; ++k) {
        Values sizes = draw_sizes(random_, e);
        std::ofstream(path("inputs"), std::ios::binary) << draw_inputs(random_, e, sizes);
        Outcome expected = call(reference, e, path("inputs"), path("value"));
        if (expected.message.starts_with("restore: ")) {
          finding(e.name, "the reference", expected.message, sizes);
          continue;
        }
        // A negative size within a kernel ends the reference without a word.
        if (expected.kind == Answer::Dead) continue;
        one(e, sizes, "cpu", cpu, expected);
        if (gpu && k < options_.specialized_sizes) one(e, sizes, "specialized", cuda, expected);
      }
    }
  }

  void one(const Entry& e, const Values& sizes, const std::string& form, Server& server, const Outcome& expected) {
    ++report_.cases[form];
    if (expected.kind == Answer::Failure) ++report_.failing[form];
    Outcome got = call(server, e, path("inputs"), path("value"));
    count_specialized(e, got.log);
    if (auto how = difference(expected, got)) {
      std::string keep = fmt::format("inputs-{}-{}", e.name, report_.findings.size());
      fs::copy_file(path("inputs"), path(keep), fs::copy_options::overwrite_existing);
      finding(e.name, form, *how, sizes);
      report_.findings.back()["inputs"] = keep;
    }
  }

  void count_specialized(const Entry& e, const std::string& log) {
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
      report_.specialized += line.starts_with("Specialized ");
      if (line.starts_with("Could not specialize")) finding(e.name, "specialized", line);
    }
  }

  const Options& options_;
  int64_t number_;
  Random random_;
  fs::path folder_;
  std::vector<Entry> entries_;
  Report report_;
};

// ---- The results of many programs. ----

// A reason without the names that make every one of them different.
std::string generalized(const std::string& why) {
  std::string out;
  for (size_t i = 0; i < why.size();) {
    size_t end = i;
    while (end < why.size() && (std::isalnum(static_cast<unsigned char>(why[end])) || why[end] == '_')) ++end;
    if (end == i) {
      out += why[i++];
      continue;
    }
    std::string word = why.substr(i, end - i);
    bool name = word.find('_') != std::string::npos && std::isdigit(static_cast<unsigned char>(word.back()));
    out += name ? "NAME" : word;
    i = end;
  }
  size_t at = out.find(" is read at ");
  if (at != std::string::npos) out = "NAME is read at ..., which is not affine";
  return out;
}

std::string summary(const std::string& results) {
  std::ifstream in(results);
  int64_t programs = 0, entries = 0, matched = 0, tiled = 0, specialized = 0;
  std::map<std::string, int64_t> cases, failing, reasons;
  struct Tag {
    int64_t entries = 0, matched = 0, tiled = 0;
    std::map<std::string, int64_t> reasons;
  };
  std::map<std::string, Tag> tags;
  std::vector<json> findings;
  for (std::string line; std::getline(in, line);) {
    json r = json::parse(line);
    ++programs;
    specialized += r["specialized"].get<int64_t>();
    for (const auto& [form, n] : r["cases"].items()) cases[form] += n.get<int64_t>();
    for (const auto& [form, n] : r["failing"].items()) failing[form] += n.get<int64_t>();
    for (const json& f : r["findings"]) findings.push_back(f);
    for (const json& e : r["entries"]) {
      ++entries;
      matched += e["matched"].get<bool>();
      tiled += e["tiled"].get<bool>();
      std::set<std::string> whys;
      if (!e["tiled"]) {
        for (const std::string why : e["why"]) whys.insert(generalized(why));
      }
      for (const std::string& why : whys) ++reasons[why];
      for (const std::string name : e["tags"]) {
        Tag& tag = tags[name];
        ++tag.entries;
        tag.matched += e["matched"].get<bool>();
        tag.tiled += e["tiled"].get<bool>();
        for (const std::string& why : whys) ++tag.reasons[why];
      }
    }
  }
  std::string out = fmt::format("{} programs, {} entries", programs, entries);
  for (const auto& [form, n] : cases)
    out += fmt::format(", {} cases in form {} ({} fail as they must)", n, form, failing[form]);
  out += fmt::format(", {} kernels specialized, {} findings.\n\n", specialized, findings.size());
  auto share = [](int64_t part, int64_t of) {
    return of ? 100.0 * static_cast<double>(part) / static_cast<double>(of) : 0;
  };
  out += fmt::format(
      "| spelling | entries | recognized | tiled | most frequent reason for the rest |\n|---|--:|--:|--:|---|\n");
  auto row = [&](const std::string& name, int64_t n, int64_t m, int64_t t, const std::map<std::string, int64_t>& why) {
    auto most = std::max_element(why.begin(), why.end(), [](auto& a, auto& b) { return a.second < b.second; });
    out += fmt::format("| {} | {} | {:.0f} % | {:.0f} % | {} |\n", name, n, share(m, n), share(t, n),
                       most == why.end() ? "" : fmt::format("{} ({})", most->first, most->second));
  };
  row("all", entries, matched, tiled, reasons);
  for (const auto& [name, tag] : tags) row(name, tag.entries, tag.matched, tag.tiled, tag.reasons);
  out += "\n| reason | entries |\n|---|--:|\n";
  std::vector<std::pair<int64_t, std::string>> sorted;
  for (const auto& [why, n] : reasons) sorted.emplace_back(n, why);
  std::sort(sorted.rbegin(), sorted.rend());
  for (const auto& [n, why] : sorted) out += fmt::format("| {} | {} |\n", why, n);
  for (const json& f : findings) {
    out += fmt::format("\nseed {} program {} entry {} in form {}: {}\n", f["seed"].get<int64_t>(),
                       f["program"].get<int64_t>(), f["entry"].get<std::string>(), f["form"].get<std::string>(),
                       f["what"].get<std::string>().substr(0, 600));
    if (f.contains("sizes")) out += f["sizes"].dump() + "\n";
    if (f.contains("text")) out += f["text"].get<std::string>();
  }
  return out;
}

void add_result(const std::string& results, const Report& r) {
  json line = {{"entries", r.entries},
               {"findings", r.findings},
               {"cases", r.cases},
               {"failing", r.failing},
               {"specialized", r.specialized}};
  std::ofstream(results, std::ios::app) << line.dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares what heddle and `futhark c` make of random contractions.");
  Options o;
  bool only_summary = false;
  app.add_option("--heddle", o.heddle, "the heddle to test");
  app.add_option("--futhark", o.futhark, "the futhark to compare with");
  app.add_option("--gpu-libraries", o.gpu_libraries,
                 "folder of the CUDA libraries for specialized kernels; `installed` for the machine's own");
  app.add_option("--work", o.work, "folder for programs; what they gave is added to results.jsonl there");
  app.add_option("--seed", o.seed, "of all random choices");
  app.add_option("--programs", o.programs, "how many");
  app.add_option("--first", o.first, "number of the first program");
  app.add_option("--entries", o.entries, "of a program");
  app.add_option("--sizes", o.sizes, "draws of sizes and inputs for an entry");
  app.add_option("--specialized-sizes", o.specialized_sizes, "as many of them run on specialized kernels, too");
  app.add_option("--seconds", o.seconds, "begin no further program after so many");
  app.add_option("--round", o.round,
                 "other sizes and inputs; programs that are there from an earlier round are not compiled again");
  app.add_option("--jobs", o.jobs, "programs at a time")->check(CLI::Range(1, 64));
  app.add_option("--only", o.only, "test only this entry");
  app.add_flag("--summary", only_summary, "run nothing, only print what is in results.jsonl");
  CLI11_PARSE(app, argc, argv);
  fs::create_directories(o.work);
  std::string results = (fs::path(o.work) / "results.jsonl").string();
  if (only_summary) {
    fmt::print("{}", summary(results));
    return 0;
  }
  if (o.futhark.empty() || !fs::exists(o.futhark)) {
    fmt::print("there is no Futhark compiler\n");
    return std::getenv("HEDDLE_TESTS_NEED_ALL") != nullptr ? 1 : 77;  // as tests/need.h says
  }
  setenv("LC_ALL", "C.UTF-8", 1);
  fmt::print("seed {}\n", o.seed);
  std::mutex mutex;
  std::atomic<int64_t> next = o.first;
  std::atomic<bool> found = false;
  auto start = std::chrono::steady_clock::now();
  auto work = [&] {
    for (int64_t p = next++; p < o.first + o.programs; p = next++) {
      std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start;
      if (o.seconds > 0 && gone.count() > static_cast<double>(o.seconds)) break;
      Report r = Program(o, p).run();
      std::lock_guard lock(mutex);
      add_result(results, r);
      int64_t cases = 0;
      for (const auto& [form, n] : r.cases) cases += n;
      fmt::print("program {}: {} cases, {} kernels specialized, {} findings\n", p, cases, r.specialized,
                 r.findings.size());
      for (const json& f : r.findings) {
        fmt::print("  {} ({}): {}\n", f["entry"].get<std::string>(), f["form"].get<std::string>(),
                   f["what"].get<std::string>().substr(0, 300));
      }
      std::fflush(stdout);
      found = found || !r.findings.empty();
    }
  };
  std::vector<std::thread> threads;
  for (int j = 0; j < o.jobs; ++j) threads.emplace_back(work);
  for (std::thread& t : threads) t.join();
  return found ? 1 : 0;
}
