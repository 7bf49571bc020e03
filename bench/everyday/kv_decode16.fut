-- One decoding step of grouped-query attention over a cache in half precision: chunks with their own maximum and sum, merged afterwards (flash decoding).
type part [d] = (f32, f32, [d]f32)

def chunk [t] [d] (from: i64) (valid: i64) (scale: f32) (ks: [t][d]f16) (vs: [t][d]f16) (q: [d]f32) : part [d] =
  let score =
    map2 (\i k ->
            if from + i >= valid then -1e30
            else scale * f32.sum (map2 (\a b -> a * f32.f16 b) q k))
         (iota t) ks
  let m = f32.maximum score
  let p = map (\s -> if s <= -1e29 then 0 else f32.exp (s - m)) score
  let acc = map (\col -> f32.sum (map2 (\w v -> w * f32.f16 v) p col)) (transpose vs)
  in (m, f32.sum p, acc)

def merge [c] [d] (parts: [c](part [d])) : [d]f32 =
  let m = f32.maximum (map (.0) parts)
  let w = map (\(a, _, _) -> f32.exp (f32.max (-80) (a - m))) parts
  let l = f32.sum (map2 (\w (_, s, _) -> w * s) w parts)
  in tabulate d (\j -> f32.sum (map2 (\w (_, _, v) -> w * v[j]) w parts) / l)

entry main [b] [g] [c] [t] [d] [r] (ks: [b][g][c][t][d]f16) (vs: [b][g][c][t][d]f16) (lens: [b]i32) (qs: [b][g][r][d]f32)
    : ([b][g][r][d]f16, [b]i64) =
  let scale = 1 / f32.sqrt (f32.i64 d)
  let valid = map (\l -> 1 + i64.i32 (l & 0x7fffffff) % (c * t)) lens
  let out =
    map4 (\kb vb n qb ->
            map3 (\kg vg qg ->
                    map (\q ->
                           let parts = map3 (\i k v -> chunk (i * t) n scale k v (map (\x -> 4 * x - 2) q)) (iota c) kg vg
                           in map f16.f32 (merge parts))
                        qg)
                 kb vb qb)
         ks vs valid qs
  in (out, valid)
