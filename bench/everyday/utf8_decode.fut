-- Decodes UTF-8 bytes into code points, bad sequences becoming U+FFFD, with the count of each length and of bad ones.
type kind = #cont | #lead i64 | #bad

def kind_of (b: u8) : kind =
  if b < 0x80 then #lead 1
  else if b < 0xC0 then #cont
  else if b < 0xE0 then #lead 2
  else if b < 0xF0 then #lead 3
  else if b < 0xF8 then #lead 4
  else #bad

def decode [n] (s: [n]u8) (i: i64) : (bool, i32, i64) =
  match kind_of s[i]
  case #cont -> (false, 0, -1)
  case #bad -> (true, 0xFFFD, 0)
  case #lead l ->
    if i + l > n then (true, 0xFFFD, 0)
    else let first = if l == 1 then i32.u8 s[i] else i32.u8 s[i] & ((1 << (7 - i32.i64 l)) - 1)
         let (v, ok) =
           loop (v, ok) = (first, true) for k in 1..<l do
             let b = s[i + k]
             in ((v << 6) | i32.u8 (b & 0x3f), ok && b >= 0x80 && b < 0xC0)
         let least = if l == 2 then 0x80 else if l == 3 then 0x800 else if l == 4 then 0x10000 else 0
         in if ok && v >= least && v <= 0x10FFFF && !(v >= 0xD800 && v <= 0xDFFF)
            then (true, v, l) else (true, 0xFFFD, 0)

entry main [n] (skew: i32) (bytes: [n]u8) : ([]i32, [5]i32, i32) =
  -- with skew, lead bytes of two are made commoner, so that there are more good sequences
  let s = if skew > 0 then map2 (\b i -> if i % 3 == 0 then 0xC2 | (b & 0x1f) else if i % 3 == 1 then 0x80 | (b & 0x3f) else b) bytes (iota n)
          else bytes
  let (starts, cps, lens) = unzip3 (map (decode s) (iota n))
  let out = map (.1) (filter (.0) (zip starts cps))
  let counts = reduce_by_index (replicate 5 0) (+) 0 lens (map (const 1) lens)
  in (out, counts, i32.sum (map2 (\c i -> c * i32.i64 (i + 1)) (take 100 out) (iota 100)))
