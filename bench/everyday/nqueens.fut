-- Counts the n queens' placements: the first three rows spread over threads, the rest searched with bit masks and a stack.
def search (n: i32) (row0: i32) (cols0: u32) (l0: u32) (r0: u32) : i32 =
  let all = (1u32 << u32.i32 n) - 1
  let free c l r = all & !(c | l | r)
  -- at each level: columns, both diagonals and the places left
  let st : *[20](u32, u32, u32, u32) = replicate 20 (0, 0, 0, 0)
  let st[0] = (cols0, l0, r0, free cols0 l0 r0)
  let depth = n - row0
  let (_, _, count) =
    loop (st, d, count) = (st, 0i32, 0i32) while d >= 0 do
      let (c, l, r, left) = st[d]
      in if left == 0 then (st, d - 1, count)
         else let bit = left & (-left)
              let st[d] = (c, l, r, left ^ bit)
              in if d + 1 == depth then (st, d, count + 1)
                 else let c' = c | bit
                      let l' = (l | bit) << 1
                      let r' = (r | bit) >> 1
                      let st[d + 1] = (c', l', r', free c' l' r')
                      in (st, d + 1, count)
  in count

entry main (n: i32) : (i64, []i32) =
  let m = i64.i32 n
  let one t =
    let place (ok, c, l, r) k =
      let bit = 1u32 << u32.i64 k
      in (ok && (c | l | r) & bit == 0, c | bit, (l | bit) << 1, (r | bit) >> 1)
    let (ok, c, l, r) = place (place (place (true, 0u32, 0u32, 0u32) (t / (m * m))) (t / m % m)) (t % m)
    in if ok then search n 3 c l r else 0
  let counts = tabulate (m * m * m) one
  let by_first = map (\i -> i32.sum (counts[i * m * m:(i + 1) * m * m])) (iota m)
  in (i64.sum (map i64.i32 counts), by_first)
