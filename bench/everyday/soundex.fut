-- Soundex codes of fixed-width names, names per code, and the number of colliding pairs.
def group (c: u8) : u8 =
  match c
  case 'b' -> 1 case 'f' -> 1 case 'p' -> 1 case 'v' -> 1
  case 'c' -> 2 case 'g' -> 2 case 'j' -> 2 case 'k' -> 2 case 'q' -> 2 case 's' -> 2 case 'x' -> 2 case 'z' -> 2
  case 'd' -> 3 case 't' -> 3
  case 'l' -> 4
  case 'm' -> 5 case 'n' -> 5
  case 'r' -> 6
  case 'h' -> 8 case 'w' -> 8
  case _ -> 0

def code [w] (name: [w]u8) : i32 =
  let (c, _, k) =
    loop (c, last, k) = (i32.u8 (name[0] - 'a'), group name[0], 0i32) for i in 1..<w do
      let g = group name[i]
      in if g == 8 then (c, last, k)
         else if g == 0 then (c, 0, k)
         else if g == last || k >= 3 then (c, g, k)
         else (c * 7 + i32.u8 g, g, k + 1)
  in c * 7 ** (3 - k)

entry main [n][w] (raw: [n][w]u8) : ([n]i32, [26]i32, i64) =
  let names = map (map (\b -> 'a' + b % 26)) raw
  let len = map (\r -> 1 + i64.u8 (r[w - 1] % 8)) raw
  let names = map2 (\nm l -> map2 (\i c -> if i < l then c else 'e') (iota w) nm) names len
  let cs = map code names
  let size : i64 = 26 * 343
  let h = hist (+) 0 size (map i64.i32 cs) (replicate n 1i64)
  let firsts = hist (+) 0 26 (map (\nm -> i64.u8 (nm[0] - 'a')) names) (replicate n 1i32)
  in (cs, firsts, i64.sum (map (\k -> k * (k - 1) / 2) h))
