-- Connectionist temporal classification: the log-likelihood of labels for a batch, states in parallel.
def lse (a: f32) (b: f32) : f32 = let m = f32.max a b in if m == -f32.inf then m else m + f32.log (f32.exp (a-m) + f32.exp (b-m))
def main [b][t][c][l] (logp: [b][t][c]f32) (labels: [b][l]i32) : [b]f32 =
  let s = 2*l + 1
  in map2 (\lp lab ->
    let sym i = if i % 2 == 0 then 0 else 1 + i64.i32 lab[i/2] % (c - 1)
    let a0 = map (\i -> if i < 2 then lp[0, sym i] else -f32.inf) (iota s)
    let a = loop a = a0 for k < t - 1 do
      map (\i ->
        let x = a[i]
        let x = if i > 0 then lse x a[i-1] else x
        let x = if i > 1 && i % 2 == 1 && sym i != sym (i-2) then lse x a[i-2] else x
        in x + lp[k+1, sym i]) (iota s)
    in lse a[s-1] a[s-2]) logp labels
