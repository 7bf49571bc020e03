-- Time-series compression by XOR of neighbouring floats: control bits, lengths, bit offsets, packed words, per series.
type piece = {value: u32, len: i32}

def code (prev: u32) (cur: u32) : piece =
  let x = prev ^ cur
  let lead = i32.min 15 (u32.clz x)
  let trail = u32.ctz x
  in if x == 0 then {value = 0, len = 1}
     else if trail >= 8 && lead >= 4 then {value = x >> 8, len = 2 + 20}
     else {value = x, len = 2 + 5 + (32 - lead)}

def pack [n] (words: i64) (ps: [n]piece) (offsets: [n]i32) : [words]u32 =
  let low = map2 (\p o -> p.value << u32.i32 (o & 31)) ps offsets
  let high = map2 (\p o -> let s = o & 31 in if s == 0 then 0 else p.value >> u32.i32 (32 - s)) ps offsets
  let at = map (\o -> i64.i32 (o >> 5)) offsets
  let dest = replicate words 0u32
  let dest = reduce_by_index dest (|) 0 at low
  in reduce_by_index dest (|) 0 (map (+ 1) at) high

entry main [s][n] (levels: f32) (xs: [s][n]f32) : ([s]i32, [s]u32, i64) =
  let series = map (map (\x -> f32.floor (x * levels) * 0.25)) xs
  let one row =
    let b = map f32.to_bits row
    let ps = map (\i -> if i == 0 then {value = b[0], len = 32} else code b[i - 1] b[i]) (iota n)
    let ends = scan (+) 0 (map (.len) ps)
    let offsets = map2 (\e p -> e - p.len) ends ps
    let packed = pack (n + n / 4 + 2) ps offsets
    in (ends[n - 1], reduce (^) 0 (map2 (\i w -> w * (2 * u32.i64 i + 1)) (indices packed) packed))
  let (sizes, sums) = unzip (map one series)
  in (sizes, sums, i64.sum (map i64.i32 sizes))
