-- Names that mean something in C, CUDA or the runtime, and names with primes.
-- ==
-- entry: int
-- input { [1, 2] 3 } output { [7, 9] }

-- ==
-- entry: blockIdx'
-- input { [1, 2] } output { [3, 6] }

def float (x: i32) : i32 = x + 1

def int64_t (x: i32) : i32 = float x * 2

entry int (double: []i32) (static: i32) : []i32 = map (\threadIdx -> let long' = int64_t threadIdx in long' + static) double

entry blockIdx' (NULL: []i32) : []i32 = map (\x' -> let x'' = x' * 2 in x'' + x') NULL
