-- Many xorshift32 streams: how often each bit is set in the last word, and the parity sums on the way.
def step (x: u32) : u32 =
  let x = x ^ (x << 13)
  let x = x ^ (x >> 17)
  in x ^ (x << 5)

entry main [n] (s: i32) (seeds: [n]i32) : ([32]i32, [n]i32, u32) =
  let stream seed =
    loop (x, odd) = (u32.i32 seed | 1, 0i32) for _i < s do
      let x = step x
      in (x, odd + (u32.popc x & 1))
  let (last, odd) = unzip (map stream seeds)
  let bits = tabulate 32 (\b -> i32.sum (map (\x -> i32.u32 ((x >> u32.i64 b) & 1)) last))
  in (bits, odd, reduce (^) 0 last)
