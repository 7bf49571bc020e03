-- Selective state space layer: input-dependent decay, state per channel by an associative scan over time, gated read-out.
type pair = {a: f32, b: f32}
def compose (p: pair) (q: pair) : pair = {a = p.a * q.a, b = q.a * p.b + q.b}

def softplus (x: f32) = f32.log (1 + f32.exp x)
def silu (x: f32) = x / (1 + f32.exp (-x))

def channel [t][s] (log_a: [s]f32) (skip: f32) (dt: [t]f32) (bs: [t][s]f32) (cs: [t][s]f32) (x: [t]f32) (gate: [t]f32) : [t]f32 =
  let states =
    map2 (\la bcol ->
            let elems = map3 (\d b u -> {a = f32.exp (-d * f32.exp la), b = d * b * u}) dt bcol x
            in map (.b) (scan compose {a = 1, b = 0} elems))
         log_a (transpose bs)
  in map4 (\h c u g -> silu g * (skip * u + f32.sum (map2 (*) h c))) (transpose states) cs x gate

entry main [t][c][s] (log_a: [c][s]f32) (skip: [c]f32) (dt: [c][t]f32) (bs: [t][s]f32) (cs: [t][s]f32)
                     (x: [c][t]f32) (gate: [c][t]f32) : [c][t]f32 =
  map5 (\la k d u g -> channel la k (map (\v -> softplus (v - 2)) d) bs cs u g) log_a skip dt x gate
