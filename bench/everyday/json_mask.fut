-- JSON structure: escapes, inside-string mask, nesting depth and the positions of structural characters, by scans.
def kinds : [8]u8 = [34, 92, 123, 125, 91, 93, 44, 58]   -- " \ { } [ ] , :

-- Parity of the run of backslashes that ends here, as composable functions of a state bit.
type step = {ifeven: bool, ifodd: bool}
def compose (f: step) (g: step) : step =
  { ifeven = if f.ifeven then g.ifodd else g.ifeven
  , ifodd = if f.ifodd then g.ifodd else g.ifeven }

entry main [n] (raw: [n]u8) : ([]i64, []i32, i64, i32) =
  let text = map (\b -> if b < 160 then kinds[i64.u8 (b % 8)] else 97u8) raw
  let moves = map (\c -> if c == 92 then {ifeven = true, ifodd = false} else {ifeven = false, ifodd = false}) text
  let odd = map (.ifeven) (scan compose {ifeven = false, ifodd = true} moves)
  let escaped = map (\i -> i > 0 && odd[i - 1]) (iota n)
  let quote = map2 (\c e -> c == 34 && !e) text escaped
  let inside = map2 (\k q -> k % 2 == 1 && !q) (scan (+) 0i32 (map i32.bool quote)) quote
  let delta = map3 (\c s q -> if s || q then 0
                              else if c == 123 || c == 91 then 1i32
                              else if c == 125 || c == 93 then -1 else 0) text inside quote
  let depth = scan (+) 0 delta
  let structural = map3 (\c s q -> !s && !q && c != 97 && c != 92) text inside quote
  let at = filter (\i -> structural[i]) (iota n)
  in (at, map (\i -> depth[i]) at, i64.sum (map i64.bool inside), i32.maximum depth)
