-- Loops, matches, calls that are not inlined, asserts with messages, attributes.
#[noinline]
def collatz (n: i32) : i32 =
  (loop (x, steps) = (n, 0) while x > 1 do if x % 2 == 0 then (x / 2, steps + 1) else (3 * x + 1, steps + 1)).1

def clamp' (lo: i64) (hi: i64) (x: i64) = i64.max lo (i64.min hi x)

entry steps (ns: []i32) : []i32 = map collatz ns

entry smooth [n] (xs: [n]f32) (k: i64) : [n]f32 =
  assert (k > 0) (tabulate n (\i -> loop acc = 0 for j < k do acc + xs[clamp' 0 (n - 1) (i + j)]))

entry classify (x: i32) (y: i32) : i32 =
  match (x, y)
  case (0, 0) -> 0
  case (0, _) -> 1
  case (1, 2) -> 2
  case _ -> x - y

entry unrolled (x: f64) : f64 = #[unroll] loop y = x for _i < 3 do y * y - 0.1

entry traced (x: i32) : i32 = trace (opaque x + 1)

entry unsafe_at [n] (xs: [n]i32) (i: i64) : i32 = #[unsafe] xs[i]

entry steered [n][m] (xss: [n][m]f32) : [n]f32 =
  #[incremental_flattening(only_inner)] map (\xs -> #[sequential] reduce (+) 0 xs) xss
