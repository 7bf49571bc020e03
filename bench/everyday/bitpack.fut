-- Frame of reference: blocks of 128 integers less their least, packed in w bits each; and unpacked again to check.
def block : i64 = 128

def pack_block (w: i64) (words: i64) (xs: [block]u32) : [words]u32 =
  tabulate words (\k ->
    let first = (k * 32) / w
    let end = i64.min block ((k * 32 + 31) / w + 1)
    in loop acc = 0u32 for j in first..<end do
         let at = j * w - k * 32
         let v = u64.u32 xs[j]
         in acc | u32.u64 (if at >= 0 then v << u64.i64 at else v >> u64.i64 (-at)))

def unpack [words] (w: i64) (ws: [words]u32) : [block]u32 =
  tabulate block (\j ->
    let bit = j * w
    let k = bit / 32
    let lo = u64.u32 ws[k]
    let hi = if k + 1 < words then u64.u32 ws[k + 1] else 0
    let mask = (1u64 << u64.i64 w) - 1
    in u32.u64 (((lo | (hi << 32)) >> u64.i64 (bit % 32)) & mask))

entry main [nb] (w: i64) (data: [nb][block]i32) : ([nb]u32, [nb]i32, [nb][]u32, i64) =
  let words = 4 * w
  let vals = map (map (\x -> u32.i32 x >> (32 - u32.i64 w))) data
  let refs = map u32.minimum vals
  let diffs = map2 (\v r -> map (\x -> x - r) v) vals refs
  let widths = map (\d -> 32 - u32.clz (u32.maximum d)) diffs
  let packed = map (pack_block w words) diffs
  let back = map (unpack w) packed
  let wrong = i64.sum (map2 (\a b -> i64.sum (map2 (\x y -> i64.bool (x != y)) a b)) back diffs)
  in (refs, widths, packed, wrong)
