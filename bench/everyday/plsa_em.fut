-- Probabilistic latent semantic analysis by expectation maximisation on a dense table of word counts: topics' words, documents' topics, log likelihood of each round.
def normalise [n] (xs: [n]f32) : [n]f32 =
  let t = reduce (+) 1e-12 xs
  in map (/ t) xs

entry main [d] [w] [k] (rounds: i64) (counts: [d][w]u8) (words0: [k][w]f32) (topics0: [d][k]f32)
    : ([k][w]f32, [d][k]f32, [rounds]f32) =
  let n = map (map (\c -> if c < 128 then 0 else f32.u8 (c & 15))) counts
  let total = f32.sum (map f32.sum n) + 1e-6
  let shape [a] [b] (m: [a][b]f32) = map (map (+ 0.5)) m
  in loop (words, topics, logs) =
       (map normalise (shape words0), map normalise (shape topics0), replicate rounds 0)
     for r < rounds do
       -- mix[d][w] = sum over topics
       let mix = map (\t -> map (\wt -> f32.sum (map2 (*) t wt)) (transpose words)) topics
       let ratio = map2 (map2 (\c m -> c / (m + 1e-12))) n mix
       let words' =
         map2 (\z word ->
                 normalise (map2 (\col p -> p * f32.sum (map2 (\q t -> q * t[z]) col topics)) (transpose ratio) word))
              (iota k) words
       let topics' =
         map2 (\row t -> normalise (map2 (\word p -> p * f32.sum (map2 (*) row word)) words t)) ratio topics
       let ll = f32.sum (map f32.sum (map2 (map2 (\c m -> c * f32.log (m + 1e-12))) n mix))
       in (words', topics', logs with [r] = ll / total)
