-- ArcFace: cosine logits of normalised embeddings and class weights, angular margin on the true class, gradients of both by vjp.
def normalise [d] (v: [d]f32) : [d]f32 =
  let n = f32.sqrt (f32.sum (map (\x -> x * x) v) + 1e-6)
  in map (/ n) v

def centre [n][d] (a: [n][d]f32) : [n][d]f32 = map (map (\v -> v - 0.5)) a

def margin_logit (cosm: f32) (sinm: f32) (cos: f32) : f32 =
  let c = f32.max (-0.999) (f32.min 0.999 cos)
  in c * cosm - f32.sqrt (1 - c * c) * sinm

def main [b][c][d] (scale: f32) (margin: f32) (emb: [b][d]f32) (weights: [c][d]f32) (labels: [b]u16) =
  let label = map (\l -> i64.u16 l % c) labels
  let s = 4 + 28 * scale
  let (cm, sm) = (f32.cos margin, f32.sin margin)
  let cosines (e: [b][d]f32) (w: [c][d]f32) : [b][c]f32 =
    let en = map normalise e
    let wn = map normalise w
    in map (\r -> map (\q -> f32.sum (map2 (*) r q)) wn) en
  let loss (e, w) =
    let logit = map2 (\row l -> map2 (\v j -> s * (if j == l then margin_logit cm sm v else v)) row (iota c))
                     (cosines e w) label
    let nll row l =
      let top = f32.maximum row
      in top + f32.log (f32.sum (map (\v -> f32.exp (v - top)) row)) - row[l]
    in f32.sum (map2 nll logit label) / f32.i64 b
  let (e0, w0) = (centre emb, centre weights)
  let (ge, gw) = vjp loss (e0, w0) 1
  let own = map2 (\row l -> row[l]) (cosines e0 w0) label
  in (loss (e0, w0), ge, gw, own)
