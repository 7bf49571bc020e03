// What running a program costs in calls of the CUDA driver: what it asks for, and waits for, beside its kernels.
#include <gmock/gmock.h>

#include <map>

#include "tests/frontend_bridge/cpu_as_gpu_fixture.h"

namespace {

const std::string kProgram = R"(
def product (a, b, c, d) (e, f, g, h) = (a*e + b*g, a*f + b*h, c*e + d*g, c*f + d*h) : (i32, i32, i32, i32)

entry chain (n: i64) : []i32 =
  loop xs = iota n |> map i32.i64 for i < 20 do map (\x -> x * 3 + i) xs
entry sum (n: i64) : i32 = i32.sum (map i32.i64 (iota n))
entry four (n: i64) : (i32, i32, i32, i32) = reduce product (1, 0, 0, 1) (map (\i -> (i32.i64 i, 1, 1, 3)) (iota n))
entry apart (n: i64) : i32 = i32.sum (map i32.i64 (iota n)) ^ i32.maximum (map (\i -> i32.i64 (i % 7)) (iota (n + 1)))
entry scaled (n: i64) : []i32 =
  let s = i32.sum (map i32.i64 (iota n))
  in map (\i -> i32.i64 i ^ s) (iota n)
entry deviation (n: i64) : (i32, i32) =
  let mean = i32.sum (map i32.i64 (iota n)) / i32.i64 n
  in (mean, i32.sum (map (\i -> (i32.i64 i - mean) ** 2) (iota n)))
entry read_twice (n: i64) : (i32, i32, []i32) =
  let s = i32.sum (map i32.i64 (iota n))
  let t = i32.maximum (map (\i -> i32.i64 (i % 7)) (iota (n + 1)))
  in (s, t, map (\i -> (i32.i64 i ^ s) + t) (iota n))
entry handed_on (n: i64) : ([]i32, i32) =
  loop (xs, last) = (map i32.i64 (iota n), 1) for i < 20i32 do
    let ys = map (\x -> x * 3 + i + last) xs
    in (ys, ys[i64.i32 i % n] % 5)
entry beyond (n: i64) : []i32 =
  let s = i32.sum (map i32.i64 (iota n))
  let xs = map (\i -> i32.i64 i ^ s) (iota n)
  in map (\i -> xs[i + i64.i32 (s / 10)]) (iota n)
entry several (n: i64) : i32 =
  let xs = map i32.i64 (iota n)
  let a = i32.sum xs
  let b = i32.maximum (map (+ a) xs)
  let c = i32.sum (map (\x -> x ^ b) xs)
  let d = i32.minimum (map (\x -> x ^ a) (xs[1:]))
  in a ^ b ^ c ^ d ^ i32.sum (xs[2:])
entry updates (n: i64) : []i32 =
  let xs = replicate n 0
  let xs = xs with [1] = i32.i64 n
  in xs with [n / 2] = 3
entry rows (n: i64) : [][]i32 =
  loop xs = replicate 3 (replicate n 1i32) for i < 9 do
    let row = map (+ i32.i64 i) xs[i % 3]
    in xs with [i % 3] = row
entry level (n: i64) : []f64 =
  let s = f64.sum (map f64.i64 (iota n))
  in map (\i -> f64.i64 i - f64.log (s + 1)) (iota n)
entry pivots (n: i64) : [][]f64 =
  loop a = tabulate_2d 12 n (\i j -> f64.i64 ((i * 7 + j * 5) % 11)) for i < 10 do
    let larger (x, j) (y, k) = if x < y || (x == y && k < j) then (y, k) else (x, j)
    let (_, j) = reduce_comm larger (0, 0) (zip (map f64.abs a[i:, i]) (iota (12 - i)))
    let f = (1 - a[i, i]) / a[i + j, i]
    let row = map2 (\x y -> f * x + y) a[i + j] a[i]
    in map2 (\k xs -> map2 (\x y -> if k == i then x else y - xs[i] * x) row xs) (iota 12) a
entry row_found (n: i64) : []i32 =
  let a = tabulate_2d 100 n (\i j -> i32.i64 (i + j))
  let j = i64.maximum (map (\i -> i ^ 1) (iota n))
  in map (+ a[j, 0]) a[j]
entry substituted (n: i64) : []f64 =
  let (a, b) = (tabulate_2d n n (\i j -> f64.i64 (i + 2 * j + 1)), map f64.i64 (iota n))
  in loop y = replicate n 0 for i < 10 do
       y with [i] = (b[i] - f64.sum (map2 (*) a[i] y)) / a[i, i]
entry cells (n: i64) : [][7]i32 =
  tabulate n (\i -> reduce_by_index (replicate 7 3) (+) 0 (map (\j -> (i + j) % 7) (iota 16)) (map i32.i64 (iota 16)))
entry followed (n: i64) : i64 =
  let next = map (% n) (scan (+) 3 (iota n))
  in (loop (s, at) = (0, 1) for k < n do (s * 3 + k, next[at])).1
entry walked (n: i64) : []i64 =
  let next = map (% n) (scan (+) 3 (iota n))
  in (loop (path, at) = (replicate n 0, 1) for k < n do (path with [k] = at, next[at])).0
entry walked_far (n: i64) (steps: i64) : (i64, [steps]i64, i64) =
  let next = tabulate n (\i -> (i * 7919 + 13) % n)
  let (at, path) = loop (at, path) = (1, replicate steps 0) for k < steps do
    let at = next[at]
    in (at, path with [k] = at)
  in (at, path, loop at = 2 for _k < steps do next[at])
entry walked_beyond (n: i64) (steps: i64) : i64 =
  let next = tabulate n (\i -> if i % 5 == 1 then n else (i * 7919 + 13) % n)
  in loop at = 2 for _k < steps do next[at]
entry chosen (n: i64) (more: i64) : i64 =
  let keys = tabulate n (\i -> (i * 7919 + 13) % 1009)
  let least i j = if keys[i] < keys[j] || (keys[i] == keys[j] && i < j) then i else j
  in reduce least 0 (map (\i -> if i == n / 2 then i + more else i) (iota n))
entry followed_in_turns (n: i64) : i64 =
  let next = map (% n) (scan (+) 3 (iota n))
  let (weights, more) = (scan (+) 1 (iota n), scan (+) 2 next)
  in (loop (s, at) = (0, 1) for k < n do (s + weights[at] * more[k], next[at])).0
entry picked (n: i64) : [][]i64 =
  let rows = tabulate_2d n 10 (\i j -> i + j)
  let which = map (% n) (scan (+) 3 (iota n))
  in loop ys = replicate n (replicate 10 0) for k < n do ys with [k] = rows[which[k]]
entry beside (n: i64) : ([]i64, []i64, []i64) =
  let polynomial k i = loop x = 1 for _j < n do x * i + k
  in (map (polynomial 1) (iota n), map (polynomial 2) (iota (n + 1)), map (polynomial 3) (iota (n + 2)))
entry literal (n: i64) : []i32 = let xs = [5, 3, 1, 7] in map (\i -> xs[i % 4]) (iota n)

)";

using Calls = std::map<std::string, long>;

class Launches : public CpuAsGpu {
 protected:
  void SetUp() override {
    CpuAsGpu::SetUp();
    if (IsSkipped()) return;
    write("launches.fut", kProgram);
    make_once("launches", {HEDDLE, "cuda", "launches.fut"}, kProgram);
  }

  // The driver's calls of ten more runs of an entry point, each divided by ten.
  Calls calls(const std::string& entry, const std::string& size = "100i64") const {
    auto of_runs = [&](const std::string& runs) {
      ProcessResult ran = run({"CPU_AS_GPU_CALLS=calls", "./launches", "-e", entry, "-r", runs, "-t", "times"}, size);
      EXPECT_EQ(ran.exit_code, 0) << ran.err;
      Calls found;
      std::istringstream in(read("calls"));
      std::string name;
      for (long times = 0; in >> name >> times;) found[name] = times;
      return found;
    };
    Calls few = of_runs("5"), many = of_runs("15"), each;
    for (const auto& [name, times] : many) {
      if (times == few[name]) continue;
      EXPECT_EQ((times - few[name]) % 10, 0) << name;
      each[name] = (times - few[name]) / 10;
    }
    return each;
  }
};

// One call of the driver for each kernel, and one wait for all of them. The 20 steps take five kernels, of four steps each.
TEST_F(Launches, KernelsAreAllThatIsCalled) {
  EXPECT_EQ(calls("chain"), (Calls{{"cuLaunchKernel", 6}, {"cuStreamSynchronize", 1}}));
}

// What needs nothing of each other is done at the same time, as the pretended device shows by doing the last first.
TEST_F(Launches, KernelsThatNeedNothingOfEachOtherRunBesideEachOther) {
  EXPECT_EQ(calls("beside"), (Calls{{"cuLaunchKernel", 3}, {"beside", 2}, {"cuStreamSynchronize", 1}}));
  ProcessResult ran = run({"./launches", "-e", "beside"}, "4i64");
  EXPECT_EQ(ran.out,
            "[1i64, 5i64, 31i64, 121i64]\n[2i64, 9i64, 46i64, 161i64, 426i64]\n"
            "[3i64, 13i64, 61i64, 201i64, 511i64, 1093i64]\n");
}

// Of 72 registers three blocks of 256 threads have theirs, of 64 four.
TEST_F(Launches, KernelsOfManyRegistersMakeRoomWhereTheySpillNothing) {
  auto pivots = [&](const Words& registers, const Words& options = {}) {
    Words words = registers;
    words.insert(words.end(), {"./launches", "-e", "pivots", "-L"});
    words.insert(words.end(), options.begin(), options.end());
    ProcessResult ran = run(words, "100i64");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran;
  };
  const ProcessResult plain = pivots({}), fits = pivots({"CPU_AS_GPU_WITHOUT_ROOM=72", "CPU_AS_GPU_REGISTERS=60"}),
                      spills = pivots({"CPU_AS_GPU_WITHOUT_ROOM=72", "CPU_AS_GPU_REGISTERS=70"});
  EXPECT_EQ(plain.err.find("with room for"), std::string::npos);
  EXPECT_NE(fits.err.find(
                "with room for 4 blocks on a multiprocessor: 64 registers for 72, 0 bytes of local memory for 0: kept"),
            std::string::npos)
      << fits.err;
  EXPECT_NE(spills.err.find("64 registers for 72, 16 bytes of local memory for 0: not kept"), std::string::npos)
      << spills.err;
  EXPECT_EQ(fits.out, plain.out);
  EXPECT_EQ(spills.out, plain.out);
  // The file is the whole program's.
  const ProcessResult dumped = pivots({"CPU_AS_GPU_WITHOUT_ROOM=72", "CPU_AS_GPU_REGISTERS=60"}, {"--dump-ptx=ptx"});
  EXPECT_EQ(dumped.err.find("with room for"), std::string::npos);
}

// Of 136 registers a multiprocessor has room for one block of 256 threads, of 128 for two. Of 72 there are three, and no more are made.
TEST_F(Launches, KernelsWithoutBarriersMakeRoomForTheBlocksOfALaunch) {
  auto literal = [&](const std::string& registers, const std::string& size) {
    ProcessResult ran =
        run({"CPU_AS_GPU_WITHOUT_ROOM=" + registers, "CPU_AS_GPU_REGISTERS=140", "./launches", "-e", "literal", "-L"},
            size);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran.err;
  };
  EXPECT_EQ(literal("136", "100i64").find("with room for"), std::string::npos);
  const std::string alone = literal("136", "100000i64"), several = literal("72", "300000i64");
  EXPECT_NE(
      alone.find("with room for 2 blocks on a multiprocessor: 128 registers for 136, 16 bytes of local memory for "
                 "0: kept"),
      std::string::npos)
      << alone;
  EXPECT_EQ(several.find("with room for"), std::string::npos) << several;
}

// A result that only the host reads is where it does so without a copy, and nothing is left to wait for at the end.
TEST_F(Launches, ReadsWaitOnce) { EXPECT_EQ(calls("sum"), (Calls{{"cuLaunchKernel", 1}, {"cuStreamSynchronize", 1}})); }

TEST_F(Launches, SeveralResultsAreReadForOneWait) {
  EXPECT_EQ(calls("four"), (Calls{{"cuLaunchKernel", 1}, {"cuStreamSynchronize", 1}}));
}

// Those of different kernels, too.
TEST_F(Launches, ResultsOfSeveralKernelsAreReadForOneWait) {
  EXPECT_EQ(calls("apart"), (Calls{{"beside", 1}, {"cuLaunchKernel", 2}, {"cuStreamSynchronize", 1}}));
}

// Single elements that kernels read, too, lie next to each other, so that one copy reads all.
TEST_F(Launches, ResultsThatKernelsReadTooAreCopiedTogether) {
  EXPECT_EQ(calls("read_twice"),
            (Calls{{"beside", 1}, {"cuLaunchKernel", 3}, {"cuMemcpyDtoHAsync_v2", 1}, {"cuStreamSynchronize", 1}}));
}

TEST_F(Launches, ResultsThatOnlyKernelsNeedAreNotRead) {
  EXPECT_EQ(calls("scaled"), (Calls{{"cuLaunchKernel", 2}, {"cuStreamSynchronize", 1}}));
}

// Nor are those that the host needs, too, before it does; kernels compute from them what little is to be computed.
TEST_F(Launches, ResultsThatKernelsNeedAreReadLate) {
  EXPECT_EQ(calls("deviation"),
            (Calls{{"cuLaunchKernel", 2}, {"cuMemcpyDtoHAsync_v2", 1}, {"cuStreamSynchronize", 1}}));
  EXPECT_EQ(calls("several"),
            (Calls{{"beside", 2}, {"cuLaunchKernel", 5}, {"cuMemcpyDtoHAsync_v2", 1}, {"cuStreamSynchronize", 1}}));
}

// What iterations hand on stays on the device: it is written before the loop, by the kernel of each step, and read behind it.
TEST_F(Launches, LoopsDoNotWaitForElementsThatKernelsNeed) {
  EXPECT_EQ(calls("handed_on"), (Calls{{"cuLaunchKernel", 21},
                                       {"cuMemcpyHtoDAsync_v2", 1},
                                       {"cuMemcpyDtoHAsync_v2", 1},
                                       {"cuStreamSynchronize", 1}}));
}

// Of elements that the host reads one after the other it waits for the first two, and a third that brings the others along.
TEST_F(Launches, ElementsAreReadWithThoseAroundThem) {
  EXPECT_EQ(calls("followed"), (Calls{{"cuLaunchKernel", 1}, {"cuMemcpyDtoHAsync_v2", 3}, {"cuStreamSynchronize", 3}}));
}

// Where each step stores one, too, a thread of the device runs the loop.
TEST_F(Launches, LoopsThatReadAndStoreElementsAreOneKernel) {
  EXPECT_EQ(calls("walked"), (Calls{{"cuLaunchKernel", 3}, {"cuStreamSynchronize", 1}}));
}

// Of less than 1 MB, and of more, which no step waits for either.
TEST_F(Launches, LoopsOfOneKernelComputeWhatTheHostWould) {
  EXPECT_EQ(run({"./launches", "-e", "walked_far"}, "9i64 3i64").out, "3i64\n[3i64, 1i64, 3i64]\n2i64\n");
  EXPECT_EQ(run({"./launches", "-e", "walked_far"}, "300000i64 4i64").out,
            "198241i64\n[7932i64, 113521i64, 172812i64, 198241i64]\n132962i64\n");
  ProcessResult ran = run({"./launches", "-e", "walked_beyond"}, "300000i64 40i64");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, ::testing::HasSubstr("Index [300000] out of bounds for array of shape [300000]."));
}

// Operators that look elements up may fail, and say so, though blocks of threads reduce by them: the host asks whether one has, and then for the result.
TEST_F(Launches, OperatorsThatMayFailAreReducedByBlocks) {
  EXPECT_EQ(calls("chosen", "5000i64 0i64"),
            (Calls{{"cuLaunchKernel", 1}, {"cuMemcpyDtoHAsync_v2", 1}, {"cuStreamSynchronize", 2}}));
  EXPECT_EQ(run({"./launches", "-e", "chosen"}, "5000i64 0i64").out, "864i64\n");
  ProcessResult ran = run({"./launches", "-e", "chosen"}, "5000i64 9000i64");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, ::testing::HasSubstr("Index [11500] out of bounds for array of shape [5000]."));
}

// ... of each of several arrays that it reads in turns.
TEST_F(Launches, ElementsOfSeveralArraysAreReadWithThoseAroundThem) {
  EXPECT_EQ(calls("followed_in_turns")["cuMemcpyDtoHAsync_v2"], 9);
}

// ... though rows are copied between one and the next.
TEST_F(Launches, ElementsAreReadWithThoseAroundThemWhereOthersAreCopied) {
  EXPECT_EQ(calls("picked")["cuMemcpyDtoHAsync_v2"], 3);
}

TEST_F(Launches, KernelsFailThoughTheHostDoesNotKnowTheirArguments) {
  EXPECT_EQ(calls("beyond", "1i64"), (Calls{{"cuLaunchKernel", 2}, {"cuStreamSynchronize", 1}}));
  ProcessResult ran = run({"./launches", "-e", "beyond"}, "100i64");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, ::testing::HasSubstr("Index [495] out of bounds for array of shape [100]."));
}

// Where elements say which others are read, and whether there are such, a thread of the device finds out: by itself, or the one that
// ends a reduction.
TEST_F(Launches, ElementsThatSayWhichOthersAreReadAreNotWaitedFor) {
  EXPECT_EQ(calls("pivots"), (Calls{{"cuLaunchKernel", 21}, {"cuStreamSynchronize", 1}}));
  EXPECT_EQ(calls("row_found"), (Calls{{"cuLaunchKernel", 2}, {"cuStreamSynchronize", 1}}));
  ProcessResult ran = run({"./launches", "-e", "row_found"}, "102i64");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, ::testing::HasSubstr("Index [101] out of bounds for array of shape [100]."));
}

// Nor is what the host would only store: two kernels for each of ten elements, and one before.
TEST_F(Launches, ElementsThatAreOnlyStoredAreNotWaitedFor) {
  EXPECT_EQ(calls("substituted"), (Calls{{"cuLaunchKernel", 21}, {"cuStreamSynchronize", 1}}));
}

TEST_F(Launches, WritesDoNotWait) {
  EXPECT_EQ(calls("updates"), (Calls{{"cuLaunchKernel", 1}, {"cuMemcpyHtoDAsync_v2", 2}, {"cuStreamSynchronize", 1}}));
  EXPECT_EQ(calls("literal"), (Calls{{"cuLaunchKernel", 1}, {"cuMemcpyHtoDAsync_v2", 1}, {"cuStreamSynchronize", 1}}));
}

TEST_F(Launches, RowsThatAreComputedFromThemselvesAreNotCopied) {
  EXPECT_EQ(calls("rows"), (Calls{{"cuLaunchKernel", 10}, {"cuStreamSynchronize", 1}}));
}

TEST_F(Launches, KernelsComputeFunctionsOfWhatOnlyTheyNeed) {
  EXPECT_EQ(calls("level"), (Calls{{"cuLaunchKernel", 2}, {"cuStreamSynchronize", 1}}));
}

// Of many short segments each thread stores all bins of its own; others add to what was there before.
TEST_F(Launches, HistogramsByThreadsNeedNoBinsBefore) {
  EXPECT_EQ(calls("cells", "5000i64"), (Calls{{"cuLaunchKernel", 1}, {"cuStreamSynchronize", 1}}));
  EXPECT_EQ(calls("cells", "50i64"), (Calls{{"cuLaunchKernel", 2}, {"cuStreamSynchronize", 1}}));
}

}  // namespace
