-- Removes /* */ and // comments and collapses blanks, by scanning packed transition functions of a 5-state lexer.
type fn = u32  -- state s goes to bits 3s..3s+2
def at (f: fn) (s: u32) : u32 = (f >> (3 * s)) & 7
def compose (f: fn) (g: fn) : fn =
  loop r = 0 for s < 5 do r | (at g (at f (u32.i32 s)) << (3 * u32.i32 s))
def pack (a: u32) (b: u32) (c: u32) (d: u32) (e: u32) : fn = a | (b << 3) | (c << 6) | (d << 9) | (e << 12)
def id_fn : fn = pack 0 1 2 3 4

-- 0 code, 1 code after '/', 2 block, 3 block after '*', 4 line
def delta (c: u8) : fn =
  if c == '/' then pack 1 4 2 0 4
  else if c == '*' then pack 0 2 3 3 4
  else if c == '\n' then pack 0 0 2 2 0
  else pack 0 0 2 2 4

def alphabet : [16]u8 = "/*abc;( )\n=x1*/ "

entry main [a][n] (raw: [a]u8) (more: [n]u8) : ([]u8, i64, i64) =
  let src = map (\b -> alphabet[i64.u8 (b & 15)]) (raw ++ more)
    let after = map (\f -> at f 0) (scan compose id_fn (map delta src))
  let before = map (\i -> if i == 0 then 0 else after[i - 1]) (iota (a + n))
  let gone = map3 (\i s b ->
      let opens = s == 1 && i + 1 < a + n && (after[i + 1] == 2 || after[i + 1] == 4)
      in opens || s >= 2 || b == 2 || b == 3) (iota (a + n)) after before
  let blank c = c == ' ' || c == '\n'
  let text = map2 (\g c -> if g then ' ' else c) gone src
  let keep = map (\i -> !(blank text[i]) || (i > 0 && !(blank text[i - 1]))) (iota (a + n))
  let pos = scan (+) 0 (map i64.bool keep)
  let total = if null pos then 0 else last pos
  let out = scatter (replicate total 0u8) (map2 (\k p -> if k then p - 1 else -1) keep pos) text
  let blocks = i64.sum (map2 (\a b -> i64.bool (a == 2 && b == 1)) after before)
  in (out, total, blocks)
