-- Integers to lines of decimal text: lengths, their scan, and one scatter of all characters.
def digits (x: u32) : i64 =
  (loop (k, p) = (1, 10u64) while p <= u64.u32 x do (k + 1, p * 10)).0

def magnitude (x: i32) : u32 = if x < 0 then u32.i32 (-x) else u32.i32 x

def length (x: i32) : i64 = digits (magnitude x) + i64.bool (x < 0) + 1

def char (x: i32) (len: i64) (j: i64) : u8 =
  if j == len - 1 then '\n'
  else if j == 0 && x < 0 then '-'
  else let y = loop y = magnitude x for _k < len - 2 - j do y / 10
       in '0' + u8.u32 (y % 10)

def width = 12i64

entry main [n] (nums: [n]i32) : ([]u8, i64, i64) =
  -- numbers of various lengths
  let xs = map (\x -> x >> ((x & 7) * 3)) nums
  let lens = map length xs
  let ends = scan (+) 0 lens
  let total = if n == 0 then 0 else ends[n - 1]
  let cells = flatten (map3 (\x l e -> map (\j -> if j < l then (e - l + j, char x l j) else (-1, 0)) (iota width)) xs lens ends)
  let (is, cs) = unzip cells
  let text = scatter (replicate total 0u8) is cs
  let minus = text |> map (\c -> i64.bool (c == '-')) |> i64.sum
  in (text, total, minus)
