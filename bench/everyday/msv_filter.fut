-- HMMER-like MSV filter: best ungapped multi-hit score of protein sequences against a profile in saturating 8-bit arithmetic.
def sat_add (a: u8) (b: u8) : u8 = let s = a + b in if s < a then 255 else s
def sat_sub (a: u8) (b: u8) : u8 = if a > b then a - b else 0

def main [n] [l] [m] (profile: [m][20]u8) (lens: [n]u8) (seqs: [n][l]u8) : ([n]u8, [16]i32) =
  let bias = 12u8
  let base = 100u8
  -- a cheap score now and then, mostly penalties around the bias
  let cost = map (map (\c -> if c > 235 then c % 8 else 9 + c % 9)) profile
  let score (len: u8) (s: [l]u8) : u8 =
    let stop = 1 + i64.u8 len % l
    let (_, best, _) =
      loop (dp, xj, xb) = (replicate m 0u8, 0u8, base - 20) for i < stop do
        let aa = i64.u8 (s[i] % 20)
        let (dp, xe) =
          loop (dp, xe) = (dp, 0u8) for t < m do
            let k = m - 1 - t
            let diag = if k == 0 then 0 else dp[k - 1]
            let v = sat_sub (sat_add (u8.max diag xb) bias) cost[k, aa]
            in (dp with [k] = v, u8.max xe v)
        let xj = u8.max xj (sat_sub xe 6)
        in (dp, xj, u8.max (base - 20) (sat_sub xj 25))
    in best
  let scores = map2 score lens seqs
  in (scores, hist (+) 0 16 (map (\s -> i64.u8 (s >> 4)) scores) (replicate n 1))
