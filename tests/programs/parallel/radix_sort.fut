-- Sorting by bits: scans, sums and scatters in a host loop.
-- ==
-- input { [5u32, 3u32, 4294967295u32, 0u32, 3u32] } output { [0u32, 3u32, 3u32, 5u32, 4294967295u32] }
-- input { empty([0]u32) } output { empty([0]u32) }
-- input { [1u32] } output { [1u32] }
-- compiled random input { [257]u32 } auto output

def step [n] (xs: [n]u32) (bit: i32) : [n]u32 =
  let ones = map (\x -> i64.u32 ((x >> u32.i32 bit) & 1)) xs
  let zeros = map (1 -) ones
  let before_zeros = scan (+) 0 zeros
  let before_ones = scan (+) 0 ones
  let num_zeros = i64.sum zeros
  let places = map3 (\b z o -> if b == 0 then z - 1 else num_zeros + o - 1) ones before_zeros before_ones
  in scatter (copy xs) places xs

entry main [n] (xs: [n]u32) : [n]u32 = loop xs for bit < 32 do step xs bit
