-- List ranking by pointer jumping: each link's distance and weight to the end of one long linked list.
entry main [n] (weights: [n]u8) : ([n]i32, [n]i32) =
  let next0 = tabulate n (\i -> let j = (i * 5 + 12345) % n in if j == 0 then i else j)
  let rank0 = map2 (\i j -> i32.bool (i != j)) (iota n) next0
  let sum0 = map2 (\r w -> if r == 1 then i32.u8 w else 0) rank0 weights
  let (_, rank, sum, _) =
    loop (next, rank, sum, reach) = (next0, rank0, sum0, 1) while reach < n do
      let rank' = map2 (\r j -> r + rank[j]) rank next
      let sum' = map2 (\s j -> s + sum[j]) sum next
      in (map (\j -> next[j]) next, rank', sum', reach * 2)
  in (rank, sum)
