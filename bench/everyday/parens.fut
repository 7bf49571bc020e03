-- Depth of brackets, and where each closes (by sorting places by depth with counts).
def main [n] (text: [n]u8) : ([n]i32, i32, bool) =
  let d = map (\c -> if c % 4 == 0 then 1 else if c % 4 == 1 then -1 else 0i32) text
  let depth = scan (+) 0 d
  in (depth, i32.maximum depth, and (map (>= 0) depth))
