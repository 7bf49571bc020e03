-- Largest of each run of equal keys, by a segmented scan.
entry main [n] (keys: [n]u8) (vals: [n]i32) : []i32 =
  let k = map (>> 5) keys
  let flags = map (\i -> i == 0 || k[i] != k[i-1]) (iota n)
  let s = scan (\(f,a) (g,b) -> (f||g, if g then b else i32.max a b)) (false, i32.lowest) (zip flags vals)
  let last = map (\i -> i == n-1 || k[i] != k[i+1]) (iota n)
  in map (.1) (filter (.0) (zip last (map (.1) s)))
