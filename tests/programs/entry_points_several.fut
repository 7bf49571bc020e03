-- Several entry points that share functions and constants.
-- ==
-- entry: increment
-- input { [1, 2] } output { [8, 9] }

-- ==
-- entry: scale
-- input { 3 [1, 2] } output { [24, 27] }

-- ==
-- entry: main
-- input { } output { 7 }

def shared : i32 = 7

entry increment (xs: []i32) : []i32 = map (+ shared) xs

entry scale (k: i32) (xs: []i32) : []i32 = map (* k) (increment xs)

entry main : i32 = shared
