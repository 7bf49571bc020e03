-- Expand tabs of a text to columns of eight: the column as a scan of functions "add", "go to the next stop" and "new line".
type step = #add i64 | #stop i64 i64 | #reset i64

-- #add a: c+a;  #stop a b: 8*floor((c+a)/8)+b;  #reset b: b.
def follow (f: step) (g: step) : step =
  match (f, g)
  case (_, #reset b) -> #reset b
  case (#add a, #add b) -> #add (a + b)
  case (#add a, #stop b c) -> #stop (a + b) c
  case (#stop a b, #add c) -> #stop a (b + c)
  case (#stop a b, #stop c d) -> #stop a ((b + c) / 8 * 8 + d)
  case (#reset a, #add b) -> #reset (a + b)
  case (#reset a, #stop b c) -> #reset ((a + b) / 8 * 8 + c)

def column (s: step) : i64 =
  match s
  case #add a -> a
  case #stop a b -> a / 8 * 8 + b
  case #reset a -> a

entry main [n] (raw: [n]u8) : ([]u8, i64) =
  let text = map (\x -> if x < 6 then 10u8 else if x < 26 then 9 else 32 + x % 95) raw
  let steps = map (\c -> if c == 10 then #reset 0 else if c == 9 then #stop 0 8 else #add 1 : step) text
  let after = map column (scan follow (#add 0) steps)
  let before = map (\i -> if i == 0 then 0 else after[i-1]) (iota n)
  let width = map3 (\c a b -> if c == 10 then 1 else a - b) text after before
  let ends = scan (+) 0 width
  let total = if n == 0 then 0 else ends[n-1]
  let out = scatter (replicate total 32u8) (map2 (-) ends width)
                    (map (\c -> if c == 9 then 32 else c) text)
  in (out, i64.maximum (map2 (\c a -> if c == 10 then 0 else a) text after))
