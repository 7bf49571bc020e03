-- Numbers of a text, separated by what is no digit: found, and added up.
def main [n] (text: [n]u8) : ([]i32, i64) =
  let digit c = let k = c % 16 in k < 10
  let flags = map (\i -> digit text[i] && (i == 0 || !(digit text[i-1]))) (iota n)
  let vals = map (\c -> if digit c then (i32.u8 (c % 16), 10i32) else (0, 1)) text
  let op (f1, (v1, m1)) (f2, (v2, m2)) = if f2 then (true, (v2, m2)) else (f1, (v1 * m2 + v2, m1 * m2))
  let sc = scan op (false, (0, 1)) (zip flags vals)
  let ends = map (\i -> digit text[i] && (i == n-1 || !(digit text[i+1]))) (iota n)
  let nums = map (\(_, (_, (v, _))) -> v) (filter (.0) (zip ends sc))
  in (nums, i64.sum (map i64.i32 nums))
