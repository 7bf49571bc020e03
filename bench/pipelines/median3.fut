-- Median of 3x3 pixels of 8 bits; past the border the nearest pixel is read.
import "image"

def sort2 (a: u8) (b: u8) : (u8, u8) = (u8.min a b, u8.max a b)

def sort3 (a: u8) (b: u8) (c: u8) : (u8, u8, u8) =
  let (a, b) = sort2 a b
  let (b, c) = sort2 b c
  let (a, b) = sort2 a b
  in (a, b, c)

entry main [h] [w] (img: [h][w]u8) : [h][w]u8 =
  tabulate_2d h w (\y x ->
    let row dy = sort3 (clamped img (y + dy) (x - 1)) (clamped img (y + dy) x) (clamped img (y + dy) (x + 1))
    let (a0, b0, c0) = row (-1)
    let (a1, b1, c1) = row 0
    let (a2, b2, c2) = row 1
    let (_, median, _) = sort3 (u8.max a0 (u8.max a1 a2)) (sort3 b0 b1 b2).1 (u8.min c0 (u8.min c1 c2))
    in median)
