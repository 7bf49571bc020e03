-- Formats bytes as a hex dump: eight-digit offset, sixteen hex pairs and the printable characters of each line.
def digits : [16]u8 = "0123456789abcdef"
def hex (x: i64) : u8 = digits[x & 15]
def width : i64 = 76

entry main [n] (xs: [n]u8) : ([]u8, u32) =
  let lines = (n + 15) / 16
  let get i = if i < n then i64.u8 xs[i] else -1
  let cell l c : u8 =
    if c < 8 then hex ((l * 16) >> (4 * (7 - c)))
    else if c < 10 then ' '
    else if c < 58 then
      let k = c - 10
      let b = get (l * 16 + k / 3)
      in if k % 3 == 2 || b < 0 then ' ' else if k % 3 == 0 then hex (b >> 4) else hex b
    else if c == 58 || c == 75 then (if c == 75 then '\n' else '|')
    else let b = get (l * 16 + c - 59)
         in if b < 0 then ' ' else if b >= 32 && b < 127 then u8.i64 b else '.'
  let out = flatten (tabulate_2d lines width cell)
  let sum = u32.sum (map2 (\i c -> u32.u8 c * (u32.i64 i * 2654435761 + 1)) (indices out) out)
  in (out, sum)
