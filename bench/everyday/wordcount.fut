-- Words, their longest length, and letters by kind.
entry main [n] (s: [n]u8) : (i64, i64, [26]i32) =
  let letter = map (\c -> c % 32 < 26 && c < 224) s
  let begins = map (\i -> letter[i] && (i == 0 || !letter[i-1])) (iota n)
  let lens = scan (\(f1,a) (f2,b) -> (f1||f2, if f2 then b else a+b)) (false,0) (map2 (\l b -> (b || !l, i64.bool l)) letter begins)
  let counts = reduce_by_index (replicate 26 0) (+) 0 (map2 (\l c -> if l then i64.u8 (c % 32) else -1) letter s) (replicate n 1)
  in (i64.sum (map i64.bool begins), i64.maximum (map (.1) lens), counts)
