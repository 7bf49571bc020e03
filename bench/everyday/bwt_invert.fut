-- Inverse Burrows-Wheeler transform: stable sort of the last column for the LF mapping, then pointer doubling along it.
def partition_bit [n] (bit: u8) (xs: [n](u8, i32)) : [n](u8, i32) =
  let ones = map (\(c, _) -> i32.u8 ((c >> bit) & 1)) xs
  let pos1 = scan (+) 0 ones
  let zeros = i32.i64 n - (if n == 0 then 0 else last pos1)
  let dest =
    map3 (\i o p -> i64.i32 (if o == 1 then zeros + p - 1 else i32.i64 i - p)) (indices xs) ones pos1
  in scatter (copy xs) dest xs

def main [n] (raw: [n]u8) (start: i32) : [n]u8 =
  let column = map (\c -> 'a' + c % 26) raw
  let sorted =
    loop xs = zip column (map i32.i64 (iota n)) for b < 5 do
      partition_bit (u8.i32 b) (map id xs)
  -- sorted order of 'a'+k: the low five bits of the letters keep their order
  let next = map (.1) sorted
  let first = i32.i64 (i64.i32 start % n)
  let levels = 64 - i64.clz n |> i64.i32
  let (walk, _) =
    loop (walk, jump) = (replicate n first, next) for k < levels do
      let walk = map2 (\i w -> if (i >> k) & 1 == 1 then jump[w] else w) (iota n) walk
      in (walk, map (\j -> jump[j]) jump)
  in map (\w -> column[next[w]]) walk
