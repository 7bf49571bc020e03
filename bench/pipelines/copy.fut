-- What the device's memory gives: each element read once and written once.
entry main [h] [w] (img: [h][w]f32) : [h][w]f32 = map (map f32.neg) img
