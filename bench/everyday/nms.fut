-- Suppression of overlapping boxes, best first (already sorted).
entry main [n] (t: f32) (boxes: [n][4]f32) : i64 =
  let boxes = map (\b -> [b[0]*100, b[1]*100, b[0]*100+5+b[2]*20, b[1]*100+5+b[3]*20]) boxes
  let area b = (b[2]-b[0])*(b[3]-b[1]) : f32
  let keep = loop keep = replicate n true for i < n do
    if !keep[i] then keep else
    let a = boxes[i]
    in map3 (\j k b -> if j <= i || !k then k else
        let iw = f32.max 0 (f32.min a[2] b[2] - f32.max a[0] b[0]) let ih = f32.max 0 (f32.min a[3] b[3] - f32.max a[1] b[1])
        in iw*ih/(area a + area b - iw*ih) < t) (iota n) keep boxes
  in i64.sum (map i64.bool keep)
