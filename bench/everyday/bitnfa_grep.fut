-- Bit-parallel pattern search over fixed-length lines: classes, single wildcard and optional repetition as state masks.
type atom = #one u8 | #range u8 u8 | #any | #plus u8

def accepts (a: atom) (c: u8) : bool =
  match a
  case #one x -> c == x
  case #range lo hi -> lo <= c && c <= hi
  case #any -> true
  case #plus x -> c == x

def again (a: atom) : bool =
  match a
  case #plus _ -> true
  case _ -> false

def pattern : [6]atom = [#one 97, #range 98 101, #any, #plus 99, #range 97 99, #one 100]

def mask_of (p: atom -> bool) : u32 =
  reduce (|) 0 (map2 (\i a -> if p a then 1u32 << u32.i64 i else 0) (iota 6) pattern)

entry main [n][m] (lines: [n][m]u8) : ([n]i32, [n]i32, i64) =
  let table = tabulate 256 (\c -> mask_of (\a -> accepts a (u8.i64 c)))
  let loops = mask_of again
  let one line =
    loop (state, hits, first) = (0u32, 0i32, -1i32) for i < m do
      let c = 97 + line[i] % 5
      let moved = ((state << 1) | 1 | (state & loops)) & table[i64.u8 c]
      let hit = moved >> 5 & 1
      in (moved, hits + i32.u32 hit, if hit == 1 && first < 0 then i32.i64 i else first)
  let (_, hits, first) = unzip3 (map one lines)
  in (hits, first, i64.sum (map (\h -> i64.bool (h > 0)) hits))
