-- Longest palindromic subsequence of a batch of strings: wavefront over substring lengths, keeping the last two fronts.
def main [b][n] (letters: u8) (text: [b][n]u8) : ([b]i16, [b][]i16) =
  let s = map (map (\c -> c % letters)) text
  let m = n + 1
  let empty = replicate b (replicate m 0i16)
  let single = replicate b (tabulate m (\i -> i16.bool (i < n)))
  let (_, last) =
    loop (p2, p1) = (empty, single) for len in 2..<i64.max 2 m do
      let next = map3 (\t q2 q1 ->
        tabulate m (\i ->
          let j = i + len - 1
          in if j >= n then 0
             else if t[i] == t[j] then q2[i + 1] + 2
             else i16.max q1[i] q1[i + 1])) s p2 p1
      in (p1, next)
  let profile = map (\t -> tabulate 26 (\c -> i16.i64 (i64.sum (map (\x -> i64.bool (i64.u8 x == c)) t)))) s
  in (map (\r -> r[0]) last, profile)
