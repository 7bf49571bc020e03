-- Causal linear attention with feature map elu+1, done chunk by chunk with a running key-value state.
def phi (x: f32) = if x > 0 then x + 1 else f32.exp x

def head [t][d] (chunk: i64) (nc: i64) (q: [t][d]f32) (k: [t][d]f32) (v: [t][d]f32) : [t][d]f32 =
  let cut (a: [t][d]f32) = tabulate_3d nc chunk d (\c i j -> a[c * chunk + i, j])
  let qc = map (map (map phi)) (cut q)
  let kc = map (map (map phi)) (cut k)
  let vc = cut v
  let state ks vs = map (\kcol -> map (\vcol -> f32.sum (map2 (*) kcol vcol)) (transpose vs)) (transpose ks)
  let kv = map2 state kc vc
  let ksum = map (\ks -> map f32.sum (transpose ks)) kc
  let before c s = if c == 0 then map (map (const 0)) s[0] else s[c - 1]
  let kvs = scan (map2 (map2 (+))) (replicate d (replicate d 0)) kv
  let kss = scan (map2 (+)) (replicate d 0) ksum
  let one c qs ks vs =
    let s = before c kvs
    let z = if c == 0 then replicate d 0 else kss[c - 1]
    in map2 (\i qi ->
               let a = map2 (\j kj -> if j <= i then f32.sum (map2 (*) qi kj) else 0) (iota chunk) ks
               let den = f32.sum a + f32.sum (map2 (*) qi z) + 1e-6
               in map2 (\scol vcol -> (f32.sum (map2 (*) qi scol) + f32.sum (map2 (*) a vcol)) / den) (transpose s) (transpose vs))
            (iota chunk) qs
  let out = map4 one (iota nc) qc kc vc
  in tabulate t (\i -> if i < nc * chunk then out[i / chunk, i % chunk] else replicate d 0)

entry main [b][t][d] (chunk: i64) (q: [b][t][d]f32) (k: [b][t][d]f32) (v: [b][t][d]f32) : [b][t][d]f32 =
  let nc = t / chunk
  in map3 (head chunk nc) (map (map (map (\x -> x - 0.5))) q) (map (map (map (\x -> x - 0.5))) k) v
