// What `cmake --install` puts in a folder works there, wherever it is: heddle knows no place of its build or its sources, says
// what it needs and misses, and shells complete what it can be told.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/need.h"
#include "tests/runtime_io/process.h"

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class Installed : public testing::Test {
 protected:
  void SetUp() override {
    ProcessResult r = run_process({CMAKE, "--install", HEDDLE_BUILD_DIR, "--prefix", folder_.path("first")}, "");
    ASSERT_EQ(r.exit_code, 0) << r.err;
    fs::rename(folder_.path("first"), folder_.path("moved"));
  }
  std::string at(const std::string& name) const { return folder_.path("moved/" + name); }
  // As a user with a home that is new.
  ProcessResult run(Words command, const Words& environment = {}) const {
    Words words = {"/usr/bin/env", "-i", "-C", folder_.path(""), "HOME=" + folder_.path("home"), "LC_ALL=C.UTF-8"};
    words.insert(words.end(), environment.begin(), environment.end());
    words.insert(words.end(), command.begin(), command.end());
    return run_process(words, "");
  }
  std::string heddle() const { return at("bin/heddle"); }
  const std::string path_ = "PATH=/usr/bin:/bin";
  // AddressSanitizer wants to be the first library of a process, and a pretended GPU is preloaded before it.
  static constexpr const char* kSanitizersLetPreload = "ASAN_OPTIONS=verify_asan_link_order=0";

  TemporaryFolder folder_;
};

TEST_F(Installed, HasAPlaceForEachFileAndKnowsNoneOfTheBuild) {
  for (const char* file :
       {"bin/heddle", "share/man/man1/heddle.1", "share/bash-completion/completions/heddle",
        "share/zsh/vendor-completions/_heddle", "share/fish/vendor_completions.d/heddle.fish",
        "share/heddle/examples/matmul.fut", "share/heddle/examples/demo/run", "share/doc/heddle/README.md"})
    EXPECT_TRUE(fs::exists(at(file))) << file;
#ifdef NDEBUG  // else assertions and sanitizers tell where in the sources they are
  for (const fs::directory_entry& e : fs::recursive_directory_iterator(at(""))) {
    if (!e.is_regular_file()) continue;
    EXPECT_EQ(read_file(e.path()).find(HEDDLE_SOURCE_DIR), std::string::npos) << e.path();
  }
#endif
}

TEST_F(Installed, Compiles) {
  HEDDLE_NEED(!std::string(FUTHARK).empty(), "there is no Futhark compiler");
  fs::copy(at("share/heddle/examples/matmul.fut"), folder_.path("matmul.fut"));
  ProcessResult r = run({heddle(), "cpu", "matmul.fut"}, {"HEDDLE_FUTHARK=" FUTHARK, path_});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_EQ(run_process({folder_.path("matmul")}, "[[1f32,2f32],[3f32,4f32]] [[1f32,2f32],[3f32,4f32]]").out,
            "[[7.000000f32, 10.000000f32], [15.000000f32, 22.000000f32]]\n");
}

TEST_F(Installed, DoctorSaysWhatIsThere) {
  write_file(folder_.path("futhark"), "#!/bin/sh\necho Futhark 0.25.27.\n");
  fs::permissions(folder_.path("futhark"), fs::perms::owner_all);
  const std::string futhark = "HEDDLE_FUTHARK=" + folder_.path("futhark");
  ProcessResult r = run({heddle(), "doctor"}, {futhark, path_});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_NE(r.out.find("Futhark        found: 0.25.27, " + folder_.path("futhark") + "\n"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("C compiler     found: "), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("/home/.cache/heddle: 0 kernels and choices, 0.0 of 256 MiB\n"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("\nheddle cpu "), std::string::npos) << r.out;
  EXPECT_NE(r.out.find(" can be used"), std::string::npos) << r.out;
}

TEST_F(Installed, DoctorSaysWhatIsMissingAndWhatToDo) {
  ProcessResult r = run({heddle(), "doctor"}, {"PATH=" + folder_.path("nothing"), "CC=no-such-compiler"});
  EXPECT_EQ(r.exit_code, 1);
  for (const char* line :
       {"Futhark        missing: cannot run futhark: heddle needs Futhark 0.25.27, on PATH or named by "
        "HEDDLE_FUTHARK\n",
        "install the package futhark (Debian 13), or run 'heddle doctor --install-futhark' (Debian 12)\n",
        "C compiler     missing: cannot run the C compiler no-such-compiler", "install the packages gcc and libc6-dev",
        "\nheddle cannot be used yet: see what is missing above.\n"})
    EXPECT_NE(r.out.find(line), std::string::npos) << line << r.out;
}

TEST_F(Installed, DoctorFindsADeviceWhereProgramsDo) {
  ProcessResult r =
      run({heddle(), "doctor"}, {path_, "LD_LIBRARY_PATH=" GPU_LIBRARIES, "CPU_AS_GPU_FOLDER=" + folder_.path("gpu")});
  for (const char* line : {"NVIDIA driver  found: for CUDA ", "device         found: #0 ", "NVRTC          found: "})
    EXPECT_NE(r.out.find(line), std::string::npos) << line << r.out;
}

TEST_F(Installed, DoctorTellsWhatIsWrongFromWhatIsMissing) {
  auto doctor = [&](const Words& environment, const Words& options = {}) {
    Words words = {heddle(), "doctor"}, all = {path_, "CC=true", kSanitizersLetPreload};
    words.insert(words.end(), options.begin(), options.end());
    all.insert(all.end(), environment.begin(), environment.end());
    return run(words, all).out;
  };
  auto says = [](const std::string& out, const std::string& words) {
    EXPECT_NE(out.find(words), std::string::npos) << words << out;
  };
  write_file(folder_.path("newer"), "#!/bin/sh\necho Futhark 0.25.32.\n");
  fs::permissions(folder_.path("newer"), fs::perms::owner_all);
  // A Futhark that is named is not replaced by another.
  for (const Words& options : {Words{}, Words{"--install-futhark"}}) {
    const std::string newer = doctor({"HEDDLE_FUTHARK=" + folder_.path("newer")}, options);
    says(newer,
         "Futhark        missing: " + folder_.path("newer") + " is Futhark 0.25.32: heddle needs Futhark 0.25.27, on");
    says(newer, "HEDDLE_FUTHARK names it: let it name another one, or none\n");
  }
  write_file(folder_.path("file"), "");
  says(doctor({"HEDDLE_CACHE=" + folder_.path("file")}),
       "cache folder   missing: " + folder_.path("file") + " is no folder\n");
  says(doctor({"HEDDLE_CACHE=" + folder_.path("file/below")}), ": " + folder_.path("file") + " is no folder\n");
  says(doctor({"HEDDLE_CACHE=/proc/heddle"}), "cache folder   missing: /proc/heddle may not be written\n");
  says(doctor({"HEDDLE_CACHE="}), "cache folder   found: none, since HEDDLE_CACHE is set to nothing\n");
  fs::create_directory(folder_.path("cache"));
  write_file(folder_.path("cache/some.cubin"), std::string(3 << 20, 'x'));
  says(doctor({"HEDDLE_CACHE=" + folder_.path("cache")}), "/cache: 1 kernels and choices, 3.0 of 256 MiB\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path("cache")), fs::directory_iterator()), 1);

  const std::string gpu = "LD_PRELOAD=" PRETENDED_GPU;
  says(doctor({gpu, "PRETENDED_GPU=no driver"}), "NVIDIA driver  missing: No CUDA driver was found");
  const std::string no_device = doctor({gpu, "PRETENDED_GPU=no device"});
  says(no_device, "NVIDIA driver  found: for CUDA 13.0\ndevice         missing: ");
  says(no_device, "see whether nvidia-smi lists a GPU\n");
  says(doctor({gpu, "PRETENDED_GPU=no nvrtc"}),
       "NVRTC          missing: NVRTC, the CUDA run-time compiler, was not found");
  says(doctor({gpu, "PRETENDED_GPU=a device"}), "device         found: #0 Pretended\n");
}

TEST_F(Installed, BashCompletes) {
  const std::string ask =
      "source " + at("share/bash-completion/completions/heddle") +
      "; ask() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _heddle; echo \"${COMPREPLY[*]}\"; }\n";
  auto completed = [&](const std::string& words) { return run({"/bin/bash", "-c", ask + "ask " + words}).out; };
  EXPECT_EQ(completed("heddle expl"), "explain\n");
  EXPECT_EQ(completed("heddle autot"), "autotune\n");
  EXPECT_EQ(completed("heddle cuda --fus"), "--fusion\n");
  EXPECT_EQ(completed("heddle cuda --fusion = p"), "pairwise\n");
  EXPECT_EQ(completed("heddle explain --device ''"), "h100 a100\n");
  EXPECT_EQ(completed("heddle completions z"), "zsh\n");
  EXPECT_EQ(completed("heddle cpu ''"), "\n");  // what bash then completes as a file
}

TEST_F(Installed, OtherShellsReadTheirCompletions) {
  const bool zsh = fs::exists("/usr/bin/zsh"), fish = fs::exists("/usr/bin/fish");
  if (zsh) {
    EXPECT_EQ(run({"/usr/bin/zsh", "-n", at("share/zsh/vendor-completions/_heddle")}).err, "");
  }
  if (fish) {
    ProcessResult r = run({"/usr/bin/fish", "-c",
                           "source " + at("share/fish/vendor_completions.d/heddle.fish") +
                               "; complete -C 'heddle explain --dev'; complete -C 'heddle explain --device h'"},
                          {path_});
    EXPECT_EQ(
        r.out,
        "--device\tfor --tilings: h100 or a100 (default: h100)\nh100\tfor --tilings: h100 or a100 (default: h100)\n")
        << r.err;
  }
  HEDDLE_NEED(zsh && fish, "there is no zsh, or no fish, to read its completions");
}

TEST_F(Installed, ManualNamesEveryCommandAndOption) {
  const std::string page = read_file(at("share/man/man1/heddle.1"));
  for (const char* word :
       {".SS heddle cuda", ".SS heddle explain", ".SS heddle doctor", "\\fB\\-\\-fusion\\fR=\\fISTRATEGY\\fR",
        "\\fB\\-\\-tilings\\fR", "\\fB\\-\\-install\\-futhark\\fR", "benchcmp", ".SH EXIT STATUS"})
    EXPECT_NE(page.find(word), std::string::npos) << word;
  if (!fs::exists("/usr/bin/man")) return;
  ProcessResult r = run({"/usr/bin/man", "--warnings", "-l", at("share/man/man1/heddle.1")}, {path_, "MANWIDTH=80"});
  EXPECT_EQ(r.err, "");
}

}  // namespace
