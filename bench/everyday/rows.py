"""The rows that are measured (as bench/suite/rows.py has them): each program with large data and small, of Futhark's random numbers.
"""
M = 1_000_000
ROWS = []
f = 'f32'


def r(*values):
    return ("rnd", *values)


def v(type_name, *shape):
    return (type_name, shape)


def d(*values):
    return ("drawn", *values)


def within(type_name, lowest, highest, *shape):
    return (type_name, lowest, highest, shape)


def ordered(type_name, lowest, highest, *shape):
    return (type_name, lowest, highest, shape, 'sorted')


def add(name, label, large, small):
    ROWS.append((name, [('main', label, large, small)]))


def both(name, label, make, large, small):
    add(name, label, make(*large), make(*small))


def image(name, make, large=(4096, 4096), small=(45, 37)):
    both(name, '%dx%d' % large, make, large, small)


image('guided', lambda h, w: r(0.01, v(f, h, w), v(f, h, w)))
image('dog', lambda h, w: r(v('u8', h, w)))
image('morph', lambda h, w: r(v('u8', h, w)))
image('gray_scott', lambda h, w: r(50, 0.04, 0.06, v(f, h, w), v(f, h, w)), (2048, 2048))
image('wave', lambda h, w: r(50, 0.2, v(f, h, w), v(f, h, w)), (2048, 2048))
image('fdtd', lambda h, w: r(v(f, 50), v(f, h, w), v(f, h, w), v(f, h, w)), (2048, 2048))
image('lbm', lambda h, w: r(20, 1.2, v(f, 9, h, w)), (1024, 2048))
image('perona', lambda h, w: r(20, 0.3, v(f, h, w)), (2048, 2048))
image('equalize', lambda h, w: r(v('u8', h, w)))
image('integral', lambda h, w: r(7, v(f, h, w)))
image('kuwahara', lambda h, w: r(v(f, h, w)))
image('lucas', lambda h, w: r(v(f, h, w), v(f, h, w)), (2048, 2048))
image('tonemap', lambda h, w: r(0.18, v(f, h, w, 3)), (2048, 2048))
image('pyrdown', lambda h, w: r(v(f, h, w)), (4096, 4096), (48, 40))
image('bicubic', lambda h, w: r(2*h+1, 2*w+3, v(f, h, w)), (1080, 1920))
image('rotate_img', lambda h, w: r(0.3, v(f, h, w)))
image('seam', lambda h, w: r(v(f, h, w)), (1080, 1920))
image('life', lambda h, w: r(50, v('u8', h, w)), (2048, 2048))
image('burgers', lambda h, w: r(50, 0.1, v(f, h, w), v(f, h, w)), (2048, 2048))
image('tv', lambda h, w: r(30, 0.5, v(f, h, w)), (2048, 2048))
image('labels', lambda h, w: r(v('u8', h, w)), (512, 512))
image('softmax', lambda h, w: r(v(f, h, w)), (8192, 1024))
image('layernorm', lambda h, w: r(v(f, w), v(f, w), v(f, h, w)), (16384, 768))
add('attention', '12x512x64', r(v(f, 12, 512, 64), v(f, 12, 512, 64), v(f, 12, 512, 64)), r(v(f, 2, 7, 5), v(f, 2, 7, 5), v(f, 2, 7, 5)))
add('depthwise', '64 of 112x112 to 128', r(v(f, 64, 112, 112), v(f, 64, 3, 3), v(f, 128, 64), v(f, 128)), r(v(f, 3, 9, 8), v(f, 3, 3, 3), v(f, 5, 3), v(f, 5)))
add('dilated', '64->64 128x128', r(v(f, 64, 128, 128), v(f, 64, 64, 3, 3)), r(v(f, 3, 9, 11), v(f, 4, 3, 3, 3)))
add('conv1d', '16 of 64x4096 to 128 by 9', r(v(f, 16, 64, 4096), v(f, 128, 64, 9)), r(v(f, 2, 3, 20), v(f, 4, 3, 5)))
add('conv3d', '256x256x256', r(v(f, 256, 256, 256), v(f, 3, 3, 3)), r(v(f, 7, 8, 9), v(f, 3, 3, 3)))
add('convt', '128 of 64x64 to 64', r(v(f, 128, 64, 64), v(f, 128, 64, 4, 4)), r(v(f, 3, 5, 6), v(f, 3, 2, 4, 4)))
add('batchnorm', '32x64x56x56', r(1e-5, v(f, 32, 64, 56, 56)), r(1e-5, v(f, 3, 4, 5, 6)))
add('maxpool', '32x64x112x112', r(v(f, 32, 64, 112, 112)), r(v(f, 2, 3, 8, 6)))
add('mlp', '4096: 784-512-256-10', r(v(f, 4096, 784), v(f, 512, 784), v(f, 512), v(f, 256, 512), v(f, 256), v(f, 10, 256), v(f, 10)),
    r(v(f, 9, 8), v(f, 7, 8), v(f, 7), v(f, 6, 7), v(f, 6), v(f, 5, 6), v(f, 5)))
add('spmv', '20M in 1M', r(v('i32', 20*M), v('i32', 20*M), v(f, 20*M), v(f, M)), r(v('i32', 300), v('i32', 300), v(f, 300), v(f, 40)))
image('floyd', lambda h, w: r(v(f, h, w)), (1024, 1024), (31, 31))
add('knapsack', '200 of 1M', r(M, v('u8', 200), v('u8', 200)), r(300, v('u8', 9), v('u8', 9)))
add('smith', '8192', r(v('u8', 8192), v('u8', 8192)), r(v('u8', 40), v('u8', 40)))
add('kmeans', '200K x 16, 32', r(32, 10, v(f, 200000, 16)), r(4, 3, v(f, 90, 3)))
image('cg', lambda h, w: r(30, v('f64', h, w)), (1024, 1024))
add('montecarlo', '1M x 64', r(M, 64), r(300, 7))
add('match', '64M, 16', r(v('u8', 64*M), v('u8', 16)), r(v('u8', 3000), v('u8', 3)))
add('compact', '32M', r(0.5, v(f, 32*M)), r(0.5, v(f, 700)))
add('lev', '100K x 32', r(v('u8', 100000, 32), v('u8', 100000, 32)), r(v('u8', 30, 9), v('u8', 30, 9)))
add('gauss_elim', '1024', r(v(f, 1024, 1024), v(f, 1024)), r(v(f, 23, 23), v(f, 23)))
add('power', '4096', r(50, v(f, 4096, 4096)), r(5, v(f, 33, 33)))
add('heat3', '256^3', r(20, v(f, 256, 256, 256), v(f, 256, 256, 256)), r(5, v(f, 9, 11, 10), v(f, 9, 11, 10)))
add('mandel', '2048x2048', r(2048, 2048, 256), r(33, 45, 50))
add('covariance', '4096x512', r(v(f, 4096, 512)), r(v(f, 41, 23)))
image('median', lambda h, w: r(v('u8', h, w)), (2048, 2048))
image('harris_st', lambda h, w: r(v('u8', h, w)))
add('sort_rows', '20000 x 128', r(v('i32', 20000, 128)), r(v('i32', 20, 13)))
image('dist', lambda h, w: r(v('u8', h, w)), (2048, 2048))
both('logreg', '200000 x 64', lambda n, d: r(20, 0.1, v(f, n, d), v(f, n)), (200000, 64), (50, 5))
both('pairdist', '4096x4096x64', lambda n, m, d: r(v(f, n, d), v(f, m, d)), (4096, 4096, 64), (9, 8, 5))
both('cosine', '4096x256', lambda n, d: r(v(f, n, d)), (4096, 256), (9, 5))
both('knn', '8192 of 8192 x 8', lambda n, m, d: r(v(f, n, d), v(f, m, d)), (8192, 8192, 8), (9, 20, 3))
both('thomas', '65536 x 128', lambda n, m: r(*[v(f, n, m)]*4), (65536, 128), (9, 12))
both('cholesky', '1024', lambda n: r(v(f, n, n)), (1024,), (13,))
both('gram_schmidt', '4096x256', lambda n, m: r(v(f, n, m)), (4096, 256), (15, 6))
both('fft1d', '4096 of 1024', lambda n, b: r(b, v(f, n, 1 << b)), (4096, 10), (3, 4))
both('dct', '4096x4096', lambda h, w: r(10.0, v('u8', h, w)), (4096, 4096), (19, 25))
both('haar', '8192x1024', lambda n, m: r(6, v(f, n, m)), (8192, 1024), (5, 64))
both('rle', '32M', lambda n: r(v('u8', n)), (32*M,), (777,))
both('topk', '20000x1000', lambda n, m: r(v(f, n, m)), (20000, 1000), (7, 31))
both('movavg', '16M', lambda n: r(100, v('f64', n)), (16*M,), (400,))
both('hist2d', '32M in 256x256', lambda n, b: r(b, v(f, n), v(f, n)), (32*M, 256), (700, 9))
both('hough', '1024x1024, 180x1024', lambda h, w: r(180, 1024, v('u8', h, w)), (1024, 1024), (20, 30))
both('sieve', '4M', lambda n: r(n), (4*M,), (1000,))
both('collatz', '4M', lambda n: r(n), (4*M,), (1000,))
both('hashing', '1M x 64', lambda n, m: r(v('u8', n, m)), (M, 64), (20, 9))
both('wordcount', '64M', lambda n: r(v('u8', n)), (64*M,), (900,))
both('lcs', '4096', lambda n: r(v('u8', n), v('u8', n)), (4096,), (60,))
both('viterbi', '512 x 256', lambda t, s: r(v('u8', t), v(f, s, s), v(f, s, 16)), (512, 256), (20, 9))
both('swe', '2048x2048', lambda h, w: r(50, *[v(f, h, w)]*3), (2048, 2048), (19, 23))
both('project', '2048x2048', lambda h, w: r(20, v(f, h, w), v(f, h, w)), (2048, 2048), (19, 23))
both('multigrid', '4096x4096', lambda h, w: r(v(f, h, w)), (4096, 4096), (18, 22))
both('kalman', '65536 x 64', lambda n, t: r(v(f, n, t)), (65536, 64), (20, 9))
both('binomial', '16384 x 256', lambda n, t: r(t, v(f, n), v(f, n)), (16384, 256), (20, 9))
both('eig3', '8M', lambda n: r(v(f, n, 6)), (8*M,), (77,))
both('gru', '32 x 64, 256', lambda t, b, i, h: r(v(f, t, b, i), v(f, h, i), v(f, h, h), v(f, h, i), v(f, h, h), v(f, h, i), v(f, h, h)), (32, 64, 128, 256), (3, 4, 5, 6))
both('embed', '65536 x 32 of 50000x128', lambda n, l, V, d: r(v('i32', n, l), v(f, V, d)), (65536, 32, 50000, 128), (9, 4, 30, 8))
both('conv_s2', '16 64->128 56x56', lambda n, c, h, w, o: r(v(f, n, c, h, w), v(f, o, c, 3, 3), v(f, o)), (16, 64, 57, 57, 128), (2, 3, 9, 11, 4))
both('pool3', '32x64x112x112', lambda n, c, h, w: r(v(f, n, c, h, w)), (32, 64, 112, 112), (2, 3, 9, 8))
both('resblock', '8 x 64 56x56', lambda n, c, h, w: r(v(f, n, c, h, w), v(f, c, c, 3, 3), v(f, c), v(f, c, c, 3, 3), v(f, c)), (8, 64, 56, 56), (2, 3, 9, 8))
both('adam', '32M', lambda n: r(3.0, *[v(f, n)]*4), (32*M,), (99,))
both('axis0', '100000x256', lambda n, m: r(v(f, n, m)), (100000, 256), (31, 7))
both('crossent', '65536x1000', lambda n, k: r(v(f, n, k), v('i32', n)), (65536, 1000), (9, 12))
both('chansoft', '16x21x256x256', lambda n, c, h, w: r(v(f, n, c, h, w)), (16, 21, 256, 256), (2, 3, 5, 7))
both('minmax', '64M', lambda n: r(v(f, n)), (64*M,), (999,))
both('julia', '2048x2048', lambda h, w: r(h, w, -0.7, 0.27), (2048, 2048), (33, 31))
both('perlin', '2048x2048', lambda h, w: r(h, w, 6), (2048, 2048), (33, 31))
both('raysphere', '1024x1024, 100', lambda h, w, s: r(h, w, v(f, s, 4)), (1024, 1024, 100), (13, 17, 9))
both('transp3', '32x64x112x112', lambda n, c, h, w: r(v(f, n, c, h, w)), (32, 64, 112, 112), (2, 3, 5, 7))
both('bitlife', '4096x256', lambda h, w: r(100, v('u32', h, w)), (4096, 256), (19, 6))
both('ridge', '100000x64', lambda n, d: r(1.0, v('f64', n, d), v('f64', n)), (100000, 64), (40, 5))
both('gmm_em', '200000x8, 16', lambda n, d, k: r(v(f, n, d), v(f, k, d), v(f, k, d), v(f, k)), (200000, 8, 16), (50, 3, 4))
both('boruvka_like', '1M, 2M edges', lambda n, m: r(n, v('i32', m), v('i32', m)), (M, 2*M), (50, 60))
both('triangles', '2048', lambda n: r(v('u8', n, n)), (2048,), (30,))
both('sph', '16384', lambda n: r(0.1, v(f, n), v(f, n), v(f, n)), (16384,), (50,))
both('rule110', '4M, 100', lambda n: r(100, v('u8', n)), (4*M,), (77,))
image('sandpile', lambda h, w: r(v('i32', h, w)), (1024, 1024))
both('raymarch', '1080x1920', lambda h, w: r(h, w), (1080, 1920), (20, 30))
both('normals', '200K, 400K faces', lambda n, m: r(v(f, n, 3), v('i32', m, 3)), (200000, 400000), (30, 60))
both('morton', '8M', lambda n: r(v(f, n, 3)), (8*M,), (99,))
both('chacha', '2M blocks', lambda n: r(n, v('u32', 8)), (2*M,), (33,))
both('sobol_pi', '64M', lambda n: r(n), (64*M,), (1000,))
both('bootstrap', '4096 of 8192', lambda b, n: r(b, v(f, n)), (4096, 8192), (20, 30))
both('dtw', '16384 of 64', lambda p, n: r(v(f, p, n), v(f, p, n)), (16384, 64), (20, 9))
both('nms', '4096', lambda n: r(0.3, v(f, n, 4)), (4096,), (60,))
both('transformer', '512 x 256, 8, 1024', lambda n, d, h, k: r(h, v(f, n, d), *[v(f, d, d)]*4, v(f, d, k), v(f, k, d)), (512, 256, 8, 1024), (5, 8, 2, 7))
both('lstm_seq', '64 x 32, 128', lambda t, b, i, h: r(v(f, t, b, i), v(f, 4*h, i), v(f, 4*h, h), v(f, 4*h)), (64, 32, 128, 128), (3, 4, 5, 6))
both('unet_up', '64+32->32 64x64', lambda c, d, h, w, o: r(v(f, c, h, w), v(f, d, 2*h, 2*w), v(f, o, c+d, 3, 3)), (64, 32, 64, 64, 32), (3, 2, 5, 4, 3))
both('quantile', '100000x64', lambda n, m: r(v(f, n, m)), (100000, 64), (31, 5))
both('segmax', '16M', lambda n: r(v('u8', n), v('i32', n)), (16*M,), (333,))
both('partition3', '32M', lambda n: r(v('i32', n)), (32*M,), (333,))
both('strassen1', '1024', lambda n: r(v(f, n, n), v(f, n, n)), (1024,), (14,))
both('jacobi_eig', '16384 of 6x6', lambda b, n: r(6, v(f, b, n, n)), (16384, 6), (20, 4))
both('blackscholes_greeks', '4M', lambda n: r(v('f64', n), v('f64', n), v('f64', n)), (4*M,), (99,))
both('stencil25', '256^3', lambda d, h, w: r(10, v(f, d, h, w), v(f, d, h, w)), (256, 256, 256), (11, 10, 13))
image('advect', lambda h, w: r(10, v(f, h, w), v(f, h, w), v(f, h, w)), (2048, 2048))
both('bilateral_rgb', '2048x2048', lambda h, w: r(v('u8', h, w, 3)), (2048, 2048), (20, 31))
image('canny_like', lambda h, w: r(v('u8', h, w)))
both('f16_axpy', '8192x4096', lambda n, m: r(v('f16', n, m), v('f16', m)), (8192, 4096), (9, 17))
both('concat_rows', '4096x4096', lambda n, m: r(v(f, n, m), v(f, n, m)), (4096, 4096), (9, 16))
both('matchain', '256', lambda n: r(v('u8', n)), (256,), (20,))
both('suffix', '256K', lambda n: r(v('u8', n)), (250000,), (60,))

# The fourth lot.
image('rgb_sobel', lambda h, w: r(v('u8', h, w, 3)))
both('pagerank_edges', '8M in 1M', lambda n, m: r(n, 20, v('i32', m), v('i32', m)), (M, 8*M), (37, 210))
both('dfa', '16M', lambda n: r(v('u8', n)), (16*M,), (1013,))
both('biquad', '16384x2048', lambda c, n: r(0.2, 0.3, 0.1, 0.5, 0.3, v(f, c, n)), (16384, 2048), (7, 50))
both('recurrence', '8M', lambda n: r(v(f, n)), (8*M,), (777,))
both('point_in_polygon', '1M, 500', lambda n, m: r(v(f, n), v(f, n), v(f, m), v(f, m)), (M, 500), (99, 13))
both('bellman_ford', '4M in 500K', lambda n, m: r(n, v('i32', m), v('i32', m), v('u8', m)), (500_000, 4*M), (37, 150))
both('hmm_forward', '256x200x32', lambda b, t, s, o: r(v(f, s, s), v(f, s, o), v('i32', b, t)), (256, 200, 32, 64), (3, 9, 5, 4))
image('stable_fluid', lambda h, w: r(5, 0.5, v(f, h, w), v(f, h, w), v(f, h, w)), (2048, 2048))
image('distance_transform', lambda h, w: r(v('u8', h, w)), (2048, 2048))
image('clahe', lambda h, w: r(v('u8', h, w)), (4096, 4096), (145, 137))
image('yuv', lambda h, w: r(v('u8', h, w, 3)), (4096, 4096), (46, 38))
image('oil', lambda h, w: r(v('u8', h, w)), (2048, 2048))
both('jump_flood', '1024x1024', lambda n, s: r(s, v('i32', n), v('i32', n)), (1000, 1024), (9, 33))
both('groupby', '32M by 1000', lambda k, n: r(k, v('i32', n), v(f, n)), (1000, 32*M), (7, 333))
both('radix_pairs', '4M', lambda n: r(v('u32', n)), (4*M,), (501,))
both('bitonic', '1M', lambda k: r(k, v(f, 2**k)), (20,), (6,))
image('welford', lambda h, w: r(v(f, h, w)))
both('causal', '8x512x64', lambda b, t, d: r(v(f, b, t, d), v(f, b, t, d), v(f, b, t, d)), (8, 512, 64), (2, 9, 5))
both('rmsnorm_rope', '16x1024x512', lambda b, t, d: r(v(f, b, t, d), v(f, d)), (16, 1024, 512), (2, 9, 6))
both('mlp_grad', '4096x256x512', lambda n, i, h: r(v(f, n, i), v(f, n), v(f, h, i), v(f, h)), (4096, 256, 512), (9, 5, 7))
both('conv_grad', '32->64 128x128', lambda a, b, h, w: r(v(f, a, h+2, w+2), v(f, b, h, w), v(f, b, a, 3, 3)), (32, 64, 128, 128), (3, 2, 9, 7))
both('embed_grad', '65536x256 in 32000', lambda n, d, k: r(k, v('i32', n), v(f, n, d)), (65536, 256, 32000), (99, 6, 11))
both('dropout_gelu', '8192x2048', lambda n, d: r(7, v(f, d), v(f, n, d)), (8192, 2048), (13, 9))
add('heston', '1M x 200', r(M, 200, 1.0, 1.0), r(100, 20, 1.0, 1.0))
both('mcmc', '256K x 500', lambda n, s: r(s, v('u32', n)), (262144, 500), (37, 50))
both('hamming', '16K x 16K', lambda n, m: r(v('u32', n, 8), v('u32', m, 8)), (16384, 16384), (33, 29))
both('gauss_jordan', '4096 of 16x16', lambda b, n: r(v(f, b, n, n)), (4096, 16), (5, 7))
both('small_lu', '500K', lambda b: r(v(f, b, 6, 6)), (500_000,), (17,))
both('mat4', '2M', lambda n: r(v(f, n, 4, 4), v(f, n, 4, 4), v(f, n, 4)), (2*M,), (33,))
both('quat', '8M', lambda n: r(v(f, n, 4), v(f, n, 3)), (8*M,), (33,))
both('hadamard', '4096x1024', lambda b, k: r(k, v(f, b, 2**k)), (4096, 10), (5, 4))
both('poly', '8M, 64', lambda n, m: r(v(f, m), v(f, n), v(f, m)), (8*M, 64), (99, 7))
both('autocorr', '1M, 500', lambda l, n: r(l, v(f, n)), (500, M), (7, 210))
both('expand', '4M', lambda n: r(v('i32', n), v('u8', n)), (4*M,), (99,))
both('parse_ints', '16M', lambda n: r(v('u8', n)), (16*M,), (333,))
both('parens', '32M', lambda n: r(v('u8', n)), (32*M,), (333,))
both('base64', '48M', lambda n: r(v('u8', n)), (48*M,), (333,))
image('ising', lambda h, w: r(20, 0.4, v('i8', h, w)), (2048, 2048), (44, 36))
add('newton', '4096x4096', r(4096, 4096, 50), r(33, 29, 50))
add('buddhabrot', '4M', r(4*M, 1024, 200), r(200, 33, 30))
both('zbuffer', '16M', lambda n, h, w: r(h, w, v(f, n), v(f, n), v(f, n), v('u8', n)), (16*M, 1080, 1920), (99, 12, 9))
image('cloth', lambda h, w: r(20, 0.01, v(f, h, w), v(f, h, w), v(f, h, w)), (1024, 1024))
both('wave3', '256^3', lambda d, h, w: r(20, 0.5, v(f, d, h, w), v(f, d, h, w)), (256, 256, 256), (9, 8, 11))
image('adi', lambda h, w: r(5, 0.5, v(f, h, w)), (1024, 1024))
both('ellspmv', '1M', lambda n: r(50, v('i32', n, 16), v(f, n, 16), v(f, n)), (M,), (33,))
both('matpow', '1024, 37', lambda n: r(37, v(f, n, n)), (1024,), (7,))
both('qr', '2048x256', lambda m, n: r(v(f, m, n)), (2048, 256), (9, 5))
both('trisolve', '512, 4096', lambda n, m: r(v(f, n, n), v(f, n, m)), (512, 4096), (9, 5))
both('pivot_rows', '16M by 20', lambda k, n: r(k, v('i32', n), v('i32', n)), (20, 16*M), (5, 99))
both('cummax', '8192x2048', lambda h, n: r(v(f, h, n)), (8192, 2048), (7, 33))
both('ema', '2000x8192', lambda t, n: r(0.1, v(f, t, n)), (2000, 8192), (9, 13))
both('rank1', '512x1024', lambda h, n: r(v(f, h, n)), (512, 1024), (5, 33))
both('median_row', '4096x2048', lambda h, n: r(v(f, h, n)), (4096, 2048), (5, 33))
both('csr_bfs', '1M', lambda n: r(v('i32', n, 8)), (M,), (77,))
both('ctc', '128x200x64x40', lambda b, t, c, l: r(v(f, b, t, c), v('i32', b, l)), (128, 200, 64, 40), (3, 9, 5, 4))
both('softmax_grad', '8192x512x100', lambda n, d, k: r(v(f, n, d), v(f, k, d), v('i32', n)), (8192, 512, 100), (9, 5, 4))
both('jvp_pendulum', '1M x 100', lambda n, s: r(s, v(f, n), v(f, n)), (M, 100), (33, 10))
both('groupconv', '8 of 4x16->16 64x64', lambda b, g, a, c, h: r(v(f, b, g, a, h, h), v(f, g, c, a, 3, 3), v(f, g, c)), (8, 4, 16, 16, 66), (2, 2, 3, 2, 9))
both('pixel_shuffle', '16x64x128x128', lambda b, c, h: r(v(f, b, c, h, h)), (16, 64, 128), (2, 8, 5))
both('patches', '64 of 224x224 to 384', lambda b, h, d: r(v(f, b, 3, h, h), v(f, d, 768)), (64, 224, 384), (2, 32, 5))
image('warp_persp', lambda h, w: r(v(f, 9), v(f, h, w, 3)), (2048, 2048))
both('matting', '8x1080x1920', lambda l, h, w: r(v('u8', l, h, w, 3), v('u8', l, h, w)), (8, 1080, 1920), (3, 13, 9))
image('dither', lambda h, w: r(v('u8', h, w)), (8192, 4096))
image('boxblur_scan', lambda h, w: r(20, v(f, h, w)), (4096, 4096))
both('join_agg', '16M with 2M', lambda k, n, m: r(k, v('i32', n), v('u8', n), v('i32', n), v('bool', n), v('i32', m), v('u8', m)), (M, 2*M, 16*M), (37, 51, 333))
both('window_fn', '16M', lambda n: r(v('u8', n), v('i32', n)), (16*M,), (333,))
both('q1_groups', '16M', lambda n: r(2000, v('i32', n), v('u8', n), v('u8', n), v(f, n), v('u8', n), v('u8', n)), (16*M,), (333,))
both('dict_encode', '16M', lambda n: r(v('i32', n)), (16*M,), (333,))
both('cc_jump', '1M, 1.5M edges', lambda n, m: r(n, v('i32', m), v('i32', m)), (M, 1_500_000), (77, 70))
both('kcore', '500K, 2M edges', lambda n, k, m: r(n, k, v('i32', m), v('i32', m)), (500_000, 6, 2*M), (41, 4, 130))
both('jp_colour', '2M by 8', lambda n, d: r(n, v('i32', d)), (2*M, 4), (101, 3))
both('bsr_spmm', '100K by 16', lambda rows, k, c, p: r(v('u8', rows), v('i32', k), v('f16', k, 4, 4), v(f, c, 4, p)), (100_000, 262144, 65536, 16), (21, 50, 9, 3))
both('rk4_chain', '100K of 8, 50', lambda s, n, m: r(s, 0.05, v(f, n), v(f, n, m)), (50, 100_000, 8), (9, 33, 5))
both('batch_cg', '20000 of 24', lambda i, k, n: r(i, v(f, k, n, n), v(f, k, n)), (8, 20_000, 24), (5, 9, 7))
both('romberg', '500K', lambda l, n: r(l, v('f64', n), v('f64', n)), (5, 500_000), (4, 77))
both('implied_vol', '1M', lambda i, n: r(i, 0.03, v('f64', n), v('f64', n), v('f64', n)), (20, M), (20, 77))
both('givens_ls', '50000 of 24x5', lambda b, m, p: r(v(f, b, m, p), v(f, b, m)), (50_000, 24, 5), (9, 12, 3))
both('forest_trees', '200K x 32, 64 trees', lambda d, n, c, t: r(d, v('u8', n, c), v('i32', t, 2**d - 1), v('u8', t, 2**d - 1), v('u8', t, 2**d), v(f, t)), (8, 200_000, 32, 64), (4, 57, 7, 9))
both('naive_bayes', '500K x 32, 10', lambda c, n, d: r(c, v('u8', n, d), v('i32', n)), (10, 500_000, 32), (3, 101, 5))
both('pca_deflate', '100K x 64, 3', lambda k, i, n, d: r(k, i, v(f, n, d)), (3, 5, 100_000, 64), (2, 4, 61, 7))
both('int8_mlp', '8192: 512-512-128', lambda n, d, h, o: r(v('i8', n, d), v('i8', h, d), v('i32', h), v('i32', h), v('i8', o, h), v('i32', o), v('i32', o)), (8192, 512, 512, 128), (13, 17, 11, 5))
both('greedy_decode', '64 x 32, 2000 of 128', lambda l, w, d, b: r(l, v('i8', w, d), v('i8', d, d), v('i8', w, d), v('i32', b)), (32, 2000, 128, 64), (7, 33, 9, 5))
both('attn_pool_grad', '2048x128x64', lambda b, t, d: r(0.1, v(f, b, t, d), v(f, b), v(f, d), v(f, d)), (2048, 128, 64), (9, 7, 5))
both('adafactor', '4096x4096', lambda n, m: r(0.01, 0.9, v(f, n, m), v(f, n, m), v(f, n), v(f, m)), (4096, 4096), (31, 23))
add('asian_cv', '1M x 64', r(M, 32, 100.0, 100.0, 0.3), r(100, 5, 100.0, 100.0, 0.3))
both('prefix_code', '16M', lambda n: r(v('u8', n)), (16*M,), (1100,))
both('itoa', '4M', lambda n: r(v('i32', n)), (4*M,), (333,))
both('mtf', '16384 of 256', lambda b, n: r(v('u8', b, n)), (16384, 256), (9, 45))
both('gf2_rank', '200K', lambda b: r(v('u32', b, 32)), (200_000,), (55,))
both('merge_path', '8M + 6M', lambda n, m: r(v('i32', n), v('i32', m)), (8*M, 6*M), (333, 251))
both('hull_support', '64 of 1M', lambda k, n: r(v('i32', k), v('i32', k), v('i32', n), v('i32', n)), (64, M), (7, 201))
both('voxelize', '8M in 64^3', lambda g, n: r(g, v('i32', n), v('i32', n), v('i32', n), v('u8', n)), (64, 8*M), (7, 501))
both('md_cells', '200K in 32^3', lambda g, b, s, n: r(g, b, 0.1, s, v(f, n), v(f, n), v(f, n)), (32, 15, 3, 200_000), (4, 6, 2, 201))
both('pic1d', '4M in 1024, 10', lambda g, s, n: r(g, s, 0.05, v(f, n), v(f, n)), (1024, 10, 4*M), (17, 5, 501))
both('svd3', '2M', lambda s, n: r(s, v(f, n, 3, 3)), (5, 2*M), (5, 55))
both('nussinov', '2048 of 64', lambda b, n: r(3, v('u8', b, n)), (2048, 64), (7, 21))
both('gotoh', '512 of 400', lambda k, n: r(v('u8', k, n), v('u8', k, n)), (512, 400), (7, 29))
both('ntt', '1M', lambda b: r(b, v('i32', 2**b), v('i32', 2**b)), (20,), (6,))
both('spearman', '512 of 1024', lambda m, n: r(v('i32', m, n)), (512, 1024), (5, 33))
both('holt_winters', '50000 of 120, 6', lambda n, t, q: r(v(f, q), v(f, n, t)), (50_000, 120, 6), (9, 40, 3))
image('isp', lambda h, w: r(1, v('u16', h, w)))
both('vol_median', '256^3', lambda d, h, w: r(v('u8', d, h, w)), (256, 256, 256), (9, 11, 10))
both('lappyr', '2x3x2048x2048', lambda n, c, h, w: r(1.5, v(f, n, c, h, w)), (2, 3, 2048, 2048), (2, 2, 21, 18))
image('lift53', lambda h, w: r(4, 8, v('u8', h, w)))
both('expfuse', '4x2048x2048', lambda k, h, w: r(v('u8', k, h, w, 3)), (4, 2048, 2048), (3, 19, 22))
image('dehaze', lambda h, w: r(0.95, v('u8', h, w, 3)), (2048, 2048))
image('camera', lambda h, w: r(0.1, 0.6, 15, *[v(f, h, w)]*3), (2048, 2048))
image('reconstruct', lambda h, w: r(30, 60, 150, v('u8', h, w)), (2048, 2048))
image('gabor', lambda h, w: r(8, 6.0, v(f, h, w)), (2048, 2048), (25, 31))
both('texture', '4096x4096 by 32', lambda t, h, w: r(t, v('u8', h, w)), (32, 4096, 4096), (8, 45, 37))
both('census_stereo', '720x1280, 32', lambda d, h, w: r(d, 3, v('u8', h, w), v('u8', h, w)), (32, 720, 1280), (9, 23, 37))
image('hog', lambda h, w: r(v('u8', h, w)))
image('fast9', lambda h, w: r(20, v('u8', h, w)))
both('ncc', '16x16 in 1080x1920', lambda h, w, k, l: r(v('u8', h, w), v('u8', k, l)), (1080, 1920, 16, 16), (45, 37, 7, 6))
image('horn', lambda h, w: r(5, 0.1, v(f, h, w), v(f, h, w)), (2048, 2048), (21, 18))
both('nlmeans', '4x1024x1024', lambda n, h, w: r(0.3, v(f, n, h, w)), (4, 1024, 1024), (2, 19, 17))
image('retouch12', lambda h, w: r(4, 96, v('u8', h, w, 3)), (4096, 4096))
image('forest_fire', lambda h, w: r(50, v('u8', h, w)), (2048, 2048))
image('cyclic_ca', lambda h, w: r(5, 7, 2, v('i32', h, w)), (2048, 2048))
image('may_leonard', lambda h, w: r(50, 0.1, 0.8, 1.3, *[v(f, h, w)]*3), (2048, 2048))
both('cavity', '1024x1024, 10x20', lambda n, s, k: r(s, k, v(f, n, n), v(f, n, n)), (1024, 10, 20), (29, 5, 7))
image('sor_rb', lambda h, w: r(20, 1.6, v('f64', h, w), v('f64', h, w), v('u8', h, w)), (2048, 2048))
both('heat3_var', '256^3', lambda d, h, w: r(30, 1e-7, v(f, d, h, w), v(f, d, h, w)), (256, 256, 256), (9, 8, 11))
both('acoustic3', '192^3, 20', lambda d, h, w, n: r(0.4, v(f, d), v(f, n), v(f, d, h, w)), (192, 192, 192, 20), (11, 10, 13, 5))
both('d3q19', '96x128x128', lambda d, h, w: r(10, 1.2, 1e-3, v(f, 19, d, h, w), v('u8', d, h, w)), (96, 128, 128), (6, 7, 5))
both('kdv', '1M, 500', lambda n, b: r(b, 0.05, 0.3, v('f64', n)), (M, 50), (333, 5))
image('levelset', lambda h, w: r(40, 0.3, 0.1, v(f, h, w)), (2048, 2048))
both('cnn3', '2048 of 28x28', lambda n, c, h, w, a, b, k: r(v(f, n, c, h, w), v(f, a, c, 3, 3), v(f, a), v(f, b, a, 3, 3), v(f, b),
                                                          v(f, k, b * (((h - 2) // 2 - 2) // 2) * (((w - 2) // 2 - 2) // 2)), v(f, k)),
     (2048, 1, 28, 28, 8, 16, 10), (3, 2, 15, 14, 3, 4, 5))
both('im2col', '16 of 64->128 56x56', lambda n, c, h, w, o: r(v(f, n, c, h, w), v(f, o, c, 3, 3), v(f, o)), (16, 64, 56, 56, 128), (2, 3, 9, 7, 4))
both('winograd', '128->128 130x130', lambda c, h, w, o: r(v(f, c, h, w), v(f, o, c, 3, 3), v(f, o)), (128, 130, 130, 128), (3, 11, 10, 4))
both('dw_grad', '64 of 224x224', lambda c, h, w: r(v(f, c, h, w), v(f, c, 3, 3), v(f, c), v(f, c, h // 2, w // 2)), (64, 224, 224), (3, 9, 8))
both('wavenet', '8x32x8192, 8', lambda b, c, t, l, s: r(v(f, b, c, t), v(f, l, 2, c, c), v(f, l, 2, c, c), v(f, l, c, c), v(f, l, s, c)),
     (8, 32, 8192, 8, 32), (2, 3, 20, 3, 4))
both('corr_layer', '64x256x256, 9x9', lambda d, c, h, w: r(d, v('f16', c, h, w), v('f16', c, h, w)), (4, 64, 256, 256), (2, 5, 9, 11))
both('conv3d_ch', '16->16 64^3', lambda c, i, o, d, h, w: r(v(f, c, d, h, w), v(f, o, i, 27), v(f, o), v(f, o)), (16, 8, 16, 64, 64, 64), (4, 2, 6, 7, 8, 6))
add('conv_vjp', '32->64 128x128', r(v(f,32,130,130), v(f,64,128,128), v(f,64,32,3,3), v(f,64)), r(v(f,2,7,9), v(f,3,5,7), v(f,3,2,3,3), v(f,3)))
add('logreg_vjp', '1M x 64', r(v(f,1000000,64), v('i32',1000000), v(f,64), 0.1), r(v(f,11,5), v('i32',11), v(f,5), 0.1))
add('gmm_vjp', '100k x 16 x 8', r(v(f,100000,8), v(f,16,8), v(f,16,8), v(f,16)), r(v(f,9,3), v(f,4,3), v(f,4,3), v(f,4)))
add('linear_vjp', '1M 20 steps', r(v(f,1000000), v(f,1000000), 20), r(v(f,13), v(f,13), 3))
add('attn_vjp', '2048x256x64', r(v(f,2048,256), v(f,256,64), v(f,256,64), v(f,256,64), v(f,2048,64)), r(v(f,9,5), v(f,5,3), v(f,5,3), v(f,5,3), v(f,9,3)))

# The sixth lot.
both('rnn_vjp', '32x128, 64-128-16', lambda t, b, i, h, o: r(0.1, v(f, t, b, i), v(f, b, o), v(f, h, i), v(f, h, h), v(f, h), v(f, o, h)), (32, 128, 64, 128, 16), (5, 7, 4, 6, 3))
both('bn_vjp', '65536x256', lambda n, c: r(0.1, v(f, n, c), v(f, c), v(f, c), v(f, n, c)), (65536, 256), (33, 7))
both('focal', '131072x64, 32', lambda n, d, k: r(0.1, v(f, n, d), v('i32', n), v(f, k, d), v(f, k)), (131072, 64, 32), (35, 6, 5))
both('huber_gd', '8192x32, 200 steps', lambda s, n, d: r(s, 0.05, 0.9, v(f, n, d), v(f, n)), (200, 8192, 32), (15, 41, 5))
both('lora_vjp', '4096: 512-512 by 8', lambda n, i, o, k: r(0.5, v(f, n, i), v(f, o, i), v(f, k, i), v(f, o, k), v(f, n, o)), (4096, 512, 512, 8), (9, 7, 6, 3))
both('infonce', '2048x128', lambda n, d: r(0.1, v(f, n, d), v(f, n, d)), (2048, 128), (21, 9))
both('moe_vjp', '4096: 8 of 64-64', lambda n, d, e, h: r(v(f, n, d), v(f, n), v(f, e, d), v(f, e, h, d), v(f, e, h)), (4096, 64, 8, 64), (19, 5, 3, 7))
both('lstm_cell_vjp', '8192x512', lambda b, h: r(v(f, b, 4, h), v(f, b, h), v(f, b, h), v(f, b, h)), (8192, 512), (9, 13))
both('gcn_vjp', '2M edges of 200K, 32-32', lambda k, n, m, d, o: r(k, 0.2, v('i32', m), v('i32', m), v(f, n, d), v(f, o, d), v(f, o), v(f, n)), (10, 200_000, 2*M, 32, 32), (3, 31, 90, 5, 4))
both('edge_learn', '4M edges of 500K, 20', lambda s, n, m: r(s, 0.1, v('i32', m), v('i32', m), v(f, m), v(f, n), v(f, n)), (20, 500_000, 4*M), (5, 37, 101))
both('node_euler', '50K of 8, 20', lambda s, n, d: r(s, v(f, n, d), v(f, n, d), v(f, d, d), v(f, d)), (20, 50_000, 8), (5, 23, 3))
both('cnf_jvp', '50K of 4-16, 10', lambda s, n, d, h: r(s, v(f, n, d), v(f, h, d), v(f, d, h)), (10, 50_000, 4, 16), (5, 31, 3, 7))
both('sgns', '65536 of 5 in 30000x64', lambda n, k, t, d: r(0.05, v('i32', n), v('i32', n), v('i32', n, k), v(f, t, d), v(f, t, d)), (65536, 5, 30_000, 64), (41, 3, 17, 5))
both('bilinear_vjp', '4096: 48x48-64', lambda b, i, j, k: r(v(f, k, i, j), v(f, b, i), v(f, b, j), v(f, b, k)), (4096, 48, 48, 64), (11, 5, 6, 4))
both('hvp_softmax', '65536x64, 10, 5 steps', lambda s, n, d, k: r(s, 0.01, v(f, n, d), v('u8', n), v(f, k, d)), (5, 65536, 64, 10), (3, 41, 5, 4))
add('lsm', '200K, 50 dates', r(200_000, 50, 1.1, 0.3, 0.05), r(333, 9, 1.1, 0.3, 0.05))
both('cdo_loss', '4096 by 125', lambda q, n: r(q, 0.3, v(f, n)), (4096, 125), (33, 21))
both('bsgs', '50K by 1M', lambda p, g, m, n: r(p, g, m, v('i32', n)), (2147483647, 7, 2**20, 50_000), (10007, 5, 100, 57))
both('bigadd', '8192x1024', lambda n, k: r(v('u32', n, k), v('u32', n, k)), (8192, 1024), (11, 37))
both('miller_rabin', '500K', lambda n: r(v('u32', n)), (500_000,), (77,))
both('dia_cheb', '9 of 100K, 100 steps', lambda s, h, n: r(s, h, v('f64', 2 * h + 1, n), v('f64', n)), (100, 4, 100_000), (13, 2, 101))
both('csr_seg3', '16M by 1M', lambda m, n: r(v('u8', m), v('i32', m), v(f, m), v(f, n, 3)), (16*M, M), (501, 43))
both('ldlt', '200K of 8x8', lambda n, k: r(v(f, n, k, k), v(f, n, k)), (200_000, 8), (21, 5))
both('house_tri', '512', lambda n: r(v('f64', n, n)), (512,), (19,))
both('expm', '200K of 6x6', lambda s, n, k: r(s, v(f, n, k, k), v(f, n, k)), (4, 200_000, 6), (3, 33, 4))
both('sturm', '2048 of 64', lambda i, b, n: r(i, v('f64', b, n), v('f64', b, n)), (40, 2048, 64), (40, 7, 13))
both('muon', '768x1024', lambda n, m: r(5, 0.02, 0.95, v(f, n, m), v(f, n, m), v(f, n, m)), (768, 1024), (9, 13))
both('pcr', '4096x512', lambda k, n: r(v(f, k, n), v(f, k, n), v(f, k, n)), (4096, 512), (7, 45))
both('pchip', '8M in 10000', lambda n, q: r(v('f64', n), v('f64', n), v('f64', q)), (10_000, 8*M), (23, 301))
both('bezier_patch', '20000 by 16x16', lambda k, p: r(k, v(f, p, 4, 4, 3)), (16, 20_000), (5, 9))
both('clip_area', '1M', lambda n: r(0.3, 0.7, v(f, n, 3, 2)), (M,), (201,))
both('fir_decim', '8 of 2M by 4', lambda b, k, c, n: r(b, k, v(f, c, n)), (4, 64, 8, 2*M), (3, 11, 3, 217))
both('lms', '16384 of 512', lambda k, c, t: r(k, 0.2, v(f, c, t), v(f, c, t)), (16, 16384, 512), (5, 9, 73))
both('herk_minmax', '16M by 100', lambda w, n: r(w, v('i32', n)), (100, 16*M), (7, 333))
both('asof_join', '8M with 4M', lambda s, q, t: r(s, 500, v('u8', q), v('u8', q), v('u8', q), v('i32', t), v('i32', t), v('u8', t)), (500, 4*M, 8*M), (5, 123, 211))
both('sessions', '16M', lambda n: r(200, v('u8', n), v('u8', n), v('u8', n), v('i32', n)), (16*M,), (501,))
both('rollup', '16M by 20x1000', lambda a, b, n: r(a, b, v('u8', n), v('i32', n), v('i32', n), v('bool', n)), (20, 1000, 16*M), (3, 7, 501))
both('hash_build', '1M, 4M probes', lambda b, d, n, m: r(b, d, v('i32', n), v('u8', n), v('i32', m)), (21, 2*M, M, 4*M), (8, 200, 77, 301))
both('topo_levels', '60K edges of 20K, some 800 levels', lambda n, k, m: r(n, k, v('i32', m), v('i32', m)), (20_000, 150, 60_000), (101, 9, 150))
both('lca_lift', '4M in 500K', lambda k, n, q: r(k, v('i32', n), v('i32', q), v('i32', q)), (64, 500_000, 4*M), (7, 201, 333))
both('minimizers', '8M', lambda k, w, n: r(k, w, v('u8', n)), (15, 10, 8*M), (5, 4, 501))
both('fm_count', '1M of 11 in 4M', lambda n, q, l: r(v('u8', n), v('u8', q, l)), (4*M, M, 11), (501, 33, 4))
both('felsenstein', '50K of 16, 4', lambda s, l, e, k: r(v('u8', l, s), v('f64', e), v('f64', k)), (50_000, 16, 7, 4), (23, 6, 5, 2))
both('csv_fields', '16M', lambda n: r(v('u8', n)), (16*M,), (801,))
both('maxsub', '2M', lambda n: r(v('i32', n)), (2*M,), (333,))
both('rpn_eval', '500K of 64', lambda n, l: r(v('u8', n, l)), (500_000, 64), (45, 37))
both('sha256', '1M of 40', lambda n, l: r(v('u8', n, l)), (M, 40), (33, 21))
both('kuramoto', '20K, 300 steps', lambda s, n: r(s, 0.02, 0.8, v(f, n), v(f, n)), (300, 20_000), (17, 101))
both('tdse', '8192, 1000 steps', lambda s, n: r(s, 0.2, 0.5, v('f64', n)), (1000, 8192), (25, 201))
both('sinkhorn', '512x512, 100', lambda i, n, m: r(i, 0.05, v(f, n, 2), v(f, m, 2), v(f, n), v(f, m)), (100, 512, 512), (15, 23, 19))
both('echo_state', '512, 300 steps', lambda n, t: r(0.4, 0.8, v(f, n, n), v(f, n), v(f, t)), (512, 300), (17, 31))
image('malvar', lambda h, w: r(v('i32', h, w), v(f, 3, 3)))
both('hamilton_adams', '16 of 1024x1024', lambda n, h, w: r(v('u8', n, h, w)), (16, 1024, 1024), (3, 25, 19))
both('atrous', '3 of 2048x2048', lambda c, h, w: r(4, 1.0, v(f, c, h, w)), (3, 2048, 2048), (3, 45, 37))
image('bilgrid', lambda h, w: r(1.5, v('u8', h, w)))
image('domain_tf', lambda h, w: r(20.0, 0.5, v(f, h, w, 3)), (1080, 1920))
both('vanvliet', '8 of 1024x1024', lambda n, h, w: r(1.5, 4.0, v(f, n, h, w)), (8, 1024, 1024), (3, 25, 19))
both('hdr_merge', '5 of 1080x1920', lambda k, h, w: r(0.85, v('u8', k, h, w, 3)), (5, 1080, 1920), (3, 25, 19))
image('tvl1', lambda h, w: r(3, 10, v(f, h, w), v(f, h, w)), (1080, 1920), (25, 19))
image('blockmatch', lambda h, w: r(v('u8', h, w), v('u8', h, w)), (1080, 1920))
image('frangi', lambda h, w: r(v(f, h, w)), (2048, 2048))
image('surf_det', lambda h, w: r(50, v('u8', h, w)), (2048, 2048))
image('catchment', lambda h, w: r(v('u8', h, w)), (2048, 2048))
both('granulo', '16 of 512x512', lambda n, h, w: r(6, v('u8', n, h, w)), (16, 512, 512), (3, 25, 19))
image('zhangsuen', lambda h, w: r(v('bool', h, w)), (2048, 2048))
image('lut3d', lambda h, w: r(v('u8', 33, 33, 33, 3), v('u8', h, w, 3), v('u8', h, w)), (2160, 3840))
image('poisson_clone', lambda h, w: r(180, 0.0001, v(f, h, w, 3), v(f, h, w, 3)), (1024, 1024))
both('blendmodes', '8 of 1080x1920', lambda k, h, w: r(v('u8', k), v('u8', k, h, w, 4)), (8, 1080, 1920), (5, 25, 19))
both('ffd3', '160^3', lambda d, h, w: r(6.0, v(f, d//8+4, h//8+4, w//8+4, 3), v(f, d, h, w), v(f, d, h, w)), (160, 160, 160), (9, 13, 11))
both('fbp', '360 of 512', lambda a, n: r(a, v(f, n, n)), (360, 512), (23, 31))
both('volrender', '512x512 of 256^3', lambda p, q, d, h, w: r(p, q, 0.6, v(f, d, h, w)), (512, 512, 256, 256, 256), (19, 23, 12, 9, 15))
both('surfnets', '256^3', lambda d, h, w: r(0.95, v(f, d, h, w)), (256, 256, 256), (9, 12, 11))
both('msssim', '8 of 1024x1024', lambda n, h, w: r(v('u8', n, h, w), v('u8', n, h, w)), (8, 1024, 1024), (2, 45, 37))
both('astro_stack', '16 of 1024x1024', lambda k, h, w: r(1.8, v('u8', k, 2), v('i32', k, h, w), v('i32', h, w), v(f, h, w)), (16, 1024, 1024), (7, 25, 19))
both('deblock', '8 of 1080x1920', lambda n, h, w: r(v('u8', n, h, w), v('u8', h, w)), (8, 1080, 1920), (2, 45, 37))
image('slic', lambda h, w: r(5, 20, v('u8', h, w, 3)), (1080, 1920))
both('gvf', '4 of 1024x1024', lambda n, h, w: r(50, 0.2, v('u8', n, h, w)), (4, 1024, 1024), (2, 25, 19))
image('sgm', lambda h, w: r(v('u8', h, w), v('u8', h, w)), (480, 640))
both('rich_lucy', '3 of 1024x1024', lambda c, h, w: r(15, 0.01, v(f, c, h, w)), (3, 1024, 1024), (3, 25, 19))
image('pullpush', lambda h, w: r(40, v('u8', h, w), v(f, h, w)), (2048, 2048))
image('cahn_hilliard', lambda h, w: r(50, 0.5, 0.02, v('f64', h, w)), (1024, 1024))
both('brusselator', '8 of 512x512', lambda n, h, w: r(20, 0.02, v(f, n, 2), v(f, n, h, w)), (8, 512, 512), (3, 25, 19))
image('muscl_swe', lambda h, w: r(20, 100.0, v(f, h, w)), (1024, 1024))
both('sod_batch', '1024 of 1024', lambda n, m: r(50, v('f64', n, 4), v('f64', n, m)), (1024, 1024), (5, 41))
both('maxwell3', '160^3', lambda d, h, w: r(30, v('u8', d, h, w)), (160, 160, 160), (9, 12, 11))
image('elastic_psv', lambda h, w: r(60, 0.25, v(f, h, w)), (1024, 1024))
image('fhp', lambda h, w: r(50, v('u8', h, w), v('u8', h, w)), (2048, 2048), (44, 37))
both('lenia', '2 of 512x512', lambda h, w: r(10, 0.1, v(f, 2, h, w)), (512, 512), (25, 19))
both('nagel', '256 of 2x2048', lambda n, m: r(100, 25, v('u8', n, 2, m)), (256, 2048), (5, 61))
image('margolus', lambda h, w: r(51, v('u8', h, w)), (2048, 2048))
image('shan_chen', lambda h, w: r(20, 5.0, 1.0, v(f, h, w)), (512, 1024), (25, 19))
both('pic2d', '2M in 256x256', lambda n, g: r(g, 5, 0.2, v(f, n), v(f, n), v(f, n), v(f, n)), (2*M, 256), (777, 13))
both('mpm_fluid', '500K in 512x512', lambda n, g: r(g, 10, 0.0001, v(f, n), v(f, n)), (500000, 512), (333, 24))
both('weno5', '1024 of 1024', lambda n, m: r(m, 20, 0.4, v('f64', n, 3)), (1024, 1024), (5, 41))
image('pipe_erosion', lambda h, w: r(30, v(f, h, w), v(f, h, w)), (1024, 1024))
image('dendrite', lambda h, w: r(50, 1.6, v(f, h, w)), (1024, 1024))
both('convnext', '8 of 56x56x96', lambda n, h, w, c: r(v(f, 7, 7, c), v(f, c), v(f, c), v(f, 4*c, c), v(f, 4*c), v(f, c, 4*c), v(f, c), v(f, c), v(f, n, h, w, c)), (8, 56, 56, 96), (2, 9, 8, 5))
both('deform_conv', '32 of 128x128 to 64', lambda c, h, w, o: r(v(f, c, h, w), v(f, 9, 2, h, w), v(f, 9, h, w), v(f, o, 9*c), v(f, o)), (32, 128, 128, 64), (3, 9, 11, 4))
both('tconv3d', '2x16 of 32^3 to 16', lambda n, c, d, h, w, o: r(v(f, n, c, d, h, w), v(f, c, o, 4, 4, 4)), (2, 16, 32, 32, 32, 16), (2, 3, 5, 4, 6, 2))
both('inception', '8 of 28x28x192', lambda n, h, w, c, a, b, d, e, g, p: r(v(f, n, h, w, c), v(f, a, c), v(f, b, c), v(f, d, 3, 3, b), v(f, e, c), v(f, e, 5, 1, e), v(f, g, 1, 5, e), v(f, p, c)),
     (8, 28, 28, 192, 64, 96, 128, 16, 32, 32), (2, 7, 9, 5, 4, 3, 6, 2, 3, 2))
both('blurpool', '16x64 of 112x112', lambda n, c, h, w: r(v('f16', n, c, h, w)), (16, 64, 112, 112), (2, 3, 9, 12))
both('roi_align', '512 in 256 of 64x64', lambda c, h, w, n: r(v(f, c, h, w), v(f, n, 4)), (256, 64, 64, 512), (3, 15, 19, 7))
both('lrn_stem', '32 of 227x227 to 64', lambda n, h, w, o: r(v('u8', n, h, w, 3), v(f, o, 11, 11, 3), v(f, o)), (32, 227, 227, 64), (2, 39, 35, 7))

# The seventh lot.
i32, u8, f64, i64 = 'i32', 'u8', 'f64', 'i64'
both('star_revenue', '16M facts', lambda n, c, p, d: r(3, v(u8, c), v(u8, p), v(u8, d), v(i32, n), v(i32, n), v(i32, n), v(u8, n), v(f, n)), (16*M, 100000, 20000, 2557), (777, 31, 17, 9))
both('semijoin_bits', '32M of 4M', lambda n, m, d: r(d, v(i32, m), v('bool', m), v(i32, n), v(i32, n)), (32*M, 4*M, 20*M), (777, 99, 301))
both('cube3', '8M', lambda n: r(v(u8, n), v(u8, n), v(u8, n), v(i32, n)), (8*M,), (777,))
both('crc32_msgs', '512K of 64', lambda n, l: r(v(u8, n, l)), (1 << 19, 64), (41, 13))
both('adler32', '64M', lambda n, b: r(b, v(u8, n)), (64*M, 4096), (777, 50))
both('varint', '16M', lambda n: r(12, v(i32, n)), (16*M,), (777,))
both('bitpack', '128K x 128', lambda n, w: r(w, v(i32, n, 128)), (1 << 17, 20), (13, 11))
both('aes_ctr', '2M blocks', lambda n: r(v(u8, 16), v(u8, 8), v(u8, n, 16)), (2*M,), (37,))
both('blake2s', '1M', lambda n, k: r(k, v(i32, n, 16)), (1 << 20, 20), (37, 5))
both('mont_exp', '256K', lambda n: r(0x7a3b5c9d1e2f4061, v(i64, n), v(i64, n)), (1 << 18,), (37,))
both('moebius', '1M', lambda n: r(n), (M,), (999,))
both('myers_bp', '64K x 256, 48', lambda n, l, m, k: r(k, v(u8, m), v(u8, n, l)), (65536, 256, 48, 16), (23, 41, 11, 4))
both('rabin_karp', '32M, 12 of 3', lambda n, m, a: r(a, v(u8, n), v(u8, m)), (32*M, 12, 3), (2000, 4, 3))
add('utf8_decode', '32M', r(1, v(u8, 32*M)), r(1, v(u8, 779)))
both('titlecase', '32M', lambda n: r(v(u8, n)), (32*M,), (777,))
both('kmer_canon', '16M, 8', lambda n, k: r(k, v(u8, n)), (16*M, 8), (777, 4))
both('pssm_scan', '16M by 15', lambda n, m, c: r(c, v(f, m, 4), v(u8, n)), (16*M, 15, 1024), (777, 7, 50))
both('column_mi', '512 x 384', lambda n, l: r(v(u8, n, l)), (512, 384), (41, 13))
both('single_link', '512', lambda n: r(v(i32, n, n)), (512,), (29,))
both('lis_batch', '16K x 256', lambda n, l: r(v(i32, n, l)), (16384, 256), (23, 31))
both('held_karp', '8 of 14', lambda b, n: r(v(i32, b, n, n)), (8, 14), (3, 7))
both('nqueens', '14', lambda n: r(n), (14,), (7,))
both('subset_zeta', '2^20', lambda b: r(b, v(i32, 1 << b), v(i32, 1 << b)), (20,), (8,))
both('hits', '8M in 500K', lambda m, n, s: r(n, s, v(i32, m), v(i32, m)), (8*M, 500000, 10), (400, 37, 5))
both('msbfs', '4M in 500K', lambda m, n, s: r(n, s, v(i32, m), v(i32, m)), (4*M, 500000, 8), (90, 41, 6))
both('sparse_attn', '16K x 32 of 16K x 64', lambda n, m, k, d: r(v(i32, n, k), v(f, n, d), v(f, m, d), v(f, m, d)), (16384, 16384, 32, 64), (13, 17, 5, 7))
image('bicgstab', lambda h, w: r(8, 0.3, v(f64, h, w), v(f64, h, w)), (1024, 1024), (25, 19))
both('als', '16K users x 40, 16', lambda u, k, m, d: r(0.05, v(i32, u, k), v(f, u, k), v(f, m, d)), (16384, 40, 4096, 16), (13, 9, 21, 4))
both('gbm_hist', '512K x 16', lambda n, k, q: r(q, 1.0, v(u8, k, n), v(u8, n), v(f, n), v('bool', n)), (1 << 19, 16, 8), (777, 3, 4))
both('tsne_grad', '4096 x 16', lambda n, d: r(4, 20.0, 0.5, v(f, n, d), v(f, n), v(f, n)), (4096, 16), (41, 5))
both('rbm_cd', '2048 x 784, 256', lambda n, d, h: r(3, 0.1, v('bool', n, d), v(f, d, h)), (2048, 784, 256), (23, 13, 9))
both('lbfgs_vjp', '128K x 32', lambda n, d: r(8, 0.01, v(f64, n, d), v('bool', n)), (1 << 17, 32), (67, 5))
both('lm_fit_jvp', '64K x 64', lambda n, m: r(5, 0.001, v(f, n, 3), v(f, n, m)), (65536, 64), (13, 21))
both('proj_simplex', '8192 x 512', lambda n, m: r(5.0, v(f64, n, m)), (8192, 512), (13, 17))
both('qp_box', '8192 of 24', lambda n, m: r(20, v(f, n, m, m), v(f, n, m), v(f, n, m)), (8192, 24), (7, 5))
both('barrier_mc', '1M x 2x16', lambda n, t, k: r(n, t, 0.8, 0.25, v(f, k)), (M, 16, 6), (777, 5, 3))
both('segint', '16K x 8K', lambda n, m: r(4096, v(i32, n, 4), v(i32, m, 4)), (16384, 8192), (99, 71))
both('chamfer_vjp', '2048 to 2560', lambda n, m: r(2, 0.2, v(f, n, 3), v(f, m, 3)), (2048, 2560), (37, 29))
both('mfcc', '2M by 400/160', lambda n, w, h, b, c: r(w, h, b, c, v(f, n)), (2*M, 400, 160, 26, 13), (999, 64, 25, 9, 5))
both('lpc', '16K x 240, 12', lambda n, l, o: r(o, v(f64, n, l)), (16384, 240, 12), (13, 61, 6))
both('adpcm', '16K x 256', lambda n, l: r(v(i32, n, l)), (16384, 256), (13, 37))
both('matrix_profile', '4096 by 32', lambda n, m: r(m, v(f64, n)), (4096, 32), (199, 8))
both('garch_vjp', '32K x 128', lambda n, t: r(4, 0.05, v(f64, n, t)), (32768, 128), (13, 41))
both('hampel', '8 of 1M', lambda c, n: r(4, v(i32, c, n)), (8, M), (3, 333))
both('cayley_batch', '128K of 6x6', lambda n, m: r(0.5, v(f, n, m, m)), (1 << 17, 6), (23, 5))
image('shading16', lambda h, w: r(64, v('u8', 4), v('u8', 13, 17), v('u8', 4096), v('u16', h, w)))
image('chroma420', lambda h, w: r(20, v('u8', h, w, 3)), (2160, 3840))
image('percentile7', lambda h, w: r(12, v('u8', h, w)), (2048, 2048))
image('coherence', lambda h, w: r(20, 0.2, v(f, h, w)), (1024, 1024))
image('lic', lambda h, w: r(20, 0.7, v(f, h, w), v(f, h, w), v('u8', h, w)), (1024, 1024))
image('xtrans', lambda h, w: r(512, v('u16', h, w)), (3000, 4000))
both('domainwarp', '1080x1920', lambda h, w: r(h, w, 6, 17), (1080, 1920), (33, 41))
image('borders5', lambda h, w: r(0.7, 0.25, v(f, h, w)), (2160, 3840))
image('halation', lambda h, w: r(v(f, 3, 3), 0.6, v('f16', 3, h, w)), (2160, 3840), (44, 36))
both('matchhist', '4 of 4M', lambda k, n, p: r(v('u16', k, n), v('u16', p)), (4, 4*M, 2*M), (2, 1500, 900))
both('mctf', '8 of 1080x1920', lambda t, h, w: r(v('u8', t, h, w)), (8, 1080, 1920), (3, 45, 37))
both('sigma_delta', '60 of 1080x1920', lambda t, h, w: r(3, v('u8', t, h, w)), (60, 1080, 1920), (9, 25, 19))
both('deinterlace', '16 of 576x720', lambda t, h, w: r(24, v('u8', t, h, w)), (16, 576, 720), (5, 25, 19))
both('eikonal3', '128^3', lambda d, h, w: r(0.01, 400, v(f, d, h, w)), (128, 128, 128), (9, 12, 11))
both('fhn3', '128^3', lambda d, h, w: r(30, 0.1, v(f, d, h, w), v(f, d, h, w)), (128, 128, 128), (9, 12, 11))
image('wireworld', lambda h, w: r(50, v('u8', h, w)), (2048, 2048), (25, 19))
both('life3d', '4 of 128^3', lambda n, d, h, w: r(20, v('i32', n), v('u8', n, d, h, w)), (4, 128, 128, 128), (3, 7, 9, 8))
image('reiter_snow', lambda h, w: r(60, 400000, 3000, v('u8', h, w)), (1024, 1024), (25, 19))
image('thermal_lbm', lambda h, w: r(20, 1.3, v(f, h, w)), (512, 1024), (25, 19))
image('euler_hll', lambda h, w: r(20, 0.1, v(f, h, w), v(f, h, w)), (1024, 1024), (25, 19))
image('two_phase', lambda h, w: r(6, 0.0001, v('f64', h, w)), (512, 512), (25, 19))
both('axisym', '8 of 256x1024', lambda n, a, b: r(50, v('f64', n), v('f64', n, a, b)), (8, 256, 1024), (3, 11, 19))
both('boids', '8192', lambda n: r(3, 0.3, v(f, n, 3), v(f, n, 3)), (8192,), (77,))
both('smoke_curl', '1M, 512', lambda n, g, s: r(s, 20, 0.01, v(f, g, g), v(f, n), v(f, n)), (M, 128, 512), (333, 9, 17))
both('sart', '60 of 256', lambda n, a, s: r(a, s, 0.7, v(f, n, n)), (256, 60, 4), (19, 7, 3))
both('mri_grid', '4 x 200K to 256', lambda c, m, n: r(n, v(f, m), v(f, m), v(f, c, m), v(f, c, m)), (4, 200000, 256), (2, 300, 15))
image('demons2', lambda h, w: r(20, 3, v(f, h, w), v(f, h, w)), (1024, 1024), (25, 19))
both('mi_shifts', '1024x1024, 7x7', lambda h, w, k: r(k, v('u8', h, w), v('u8', h, w)), (1024, 1024, 3), (33, 41, 2))
image('affine_gn', lambda h, w: r(5, 0.1, v(f, h, w), v(f, h, w)), (1024, 1024))
both('plane_sweep', '4 of 480x640, 32', lambda k, h, w, p: r(p, v('u8', h, w), v('u8', k, h, w)), (4, 480, 640, 32), (2, 25, 37, 7))
image('poly_flow', lambda h, w: r(0.01, v(f, h, w), v(f, h, w)), (1024, 1024))
both('convlstm', '4 x 6 of 8x64x64 to 16', lambda n, t, c, h, w, k: r(v(f, 4, k, c, 3, 3), v(f, 4, k, k, 3, 3), v(f, 4, k), v(f, n, t, c, h, w)), (4, 6, 8, 64, 64, 16), (2, 3, 2, 7, 9, 3))
both('mbconv', '8 of 56x56x32', lambda n, h, w, c, e, s, o: r(v(f, e, c), v(f, e), v(f, 5, 5, e), v(f, s, e), v(f, s), v(f, e, s), v(f, e), v(f, o, e), v(f, o), v(f, n, h, w, c)),
     (8, 56, 56, 32, 192, 8, 48), (2, 9, 7, 3, 6, 2, 4))
both('gn_res16', '4 of 64x64x64', lambda n, c, h, w, e, g: r(g, v('f16', c), v('f16', c), v('f16', c, c, 3, 3), v('f16', c, e), v('f16', c), v('f16', c), v('f16', c, c, 3, 3), v('f16', n, e), v('f16', n, c, h, w)),
     (4, 64, 64, 64, 256, 8), (2, 6, 7, 9, 5, 3))
both('swin', '112x112x96', lambda h, w, d, win, hd: r(win, hd, win // 2, v(f, 3, d, d), v(f, d, d), v(f, hd, 2*win-1, 2*win-1), v(f, h, w, d)), (112, 112, 96, 7, 3), (13, 11, 6, 4, 2))
both('involution', '8 of 64x56x56', lambda n, c, h, w, m, g: r(v(f, m, c), v(f, m), v(f, g, 25, m), v(f, n, c, h, w)), (8, 64, 56, 56, 16, 4), (2, 6, 9, 7, 3, 2))
both('capsules', '64 of 1152x8', lambda n, i, o, a, b: r(3, v(f, i, o, b, a), v(f, n, i, a)), (64, 1152, 10, 8, 16), (2, 13, 5, 4, 6))
both('gn_grad', '16 x 8x8 of 56x56', lambda n, g, p, m: r(v(f, g, p), v(f, g, p), v(f, n, g, p, m), v(f, n, g, p, m)), (16, 8, 8, 3136), (2, 3, 4, 25))
both('tconv_grad', '4 of 16x32x32 to 16', lambda n, c, h, w, o: r(v(f, c, o, 3, 3), v(f, o), v(f, n, c, h, w), v(f, n, o, 2*h, 2*w)), (4, 16, 32, 32, 16), (2, 3, 5, 4, 2))
both('stn_grad', '32x3x128x128', lambda n, c, h, w: r(v(f, n, 2, 3), v(f, n, c, h, w), v(f, n, c, h, w)), (32, 3, 128, 128), (2, 3, 9, 11))
both('splat_grad', '64 on 256x256', lambda k, n: r(5, 0.5, v(f, k), v(f, k), v(f, k), v(f, k), v(f, n, n)), (64, 256), (5, 17))
image('heat_adjoint', lambda h, w: r(20, v(f, h, w), v(f, h, w), v(f, h, w)), (512, 512), (25, 19))
image('flow_descent', lambda h, w: r(8, 0.5, 0.05, v(f, h, w), v(f, h, w)), (1024, 1024), (25, 19))
both('pyr_grad', '8 of 512x512', lambda n, h, w: r(v(f, 3), v(f, n, h, w), v(f, n, h, w)), (8, 512, 512), (2, 23, 17))
both('winattn_grad', '64 of 64x32', lambda n, t, d, k: r(v(f, k), *[v(f, n, t, d)]*4), (64, 64, 32, 16), (3, 9, 5, 4))

# The eighth lot.
i = i32
both('gat_infer', '100K nodes 1M edges, 4 heads', lambda n, m, d, k, h, c: r(v(i, m), v(i, m), v(f, n, d), v(f, k, d, h), v(f, k, 2, h), v(f, h, c), v(f, 2, c)), (100000, M, 32, 4, 16, 8), (13, 37, 5, 2, 3, 4))
both('nerf_rays', '256x256 by 32', lambda h, w, s, l, m: r(h, w, s, 0.4, v(f, m, 6 * l), v(f, m, m), v(f, 4, m)), (256, 256, 32, 6, 32), (9, 7, 5, 3, 8))
both('se_backward', '32x128x28x28', lambda n, c, k, h, w: r(v(f, n, c, h, w), v(f, k, c), v(f, c, k), v(f, n, c, h, w)), (32, 128, 8, 28, 28), (2, 5, 3, 4, 7))
both('wnorm_linear', '2048x512->256', lambda n, k, m: r(0.1, v(f, n, k), v(f, n, m), v(f, m, k)), (2048, 512, 256), (7, 5, 3))
both('linattn_chunk', '64x2048x32 by 64', lambda c, b, t, d: r(c, v(f, b, t, d), v(f, b, t, d), v(f, b, t, d)), (64, 64, 2048, 32), (4, 2, 13, 5))
both('alibi_mqa', '2x8x512x64', lambda b, h, t, d: r(20.0, v(f, b, h, t, d), v(f, b, t, d), v(f, b, t, d), v('bool', b, t)), (2, 8, 512, 64), (2, 3, 9, 5))
both('gated_tcn_vjp', '8x32x1024 by 3', lambda n, c, k, t: r(4, v(f, n, c, t), v(f, n, c, t), v(f, c, c, k), v(f, c, c, k)), (8, 32, 3, 1024), (2, 3, 3, 19))
both('conformer_conv', '16x512x144 by 15', lambda n, t, d, k: r(v(f, n, t, d), v(f, d, d), v(f, d, d), v(f, d, k), v(f, d, d)), (16, 512, 144, 15), (2, 11, 5, 3))
both('conv3d_s2_vjp', '8->16 32x64x64', lambda c, o, d, h, w: r(v(f, c, d, h, w), v(f, o, c, 3, 3, 3), v(f, o)), (8, 16, 32, 64, 64), (2, 3, 5, 6, 7))
both('triplet_jvp', '8192x64->32, 8', lambda n, k, m, d: r(v(f, n, k), v(i, n), v(i, n), v(f, m, k), v(f, d, m, k)), (8192, 64, 32, 8), (11, 5, 3, 2))
both('distill_kl', '16384x1000', lambda n, c: r(3.0, 0.7, v(f, n, c), v(f, n, c), v(i, n)), (16384, 1000), (17, 9))
both('ssm_scan', '256 of 4096, 16', lambda t, c, s: r(v(f, c, s), v(f, c), v(f, c, t), v(f, t, s), v(f, t, s), v(f, c, t), v(f, c, t)), (4096, 256, 16), (23, 3, 4))
image('jpeg_size', lambda h, w: r(12, v(u8, h, w, 3)), (2160, 3840), (21, 27))
both('rans_chunks', '32K x 512', lambda c, n: r(v(u8, c, n)), (32768, 512), (7, 61))
both('swap_cva', '64K paths, 40 dates, 16', lambda p, s, q: r(p, s, 0.02, v(f, q, 3)), (65536, 40, 16), (23, 12, 3))
both('q3_topk', '8M lines', lambda c, o, l: r(1, 1200, v(i, c), v(i, o), v(i, o), v(i, l), v(i, l), v(i, l), v(u8, l)), (200000, 2*M, 8*M), (20, 150, 900))
both('tick_bars', '4M, 100x390', lambda a, b, n: r(a, b, v(i, n), v(i, n), v(u8, n)), (100, 390, 4*M), (3, 5, 333))
both('pivot_table', '20M, 1000x60', lambda a, b, n: r(a, b, v(i, n), v(u8, n), v(u8, n)), (1000, 60, 20*M), (11, 7, 555))
both('json_mask', '16M', lambda n: r(v(u8, n)), (16*M,), (501,))
both('bitnfa_grep', '512K x 96', lambda n, m: r(v(u8, n, m)), (524288, 96), (35, 41))
both('gorilla_xor', '4096x2048', lambda s, n: r(64.0, v(f, s, n)), (4096, 2048), (9, 37))
both('lz_blocks', '64K x 256', lambda b, n: r(v(u8, b, n)), (65536, 256), (11, 70))
both('baum_welch', '16K x 64, 4 states 8 symbols', lambda k, n, t, s, o: r(k, v(u8, n, t), v(f, s, s), v(f, s, o)), (3, 16384, 64, 4, 8), (2, 9, 11, 3, 4))
both('gmres_csr', '200K, 6 x 2', lambda m, k, n, z: r(m, k, v(u8, n), v(i, z), v(f64, z), v(f64, n)), (6, 2, 200000, M), (4, 2, 37, 150))
both('seed_extend', '2M genome, 128K x 100', lambda n, q, m: r(v(u8, n), v(i, q), v(u8, q, m)), (2*M, 131072, 100), (700, 21, 33))
both('dem_grains', '200K, 10 steps', lambda s, m, n: r(s, m, 0.0005, v(f, n), v(f, n), v(f, n)), (10, 512, 200000), (4, 8, 61))
both('focus_stack', '8 of 1024x1024', lambda n, h, w: r(1.5, v(u8, n, h, w)), (8, 1024, 1024), (3, 27, 23))
image('palette16', lambda h, w: r(4, v(u8, h, w, 3)), (2160, 3840), (21, 17))
both('fem_poisson', '512x512, 30', lambda n, k: r(n, k, v(f64, (n + 1) * (n + 1)), v(f64, (n + 1) * (n + 1))), (512, 30), (9, 6))
both('keccak', '256K x 200', lambda n, m: r(v(u8, n, m)), (262144, 200), (7, 141))
both('othello_play', '256K', lambda n: r(v(i, n)), (262144,), (45,))
both('orf_scan', '64K x 600', lambda n, m: r(v(u8, n, m)), (65536, 600), (11, 91))
both('convex_sat', '1M, 8', lambda k, n: r(k, v(i, n), v(i, n)), (8, M), (5, 77))
image('potts_heat', lambda h, w: r(20, 5, v(u8, h, w)), (2048, 2048), (22, 26))
both('dg_advect', '1M, 20', lambda s, n: r(s, 0.1, v(f64, n), v(f64, n)), (20, M), (5, 77))
both('block_tridiag', '16K x 64', lambda s, n: r(v(f64, s, n, 3, 3), v(f64, s, n, 3)), (16384, 64), (9, 7))
both('jaccard_csr', '200K, 3.2M, 2M pairs', lambda n, m, q: r(v(u8, n), v(u8, m), v(i, q), v(i, q)), (200000, 3200000, 2*M), (61, 777, 99))
both('siphash24', '4M x 24', lambda b, n, m: r(b, v(u8, n, m)), (M, 4*M, 24), (17, 99, 21))
both('stft_mask', '4M, 512', lambda l, n: r(l, 2.0, v(f, n)), (9, 4*M), (4, 203))
both('reverse_words', '8M', lambda n: r(v(u8, n)), (8*M,), (501,))
both('nelson_fit', '64K x 12, 32', lambda g, n, m: r(g, v(f64, n, m)), (32, 65536, 12), (5, 13, 8))
both('natspline_eval', '16384 of 128, 512', lambda n, m, q: r(v(f, n, m), v(f, n, q)), (16384, 128, 512), (13, 17, 29))
image('lanczos_resize', lambda h, w: r(2*h//5, 3*w//7, v('u8', h, w)), (4096, 4096), (45, 37))
image('bspline_zoom', lambda h, w: r(3*h//2, 4*w//3, v(f, h, w)), (2048, 2048))
image('lut_morph512', lambda h, w: r(10, v('bool', h, w)), (2048, 4096))
both('regionprops', '2048x2048, 5000', lambda h, w, k: r(k, v('i32', h, w), v('u8', h, w)), (2048, 2048, 5000), (45, 37, 11))
image('parabola_env', lambda h, w: r(v('u8', h, w)), (2048, 4096))
both('viola_stage', '1080x1920, 100', lambda h, w, k: r(k // 3, v('u8', h, w), v('i32', k)), (1080, 1920, 100), (45, 37, 9))
image('brief_match', lambda h, w: r(v('i32', 128), v('u8', h, w), v('u8', h, w)), (1024, 1536), (75, 53))
image('growcut', lambda h, w: r(40, 5, v('u8', h, w, 3), v('i32', h, w)), (1024, 1024), (35, 29))
both('feather_stitch', '12 of 512x768 on 1500x2000', lambda k, h, w, ch, cw: r(ch, cw, v('i32', k, 2), v(f, k, h, w)), (12, 512, 768, 1500, 2000), (4, 17, 23, 31, 45))
both('vorticity_fft', '512x512', lambda n, s: r(s, 0.002, 0.001, v(f, n, n)), (512, 5), (16, 3))
both('bluestein', '2000 x 1500', lambda b, n: r(v(f, b, n)), (2000, 1500), (5, 37))
both('stft_ola', '1M, 256', lambda m, n, o, s: r(n, o, s, v(f, m)), (M, 256, 4, 3), (613, 32, 4, 3))
both('daub4_denoise', '2048x2048', lambda h, w, l: r(l, 2, v(f, h, w)), (2048, 2048, 5), (40, 56, 3))
both('rosenbrock_stiff', '200K x 200', lambda n, s: r(s, 0.0001, v('f64', n, 3)), (200000, 200), (31, 50))
both('fem_tri', '1000x1000', lambda h, w, s: r(s, v(f, h, w, 2), v(f, h, w), v(f, h, w)), (1000, 1000, 20), (15, 19, 20))
both('clock_model', '2048x2048', lambda h, w, s: r(s, 5, v('u8', h, w)), (2048, 2048, 40), (24, 30, 5))
both('su2_plaq', '64^3', lambda n, s: r(s, 0.5, v(f, 3, n, n, n, 4)), (64, 6), (5, 3))
both('hyb_spmv', '1M x 8 + 2M', lambda w, n, m, s: r(s, v('i32', w, n), v(f, w, n), v('i32', m), v('i32', m), v(f, m), v(f, n)), (8, M, 2*M, 5), (4, 97, 51, 5))
both('brandes_bc', '100K x 8', lambda n, d, s: r(s, v('i32', n, d)), (100000, 8, 2), (211, 3, 3))
both('radix_select', '1024 x 8192, 100', lambda n, m, k: r(k, v('i32', n, m)), (1024, 8192, 100), (7, 61, 9))
both('interval_union', '2M', lambda n, b: r(b, v('i32', n), v('u8', n)), (2*M, 25), (311, 14))
both('jaro_winkler', '400K x 24', lambda p, n: r(v('u8', p, n), v('u8', p, n)), (400000, 24), (57, 11))
both('percent_decode', '8M', lambda n: r(v('u8', n)), (8*M,), (777,))
both('rolling_beta', '500 x 5000, 60', lambda a, t, w: r(w, v(f, t), v(f, a, t)), (500, 5000, 60), (5, 77, 12))
both('welford_bins', '8M, 10000', lambda n, k: r(k, v('i32', n), v(f, n)), (8*M, 10000), (701, 13))
both('seg_affine', '4M', lambda n: r(0.1, v('u8', n), v(f, n), v(f, n)), (4*M,), (797,))
both('gini_split', '100K x 20', lambda n, d, h, b, c: r(h, b, c, v('u8', n, d), v('u8', n)), (100000, 20, 5, 32, 4), (303, 4, 3, 8, 3))
both('oblivious_trees', '200K x 64, 100 of 6', lambda n, d, t, h, c: r(v('i32', t, h), v(f, t, 2**h, c), v('u8', n, d)), (200000, 64, 100, 6, 3), (71, 5, 7, 3, 2))
both('gp_batch', '1024 of 32x3, 64', lambda b, m, d, q: r(0.3, v(f, b, m, d), v(f, b, m), v(f, b, q, d)), (1024, 32, 3, 64), (3, 9, 2, 7))
both('hmm_bw', '2048 x 128, 8 of 32', lambda n, t, s, k, c: r(k, c, v(f, s, s), v(f, s, k), v('u8', n, t)), (2048, 128, 8, 32, 3), (7, 13, 3, 5, 3))
both('rts_smoother', '16384 x 64', lambda n, t: r(0.1, 0.5, v(f, n, t, 2), v('bool', n, t)), (16384, 64), (7, 15))
both('hedge_bandit', '20000 x 16, 500', lambda b, k, t: r(t, 0.1, v(f, b, k)), (20000, 16, 500), (9, 5, 40))
both('fm_ctr', '100K x 16 in 50K x 8', lambda n, m, w, k, s: r(s, 0.5, v('i32', n, m), v('bool', n), v(f, w), v(f, w, k)), (100000, 16, 50000, 8, 3), (97, 5, 31, 3, 3))
both('mttkrp3', '256x200x300, 16', lambda i, j, k, m: r(v(f, i, j, k), v(f, i, m), v(f, j, m), v(f, k, m)), (256, 200, 300, 16), (7, 9, 8, 3))
both('pq_adc', '1M x 16, 16', lambda n, m, s, q: r(64, v('u8', n, m), v('i8', m, 256, s), v('i8', q, m, s)), (M, 16, 8, 16), (207, 4, 3, 3))
both('i8_conv_nhwc', '8 of 56x56x64 to 64', lambda n, h, w, c, o: r(128, 3, v('u8', n, h, w, c), v('i8', o, 3, 3, c), v('u8', o), v('i8', o)), (8, 56, 56, 64, 64), (2, 9, 7, 5, 3))
both('kv_decode16', '8 x 8 x 32x128x128, 4', lambda b, g, c, t, d, h: r(v('f16', b, g, c, t, d), v('f16', b, g, c, t, d), v('i32', b), v(f, b, g, h, d)), (8, 8, 32, 128, 128, 4), (3, 2, 4, 7, 6, 3))
both('bigmul16', '20000 x 64', lambda n, l: r(v('i32', n, l), v('i32', n, l)), (20000, 64), (13, 7))
both('bit_transpose32', '200K', lambda n: r(v('i32', n, 32)), (200000,), (17,))
both('walk_hist', '500K x 1000', lambda n, s: r(s, 20, v('i32', n)), (500000, 1000), (131, 200))
both('plsa_em', '1000x2000, 16', lambda d, w, k, s: r(s, v('u8', d, w), v(f, k, w), v(f, d, k)), (1000, 2000, 16, 5), (19, 31, 4, 4))

# The ninth lot.
both('gqa_prefill', '4x4x1024x64', lambda h, g, n, d: r(v(f, h, g, n, d), v(f, h, n, d), v(f, h, n, d)), (4, 4, 1024, 64), (2, 3, 13, 5))
both('siglip', '2048x128', lambda n, d: r(10.0, -5.0, v(f, n, d), v(f, n, d)), (2048, 128), (17, 9))
both('mgu_bptt', '1024 of 16x32, 32', lambda b, t, k, h: r(0.5, v(f, b, t, k), v(f, b), v(f, h, k), v(f, h, k), v(f, 2, h)), (1024, 16, 32, 32), (7, 5, 3, 6))
both('sage_mean', '50000 by 16, 64->64', lambda n, k, d, o: r(v('i32', n, k), v(f, n, d), v(f, o, d), v(f, o, d)), (50000, 16, 64, 64), (41, 5, 7, 6))
both('mdn_vjp', '200000x16, 5', lambda s, n, d, k: r(s, 0.05, v(f, n, d), v(f, n), v(f, 3, k, d)), (4, 200000, 16, 5), (3, 61, 4, 3))
both('glove_step', '500000, 20000x32', lambda s, m, n, d: r(s, 0.1, v('i32', m), v('i32', m), v('u8', m), v(f, n, d), v(f, n, d)), (3, 500000, 20000, 32), (3, 200, 17, 5))
both('vicreg_vjp', '4096x256', lambda n, d: r(v(f, n, d), v(f, n, d)), (4096, 256), (23, 7))
both('swiglu', '2048x512, 1024', lambda n, d, h: r(v(f, n, d), v(f, d, h), v(f, d, h), v(f, h, d)), (2048, 512, 1024), (13, 7, 11))
both('gae', '4096x2048', lambda e, t: r(0.99, 0.95, v(f, e, t), v(f, e, t), v('bool', e, t)), (4096, 2048), (9, 33))
both('egnn_layer', '50000 by 16, 32, 16', lambda n, k, d, m: r(v('i32', n, k), v(f, n, 3), v(f, n, d), v(f, m, d), v(f, m, d), v(f, m), v(f, m), v(f, d, m)), (50000, 16, 32, 16), (31, 4, 5, 6))
both('lanczos_tri', '2048, 20', lambda m, n: r(m, v('f64', n, n)), (20, 2048), (6, 31))
both('band_chol', '32768 of 64, 4', lambda m, n, w: r(v(f, m, n, w), v(f, m, n)), (32768, 64, 5), (7, 19, 4))
both('pentadiag', '32768 of 128', lambda m, n: r(2.0, v(f, m, n), v(f, m, n)), (32768, 128), (9, 21))
both('levinson', '16384 of 48', lambda m, n: r(v(f, m, n), v(f, m, n)), (16384, 48), (7, 17))
both('kron_mv', '128 of 128x128', lambda b, n, m: r(v(f, n, n), v(f, m, m), v(f, b, n*m)), (128, 128, 128), (5, 7, 9))
both('cgls', '8192x1024', lambda k, m, n: r(k, 0.5, v('f64', m, n), v('f64', m)), (15, 8192, 1024), (5, 29, 11))
both('perm_test', '4096 of 32768', lambda k, n: r(k, 77, v(f, n), v(f, n)), (4096, 32768), (37, 203))
both('poisson_irls', '500000x8', lambda k, n, d: r(k, v(f, n, d), v('u8', n)), (6, 500000, 8), (5, 151, 3))
both('lasso_ista', '32768x256', lambda k, n, d: r(k, 0.8, 0.002, v(f, n, d), v(f, n)), (20, 32768, 256), (6, 71, 9))
both('t_em', '4096x2048', lambda k, g, n: r(4.0, k, v(f, g, n)), (10, 4096, 2048), (6, 9, 61))
both('loess', '4M', lambda h, k, n: r(h, k, v(f, n)), (15, 3, 4*M), (4, 3, 301))
both('ks_hist', '16M, 4096', lambda b, n, m: r(b, v(f, n), v(f, m)), (4096, 16*M, 12*M), (19, 301, 207))
both('trinomial', '32768 of 64', lambda s, n: r(s, v('bool', n), v(f, n), v(f, n)), (64, 32768), (15, 31))
both('var_hist', '256 of 16384x64', lambda p, t, a: r(0.05, v(f, p, a), v(f, t, a)), (256, 16384, 64), (7, 301, 5))
both('bond_yield', '1M', lambda n: r(v(f, n), v('u8', n), v(f, n)), (M,), (301,))
both('cliquet_mc', '4M x 12', lambda n, k: r(n, v('f64', k), -0.02, 0.03), (4*M, 12), (301, 5))
both('ob_imbalance', '16M', lambda b, n: r(b, v('u8', n), v('u8', n), v('u8', n), v('u8', n)), (500, 16*M), (17, 701))
both('rsi', '4096x4096', lambda a, n: r(14.0, v(f, a, n)), (4096, 4096), (9, 61))
image('vanleer2', lambda h, w: r(20, 0.4, v(f, h, w)), (2048, 2048))
image('lbm_ade', lambda h, w: r(20, 1.4, v(f, h, w)), (2048, 2048))
both('cic_density', '4M, 128^3', lambda g, n: r(g, v(f, n), v(f, n), v(f, n)), (128, 4*M), (7, 901))
both('drude1d', '4M', lambda s, n: r(s, v(f, n), v(f, n)), (50, 4*M), (20, 301))
both('lj_list', '96^3', lambda s, n, m, k: r(s, 0.002, v(f, n, m, k), v(f, n, m, k), v(f, n, m, k)), (10, 96, 96, 96), (5, 7, 5, 6))
image('llg_spins', lambda h, w: r(20, 0.05, 0.2, v(f, h, w, 3)), (1024, 1024), (25, 19))
both('polyphase_bank', '65536x64, 8', lambda t, m, p: r(v(f, t, m), v(f, p, m)), (65536, 64, 8), (41, 12, 5))
both('spectro_dft', '2M, 256 by 128', lambda s, h, n: r(s, h, v(f, n)), (256, 128, 2*M), (16, 7, 301))
both('upfirdn', '16M by 3/2, 48', lambda p, q, k, n: r(p, q, v(f, k), v(f, n)), (3, 2, 48, 16*M), (5, 3, 17, 301))
both('rls', '16384x200, 6', lambda k, c, t: r(k, 0.99, v(f, c, t), v(f, c, t)), (6, 16384, 200), (4, 7, 61))
both('delay_sum', '181 of 32x8192', lambda a, s, n: r(a, 1.3, v(f, s, n), v(f, s)), (181, 32, 8192), (19, 7, 101))
both('swt', '4096x4096', lambda l, b, n: r(l, 0.1, v(f, b, n)), (5, 4096, 4096), (3, 9, 45))
both('cic_decim', '64M', lambda d, n: r(d, v('u8', n)), (16, 64*M), (5, 703))
both('refine', '16384 of 24', lambda k, m, n: r(k, v(f, m, n, n), v(f, m, n)), (3, 16384, 24), (3, 5, 9))
image('oklab', lambda h, w: r(v(f, h, w, 3)), (2048, 2048))
image('grayworld', lambda h, w: r(v('u8', h, w, 3)))
image('otsu', lambda h, w: r(v('u8', h, w)))
image('bradley', lambda h, w: r(15, 8, v('u8', h, w)))
image('chromakey', lambda h, w: r(0.05, 0.35, v(f, h, w, 3), v(f, h, w, 3)), (2048, 2048))
image('cmyk_screen', lambda h, w: r(v('u8', h, w, 3)), (2048, 2048))
both('hue_rotate', '10M', lambda n: r(0.7, 1.2, v(f, n), v(f, n), v(f, n)), (10*M,), (1003,))
both('xorshift_bits', '1M x 200', lambda n, s: r(s, v('i32', n)), (M, 200), (107, 50))
both('cordic', '10M', lambda n: r(v('i32', n)), (10*M,), (1001,))
both('binary_gcd', '4M', lambda n: r(v('i32', n), v('i32', n)), (4*M,), (501,))
both('totient', '4M', lambda n: r(v('i32', n)), (4*M,), (301,))
both('bloom', '1M in 256K words, 4M', lambda w, n, m: r(w, v('i32', n), v('i32', m)), (1 << 18, M, 4*M), (37, 101, 203))
both('count_min', '10M in 4 x 4096, 1M', lambda n, q, d, w: r(d, w, v('i32', n), v('u8', n), v('i32', q)), (10*M, M, 4, 4096), (703, 55, 3, 61))
both('hll', '20M', lambda n, k: r(k, v('i32', n)), (20*M, 3*M), (3001, 5000))
both('caesar_crack', '200K x 64', lambda n, m: r(v('u8', n, m)), (200000, 64), (19, 33))
both('sudoku_check', '500K', lambda n: r(v('u8', n, 9, 9)), (500000,), (29,))
image('brians_brain', lambda h, w: r(50, v('u8', h, w)), (2048, 2048))
both('shoelace', '500K x 16', lambda n, k: r(v('i32', n, k, 2)), (500000, 16), (43, 7))
both('codon_usage', '20M', lambda n: r(v('u8', n)), (20*M,), (1003,))
image('ffill', lambda n, t: r(v(f, n, t), v('bool', n, t)), (8192, 2048))
both('date_civil', '10M', lambda n: r(v('i32', n)), (10*M,), (1007,))
both('line_lengths', '20M', lambda n: r(v('u8', n)), (20*M,), (3011,))
both('temporal_median', '16x1080x1920', lambda t, h, w: r(v('u8', t, h, w)), (16, 1080, 1920), (7, 9, 11))
both('list_rank', '4M', lambda n: r(v('u8', n)), (1 << 22,), (256,))
image('png_filter', lambda h, w: r(3, v('u8', h, w)))
image('bc1_blocks', lambda h, w: r(v('u8', h, w, 3)), (2048, 2048), (44, 36))
image('undistort', lambda h, w: r(0.02, 0.01, 0.003, v(f, 3, h, w)), (2048, 2048))
image('inpaint_diffuse', lambda h, w: r(50, v(f, h, w), v(f, h, w), v('u8', h, w)), (2048, 2048))
both('stabilize_proj', '32x1080x1920', lambda t, h, w, s: r(s, v('u8', t, h, w)), (32, 1080, 1920, 16), (5, 37, 45, 4))
both('mt19937', '20000', lambda n: r(v('i32', n)), (20000,), (23,))
both('speck_ctr', '10M', lambda n: r(v('i32', 4), 12345, v('i32', n, 2)), (10*M,), (103,))
both('lbvh_karras', '2M', lambda n: r(v('u8', n)), (2*M,), (1013,))
both('tri_coverage', '1M of 24', lambda n, s: r(s, v('i32', n, 2), v('u8', n, 4)), (M, 24), (203, 17))
both('bottleneck', '512', lambda n: r(v('i32', n, n)), (512,), (23,))
both('k2p_dist', '1000 x 1000', lambda n, l: r(v('u8', l), v('u8', n, l)), (1000, 1000), (17, 201))
both('topn_group', '1M in 5000', lambda n, g: r(g, v('i32', n), v('i32', n)), (M, 5000), (507, 31))
both('eytzinger', '1M, 10M', lambda l, q: r(l, v('u8', 1 << l), v('i32', q)), (20, 10*M), (7, 301))
both('bitmap_index', '10M, 16', lambda n, k: r(k, 3, k-4, v('u8', n), v('u8', n)), (10*M, 16), (1009, 9))
both('glob_match', '500K x 24, 12', lambda n, m, p: r(v('u8', p), v('u8', n, m)), (500000, 24, 12), (101, 9, 5))
both('minhash', '20000 x 128, 64', lambda n, m, k: r(k, v('u8', n, m)), (20000, 128, 64), (15, 41, 16))
both('tiny_vm', '1M, 16, 8', lambda n, p, s: r(s, v('i32', p), v('i32', n)), (M, 16, 8), (97, 11, 5))
# The tenth lot.
both('retinex_msr', 'RGB 1536x1024', lambda h, w: r(1.2, v('u8', h, w, 3)), (1024, 1536), (13, 29))
both('quadbayer', 'raw 3000x4000', lambda h, w: r(64, 400, 350, v('u16', h, w)), (3000, 4000), (11, 23))
both('reinhard_local', 'planar 1080p', lambda h, w: r(0.18, 8.0, v('f32', 3, h, w)), (1080, 1920), (17, 9))
both('autoexp_video', '24 frames of 720p', lambda t, h, w: r(50, v('u8', t, h, w)), (24, 720, 1280), (5, 7, 11))
both('tophat3d', '160^3, r=3', lambda d, h, w: r(3, 1.5, v('u8', d, h, w)), (160, 160, 160), (5, 9, 7))
both('gmsd', '4096x3072', lambda h, w: r(170.0, v('u8', h, w), v('u8', h, w)), (3072, 4096), (15, 19))
both('lbp_riu2', '4096x4096', lambda h, w: r(v('u16', h, w)), (4096, 4096), (37, 21))
both('scale3x_epx', '1024x1280', lambda h, w: r(v('u32', h, w)), (1024, 1280), (7, 13))
both('lee_speckle', '2048x2048', lambda h, w: r(4.0, v('u16', h, w)), (2048, 2048), (17, 11))
both('rolling_guidance', 'RGB 1024x1024, 4 rounds', lambda k, h, w: r(k, 2.0, 0.15, v('f32', h, w, 3)), (4, 1024, 1024), (2, 9, 14))
both('fgs_rows', '1080x1920', lambda h, w: r(900.0, 12.0, v('u8', h, w), v('f32', h, w)), (1080, 1920), (13, 8))
both('tnr_video', '16 frames of 720p RGB', lambda t, h, w: r(6, v('u8', t, h, w, 3)), (16, 720, 1280), (4, 9, 5))
both('bg_mog', '32 frames of 720p', lambda t, n: r(3, v('u8', t, n)), (32, 921600), (7, 33))
both('mip_slab', '128x384x384', lambda d, h, w: r(10, 40, 400, v('i16', d, h, w)), (128, 384, 384), (9, 5, 7))
both('bias_field', '192x192x160, 3 rounds', lambda d, h, w: r(3, 9000, v('u16', d, h, w)), (160, 192, 192), (9, 11, 17))
both('mc_cases', '256^3', lambda d, h, w: r(3000, v('u8', d, h, w)), (256, 256, 256), (5, 9, 7))
both('log_blobs', '1440x2048, 5 scales', lambda h, w: r(0.02, v('u8', h, w)), (1440, 2048), (19, 13))
both('tps_warp', 'RGB 1200x1600, 16 points', lambda h, w, k: r(0.02, v('f32', k, 4), v('u8', h, w, 3)), (1200, 1600, 16), (11, 17, 5))
both('cubemap_f16', '1024x2048 to 6x1024x1024', lambda s, h, w: r(s, v('f16', h, w, 3)), (1024, 1024, 2048), (5, 7, 13))
both('area_down', '4032x6048 RGBA to 1080x1621', lambda p, q, h, w: r(p, q, v('u8', h, w, 4)), (1080, 1621, 4032, 6048), (5, 4, 17, 13))
both('rtm_image', '512x768, 64 steps', lambda h, w, t: r(4, v('f32', h, w), v('f32', t, w)), (512, 768, 64), (19, 13, 11))
both('karman_mac', '512x1536, 12 steps', lambda k, h, w: r(k, 0.2, 0.05, v('f32', h, w)), (12, 512, 1536), (3, 15, 27))
both('mhd_ot', '1024x1024, 10 steps', lambda k, h, w: r(k, 0.3, v('f32', h, w)), (10, 1024, 1024), (3, 9, 13))
both('pnp_drift', '1024x1024, 10 steps', lambda k, h, w: r(k, 0.1, 2.0, v('f32', h, w)), (10, 1024, 1024), (3, 7, 15))
both('glacier_sia', '1500x1500, 40 steps', lambda k, h, w: r(k, 1.5, v('f32', h, w)), (40, 1500, 1500), (5, 11, 9))
both('plate_clamped', '1024x1280, 6x8 steps', lambda b, h, w: r(b, 0.02, v('f32', h, w)), (6, 1024, 1280), (2, 11, 8))
both('gpe_imag', '160^3 f64', lambda k, d, h, w: r(k, 1.0e-9, 20.0, v('f64', d, h, w)), (24, 160, 160, 160), (5, 7, 9, 11))
both('zebra_line', '4096x512, 8 sweeps', lambda k, h, w: r(k, 0.05, v('f32', h, w)), (8, 4096, 512), (3, 9, 14))
both('grain_multi', '1000x1000, 12 steps', lambda k, h, w: r(k, 0.1, 0.7, v('f32', h, w, 6)), (12, 1000, 1000), (3, 9, 7))
both('chamfer3_until', '192^3', lambda n, d, h, w: r(n, v('u32', d, h, w)), (2000, 192, 192, 192), (23, 5, 7, 9))
both('ltl_bugs', '2048x2048, 8 steps', lambda k, n, h, w: r(k, n, v('u8', h, w)), (8, 5, 2048, 2048), (3, 5, 13, 9))
both('hexca', '4096x4096, 8 steps', lambda k, n, h, w: r(k, v('u8', n), v('u8', h, w)), (8, 76, 4096, 4096), (3, 17, 11, 14))
both('ecg_qrs', '4096 signals of 2048', lambda b, n: r(30, 72, v('i16', b, n)), (4096, 2048), (3, 301))
both('farrow_asrc', '16M frames in, 16M out', lambda n, m: r(0.9187, v('i16', n, 2), v('u8', m)), (16 * M, 16 * M), (23, 31))
both('cdf97_1d', '4096 signals of 2048, 4 levels', lambda l, c, n: r(l, 0.1, v('f32', c, n)), (4, 4096, 2048), (3, 5, 37))
both('xnor_conv', '4x128x128, 64 channels', lambda b, h, w: r(v('f32', b, h, w, 64), v('u64', 64, 3, 3), v('u64', 64, 3, 3), v('i8', 64)), (4, 128, 128), (2, 5, 7))
both('partial_conv', '512x512, 16 channels', lambda h, w, c: r(v('f32', 3, h, w), v('u8', h, w), v('f32', c, 3, 3, 3), v('f32', c, c, 3, 3), v('f32', 3, c, 3, 3), v('f32', c)), (512, 512, 16), (9, 7, 5))
both('condconv', '16x64x64, 32 to 48 channels', lambda b, h, w, i, o, e: r(v('f32', b, h, w, i), v('f32', e, o, 3, 3, i), v('f32', e, i)), (16, 64, 64, 32, 48, 4), (3, 5, 7, 3, 4, 2))
both('fwi_vjp', '600x800, 40 steps', lambda h, w, t: r(v('f32', h, w), v('f32', t, w)), (600, 800, 40), (13, 9, 7))
both('tvdeblur_vjp', '1024x1024, 6 steps', lambda k, h, w: r(k, 0.01, v('f32', h, w)), (6, 1024, 1024), (2, 11, 7))
both('curve_lut_vjp', '4M pixels', lambda n: r(0.5, v('f32', n, 3), v('f32', n, 3)), (4 * M,), (53,))
both('affine_lk_jvp', '1024x1024, 4 rounds', lambda k, h, w: r(k, v('u16', h, w), v('u16', h, w)), (4, 1024, 1024), (2, 13, 17))
both('md5_many', '1M messages of 64 bytes', lambda n: r(v('u8', n, 64)), (1 * M,), (7,))
both('x25519', '16k scalars', lambda n: r(v('u16', n, 16), v('u16', n, 16)), (16384,), (3,))
both('ghash', '64k messages of 32 blocks', lambda n, m: r(v('u64', n, 2), v('u64', n, m, 2)), (65536, 32), (5, 3))
both('rs_encode', '64k messages of 223 bytes', lambda n, m: r(1, v('u8', n, m)), (65536, 223), (5, 11))
both('elias_gamma', '10M numbers', lambda n: r(v('u16', n)), (10 * M,), (1003,))
both('utf16_to_utf8', '16M code units', lambda n: r(v('u16', n)), (16 * M,), (1001,))
both('bwt_invert', '4M bytes', lambda n: r(v('u8', n), 12345), (4 * M,), (777,))
both('float_parse', '1M x 4 fields of 12 bytes', lambda n, m, w: r(v('u8', n, m, w)), (1 * M, 4, 12), (33, 3, 12))
both('ip_lpm', '100k routes, 4M addresses', lambda m, n: r(v('u32', m), v('u8', m), v('u32', n)), (100000, 4 * M), (61, 505))
both('inet_checksum', '300k packets, 20M words', lambda p, n: r(v('u8', p), v('u16', n)), (300000, 20 * M), (13, 1003))
both('jacobi_svd', '500k matrices', lambda n: r(v('f64', n, 8, 5)), (500000,), (7,))
both('spgemm_esc', '400k rows, 1M pool', lambda n, m: r(v('u8', n), v('u8', n), v('i32', m), v(f, m)), (400000, 1 * M), (23, 61))
both('vandermonde_bp', '1M systems of 12', lambda n, k: r(v('f64', n, k), v('f64', n, k)), (1 * M, 12), (11, 7))
both('polyroots_dk', '200k polynomials of degree 10', lambda n, d: r(60, v('f64', n, d)), (200000, 10), (9, 5))
both('tucker_ttm', '256x240x224 to 24x20x16', lambda a, b, c, p, q, s: r(v(f, a, b, c), v(f, a, p), v(f, b, q), v(f, c, s)), (256, 240, 224, 24, 20, 16), (7, 6, 5, 3, 2, 4))
both('lanczos_ell', '40 steps, n = 500k, 4 bands', lambda n, k: r(40, v('u16', k), v('f64', k, n), v('f64', n)), (500000, 4), (61, 3))
both('warshall_bits', '2048 vertices', lambda n, w: r(v('u64', n, w), v('u32', n)), (2048, 32), (61, 1))
both('lp_simplex', '512 rows, 768 columns', lambda m, n: r(200, v('f64', m, n), v('f64', m), v('f64', n)), (512, 768), (9, 13))
both('cox_newton', '1M subjects, 8 covariates, 4 steps', lambda n, d: r(4, v(f, n, d), v('u8', n)), (1 * M, 8), (61, 3))
both('kaplan_meier', '16M subjects, 6 groups, 2000 bins', lambda g, b, n: r(g, b, v('u16', n), v('u8', n)), (6, 2000, 16 * M), (3, 11, 505))
both('isotonic_rows', '200k rows of 100', lambda n, m: r(0.5, v(f, n, m)), (200000, 100), (9, 17))
both('lof_int', '24k points', lambda n: r(v('u16', n), v('u16', n), 1.5), (24576,), (61,))
both('hawkes_grad', '16k sequences of 256 events', lambda p, n: r(0.01, v('f64', p, n), v('f64', p, 3)), (16384, 256), (7, 13))
both('sabr_jvp', '100k smiles of 11 strikes', lambda n, k: r(8, v('f64', n), v('f64', n, k)), (100000, 11), (7, 5))
both('lmm_swaption', '4M paths, 5 strikes', lambda n, s: r(n, v(f, 12), v(f, 12), v(f, s)), (4 * M, 5), (101, 3))
both('cvar_bisect', '512 portfolios, 64 assets, 8192 scenarios', lambda p, a, s: r(0.97, v(f, p, a), v(f, a, s)), (512, 64, 8192), (5, 3, 101))
both('crf_vjp', '8192 sentences of 32 words, 12 tags', lambda b, l, t: r(0.1, v(f, b, l, t), v('u8', b, l), v(f, t, t)), (8192, 32, 12), (5, 7, 3))
both('kan_vjp', '16k samples, 32 to 24, 11 coefficients', lambda n, i, o, g: r(0.1, v(f, n, i), v(f, n, o), v(f, o, i, g), v(f, o, i)), (16384, 32, 24, 11), (7, 5, 3, 6))
both('rwkv_wkv', '16 x 1024 x 512', lambda b, t, c: r(v(f, c), v(f, c), v(f, b, t, c), v(f, b, t, c), v(f, b, t, c)), (16, 1024, 512), (3, 17, 5))
both('int4_gemm', '512 x 4096 x 2048', lambda m, k2, n: r(v('f16', m, 2 * k2), v('u8', n, k2), v('f16', n, -(-2 * k2 // 32)), v('u8', n, -(-2 * k2 // 32)), v(f, n)), (512, 2048, 2048), (5, 27, 7))
both('lamb_step', '16M parameters, 200 layers', lambda n, l: r(3, 0.01, 0.1, v('u8', l), v(f, n), v(f, n), v(f, n), v(f, n)), (16 * M, 200), (501, 7))
both('pinn_jvp2', '200k points, width 32', lambda n, h: r(v(f, n), v(f, h), v(f, h), v(f, h, h), v(f, h), v(f, h)), (200000, 32), (31, 5))
both('slab_transport', '2M photons', lambda n: r(50, 4.0, 0.95, 0.8, v('u64', n)), (2 * M,), (101,))
both('hermite_nbody', '6144 bodies, 4 steps', lambda n: r(4, 0.01, v('f64', n), v('f64', n, 3), v('f64', n, 3)), (6144,), (13,))
both('ld_matrix', '20k variants, 8192 haplotypes, window 100', lambda s, w, k: r(k, v('u64', s, w)), (20000, 128, 100), (13, 3, 5))
both('neighbor_joining', '300 taxa', lambda n: r(v('f64', n), v('f64', n), v('f64', n)), (300,), (13,))
both('msv_filter', '100k sequences up to 200, profile 40', lambda n, l, m: r(v('u8', m, 20), v('u8', n), v('u8', n, l)), (100000, 200, 40), (9, 17, 11))
both('scc_color', '200k vertices, 360k edges', lambda n, m: r(n, v('u32', m), v('u32', m)), (200000, 360000), (61, 101))
both('inversions', '4M numbers', lambda n: r(1000000, v('i32', n)), (4 * M,), (203,))
both('polygon_clip', '2M hexagons', lambda n: r(0.2, 0.8, 0.3, 0.7, v(f, n, 2), v(f, n, 6)), (2 * M,), (31,))
both('big_to_decimal', '100k numbers of 32 limbs', lambda n, w: r(v('u8', n), v('u32', n, w)), (100000, 32), (11, 5))

# The eleventh lot.
both('mann_whitney', '4M', lambda n: r(v(f, n), v('u8', n)), (4 * M,), (37,))
both('cramer_v', '400k x 12', lambda n, m: r(v('u8', n, m)), (400_000, 12), (41, 5))
both('dd_sketch', '10M, 64 services', lambda s, n: r(s, v('u16', n), v(f, n)), (64, 10 * M), (3, 55))
both('life_table', '5M policies', lambda n: r(0.4, v(f, n), v(f, n), v('u8', n)), (5 * M,), (61,))
both('chain_ladder', '40k of 16x16', lambda b, d: r(v(f, b, d, d)), (40_000, 16), (7, 5))
both('logrank', '8M, 20 strata, 512 bins', lambda s, k, n: r(s, k, v(f, n), v('u16', n)), (20, 512, 8 * M), (3, 7, 45))
both('auc_models', '32 x 500k', lambda m, n: r(v(f, m, n), v(f, n)), (32, 500_000), (3, 47))
both('pair_correlation', '6000, 100 bins', lambda b, n: r(b, 0.4, v(f, n), v(f, n)), (100, 6000), (9, 43))
both('luby_mis', '500k, 2M edges', lambda n, m: r(n, v('u32', m), v('u32', m)), (500_000, 2 * M), (19, 31))
both('csr_normal', '2M nonzeros, 200k x 150k', lambda q, c, n: r(q, v('u32', n), v('u32', n), v(f, n), v(f, c)), (200_000, 150_000, 2 * M), (13, 9, 51))
both('fiedler', '1M, 20 steps', lambda k, n: r(k, v('u8', n), v('u32', n)), (20, M), (10, 37))
both('node_walks', '500k walks of 40', lambda k, n: r(k, 12, 5, v('u8', n)), (40, 500_000), (7, 29))
both('widest_path', '300k, 2M edges', lambda n, m: r(n, v('i32', m), v('u16', m), v(f, m)), (300_000, 2 * M), (17, 41))
both('coarsen', '1M, 4M edges', lambda n, k, m: r(n, k, v('i64', m), v('i64', m), v('u16', m)), (M, 4, 4 * M), (23, 3, 35))
both('subtree_sums', '2M', lambda n: r(v('u32', n), v(f, n)), (2 * M,), (33,))
both('strip_comments', '16M', lambda a, n: r(v('u8', a), v('u8', n)), (6 * M, 10 * M), (20, 31))
both('hex_dump', '16M', lambda n: r(v('u8', n)), (16 * M,), (45,))
both('wrap_words', '4M words, 72', lambda w, n: r(w, v('u8', n)), (72, 4 * M), (20, 39))
both('bigram_entropy', '8 classes, 8000 x 1000', lambda c, m, n: r(c, v('u8', m, n)), (8, 8000, 1000), (2, 5, 23))
both('soundex', '8M names of 12', lambda n, w: r(v('u8', n, w)), (8 * M, 12), (33, 5))
both('icp2d', '4000 to 4000, 8 rounds', lambda k, m, n: r(k, v(f, m), v(f, m), v('u32', n), v(f, n)), (8, 4000, 4000), (3, 21, 17))
both('ray_tri_mt', '800x1000, 200 triangles', lambda h, w, k: r(h, w, v('i8', k, 9)), (800, 1000, 200), (11, 13, 15))
both('winding_solid', '20k points, 40x60', lambda a, b, n: r(a, b, v(f, n, 3)), (40, 60, 20_000), (5, 7, 19))
both('hilbert_sort', '2M', lambda n: r(v(f, n), v(f, n)), (2 * M,), (41,))
both('frechet', '200x200 curves of 48', lambda a, b, l, k: r(v(f, a, l), v(f, a, l), v(f, b, k), v(f, b, k)), (200, 200, 48, 48), (3, 5, 7, 9))
both('physarum', '1024x1024, 1M agents, 20 steps', lambda h, w, t, n: r(h, w, t, v('u32', n), v('u32', n), v('u8', n)), (1024, 1024, 20, M), (13, 17, 4, 31))
both('epidemic_agents', '2M agents, 30 days', lambda p, d, n: r(p, d, 900, v('u32', n), v('u8', n)), (20_000, 30, 2 * M), (5, 7, 61))
both('yin_pitch', '1M samples', lambda w, h, l, n: r(w, h, l, v(f, n)), (512, 128, 200, M), (25, 7, 11, 143))
both('chol6_mahal', '400k', lambda n: r(0.1, v(f, n, 8, 6), v(f, n, 6)), (400_000,), (13,))
both('polar4', '500k', lambda n: r(0.5, v(f, n, 4, 4)), (500_000,), (11,))
both('dare4', '100k, 40 iterations', lambda k, n: r(k, v(f, n, 4, 4), v(f, n, 4)), (40, 100_000), (9, 7))
both('arma_css', '400 series of 400, 10^3 grid', lambda g, m, n: r(g, v(f, m, n)), (10, 400, 400), (3, 5, 17))
both('hamilton_ms', '20k series of 250', lambda m, n: r(v(f, m, n)), (20_000, 250), (3, 67))
both('pyr_fusion', '4 of 1024x768', lambda e, h, w: r(v(f, h, w, 3), v(f, e)), (4, 768, 1024), (3, 13, 17))
both('lab_vibrance', '2048x1536', lambda h, w: r(0.6, v('u8', h, w, 3)), (1536, 2048), (11, 9))
both('trivium_bits', '8k x 64 streams', lambda a, b, n: r(a, b, v('u64', n, 80), v('u64', n, 80)), (1152, 512, 8192), (150, 33, 3))
both('xxh64', '500k of 203 bytes', lambda n, l: r(77, v('u8', n, l)), (500_000, 203), (9, 47))
both('mxfp4_dot', '8192 x 4096', lambda q, b: r(v(f, q, b, 32), v('f16', b, 32)), (8192, 128), (5, 3))
both('i8_resblock', '64 of 512x512', lambda c, h, w: r(v('i8', c, h, w), v('i8', c, 9), v('i16', c), v('u32', c)), (64, 512, 512), (3, 11, 13))
both('cky_parse', '4000 sentences of 24', lambda s, n: r(v('u16', 16, 16), v('u8', s, n), v('u16', 64)), (4000, 24), (5, 7))
both('lot_size', '40k products, 52 weeks', lambda p, t: r(0.4, v(f, p), v(f, p, t)), (40_000, 52), (5, 13))
both('batcher_rows', '50k rows of 120', lambda n, w: r(v(f, n, w)), (50_000, 120), (5, 21))
both('merge_sort', '1M', lambda n: r(v('i32', n)), (M,), (45,))
both('weibull_fit', '2000 groups of 400', lambda k, g, n: r(k, v('f64', g, n)), (8, 2000, 400), (5, 3, 21))
both('sir_fit', '30k regions, 60 days', lambda k, q, d: r(k, v(f, q), v(f, q, d)), (6, 30_000, 60), (4, 3, 25))

# The twelfth lot.
both('fk_chain', '20000 arms of 128 joints', lambda a, j: r(v(f, a, j), v(f, j)), (20000, 128), (7, 5))
both('trellis_scan', '2M steps', lambda n: r(20, v('u8', n)), (2*M,), (41,))
both('drawdown', '2520 days, 4000 assets', lambda d, a: r(v('i16', d, a)), (2520, 4000), (19, 5))
both('crps_ens', '51 members, 300K cells', lambda k, c: r(v(f, k, c), v(f, c)), (51, 300000), (7, 11))
both('theil_sen', '18 years of 512x512', lambda t, h, w: r(v(f, t, h, w)), (18, 512, 512), (7, 3, 5))
both('hurst_rs', '4096 series of 2048', lambda s, n, l: r(l, v(f, s, n)), (4096, 2048, 7), (5, 37, 3))
both('sell_spmv', '500K rows, 4 products', lambda s, n, z: r(4, v('u8', s), v('u32', z), v(f, z), v(f, n)), (16384, 524288, 4*M), (3, 50, 131))
both('coo_spmv', '10M nonzeros', lambda z, n: r(7, v('u8', z), v('u32', z), v(f, z), v(f, n)), (10*M, M), (57, 13))
both('shear_sort', '512x512', lambda h, w: r(v('u32', h, w)), (512, 512), (7, 9))
both('nw_trace', '40000 pairs of 64 bases', lambda n, m: r(v('u8', n, m), v('u8', n, m)), (40000, 64), (5, 9))
both('damerau', '100K words of 12, 8 candidates', lambda n, m, d, c: r(v('u8', n, m), v('u8', d, m), c), (100000, 12, 20000, 8), (7, 9, 5, 3))
both('cos_price', '500K options, 128 terms', lambda n, t: r(t, v(f, n), v(f, n)), (500000, 128), (7, 33))
both('xirr_csr', '300K accounts, 5M flows', lambda a, z: r(v('u8', a), v('u16', z), v(f, z)), (300000, 5*M), (5, 83))
both('rmsnorm_bwd', '8x1024x1024', lambda b, t, d: r(1e-5, v(f, b, t, d), v(f, b, t, d), v(f, d), v(f, b, t, d)), (8, 1024, 1024), (3, 5, 7))
both('unpool_bwd', '64x512x512', lambda c, h, w: r(v(f, c, h, w), 0.5), (64, 512, 512), (3, 7, 9))
both('sru_vjp', '128 steps of 131072 channels', lambda t, d: r(v(f, t, d), v(f, t, d), v(f, 4, d)), (128, 131072), (13, 5))
both('instnorm_bwd', '8x128x128x64', lambda n, h, w, c: r(v(f, n, h, w, c), v(f, n, h, w, c), v(f, c)), (8, 128, 128, 64), (2, 5, 3, 7))
both('goertzel_dtmf', '20M samples, hop 102', lambda n, h: r(h, 4, v('i16', n)), (20*M, 102), (1237, 41))
both('fdn_reverb', '16384 voices of 1024', lambda n, t: r(0.9, v(f, n, t), v('u8', n, 4)), (16384, 1024), (3, 117))
both('karplus', '16384 strings of 120, 8 blocks of 128', lambda s, p, k, b: r(k, b, v('i8', s, p), v('u8', s), v(f, s)), (16384, 120, 8, 128), (5, 11, 3, 7))
both('ldpc_minsum', '2000 frames of 6x256', lambda n, q: r(12, v('u8', n, 6, q)), (2000, 256), (3, 7))
both('gps_acq', '10 satellites, 21 bins', lambda s, b: r(s, b, v('i8', 1023), v('i8', 1023)), (10, 21), (3, 2))
both('obb_sat', '300K boxes, 24 neighbours either side', lambda n, k: r(k, v(f, n, 9)), (300000, 24), (19, 5))
both('deboor_surf', '1500x1500 points of 40x60 controls', lambda m, n, k: r(k, v(f, m, n, 4)), (40, 60, 1500), (5, 7, 9))
both('sh_irradiance', '1024x2048 map, 1M normals', lambda h, w, n: r(v(f, h, w, 3), v(f, n, 2)), (1024, 2048, M), (5, 9, 7))
both('taa_resolve', '1440x2560', lambda h, w: r(0.1, v(f, h, w, 3), v(f, h, w, 3), v(f, h, w, 2)), (1440, 2560), (7, 9))
both('voxel_dda', '256^3, 200K rays', lambda n, m: r(v('u8', n, n, n), v(f, m, 4)), (256, 200000), (5, 7))
both('gc_skew', '40M bases', lambda n, w: r(w, v('u8', n)), (40*M, 1000), (101, 7))
both('phred_trim', '100K reads of 150', lambda n, m: r(18, 35, v('u8', n, m), v('u8', n, m)), (100000, 150), (5, 47))
both('cigar_depth', '1M reads of 6 operations, 10M bases', lambda g, n, k: r(g, v('u32', n), v('u8', n, k)), (10*M, M, 6), (131, 7, 5))
both('fitch_tree', '100 leaves, 300K sites', lambda s, n: r(v('u8', s, n)), (100, 300000), (7, 11))
both('morse_encode', '3M letters', lambda n: r(v('u8', n)), (3*M,), (23,))
both('cobs_encode', '20M bytes', lambda n: r(v('u8', n), 1), (20*M,), (611,))
both('z_rows', '100K strings of 100', lambda b, m: r(100, v('u8', b, m)), (100000, 100), (7, 33))
both('opt_bst', '1000 keys', lambda n: r(v('u16', n), v('u16', n)), (1000,), (13,))
both('lps_wave', '64 strings of 2000', lambda b, n: r(4, v('u8', b, n)), (64, 2000), (3, 17))
both('stable_marriage', '10000 markets of 24', lambda b, n: r(v('u16', b, n, n), v('u16', b, n, n)), (10000, 24), (5, 9))
both('hungarian', '20000 problems of 20', lambda b, n: r(v('u8', b, n, n)), (20000, 20), (5, 9))
both('particle_filter', '1M particles, 8 steps', lambda n, t: r(n, 17, v(f, t)), (M, 8), (37, 5))
both('benj_hochberg', '4M tests', lambda n: r(0.05, v('u32', n)), (4*M,), (101,))
both('tandem_queue', '2M customers, 5 stations', lambda k, n: r(98, v('u16', n), v('u16', k, n)), (5, 2*M), (3, 47))
both('gillespie_ssa', '200K trajectories of 500 events', lambda n, s: r(s, v('u32', n)), (200000, 500), (11, 90))
both('boris_push', '64^3 grid, 1M particles, 8 steps', lambda n, p, s: r(s, 0.2, v(f, n, n, n, 6), v(f, p, 3), v(f, p, 3)), (64, M, 8), (5, 13, 7))
both('zonal_stats', '100x360x400', lambda t, m, l: r(0.05, v(f, t, m, l), v(f, t, m, l)), (100, 360, 400), (3, 11, 5))
both('lif_fixed', '200K neurons of 32 inputs, 20 steps', lambda n, k, s: r(s, v('u32', n, k), v('i8', n, k), v('u8', n)), (200000, 32, 20), (29, 5, 31))

# The thirteenth lot.
both('vol_pyr_detail', '200x256x256', lambda d, h, w: r(0.8, v(f, d, h, w)), (200, 256, 256), (7, 9, 5))
both('bfecc3', '3 steps of 160^3', lambda s, d, h, w: r(s, 1.7, v(f, d, h, w), v(f, d, h, w), v(f, d, h, w), v(f, d, h, w)), (3, 160, 160, 160), (2, 5, 6, 7))
both('event_cam', '48 frames of 720x1280', lambda t, h, w: r(11, v('u8', t, h, w)), (48, 720, 1280), (5, 7, 9))
both('pansharpen', '4 bands of 1024x1024', lambda h, w, hp, wp: r(v(f, 4, h, w), v(f, hp, wp)), (1024, 1024, 2048, 2048), (5, 7, 9, 13))
both('fringe_unwrap', '1536x2048', lambda h, w: r(v(f, 4, h, w)), (1536, 2048), (7, 9))
both('aliev_panfilov3', '20 steps of 128x192x192', lambda s, d, h, w: r(s, v(f, d, h, w), v(f, d, h, w)), (20, 128, 192, 192), (3, 5, 7, 6))
both('arakawa_qg', '10 steps with 20 sweeps of 1024x1024', lambda s, k, h, w: r(s, k, 0.05, v(f, h, w)), (10, 20, 1024, 1024), (3, 4, 7, 9))
both('anscombe_vol', '160x256x256', lambda d, h, w: r(1.5, v('u16', d, h, w)), (160, 256, 256), (5, 7, 9))
both('centernet_peaks', '32 channels of 256x384, 20 classes', lambda c, h, w, k: r(30, v('i8', c, h, w), v('i8', k, c, 3, 3), v('i8', 2, c)), (32, 256, 384, 20), (3, 7, 9, 4))
both('tsdf_fuse', '160^3, 12 images', lambda n, k, h, w: r(n, v(f, k, h, w)), (160, 12, 240, 320), (7, 3, 5, 9))
both('arc_resample', '3M vertices, 4M samples', lambda m, n: r(m, v('u8', n), v(f, n), v(f, n)), (4*M, 3*M), (23, 41))
both('thinfilm_tmm', '96 layers, 20000 wavelengths', lambda k, l: r(k, v(f, l), v(f, l)), (20000, 96), (13, 5))
both('branch_pred', '2M branches, 10 bits', lambda b, n: r(b, v('u16', n), v('u8', n)), (10, 2*M), (4, 63))
both('voxgrid_filter', '2M points', lambda b, n: r(b, v(f, n, 3), v('u8', n)), (6, 2*M), (2, 51))
both('turtle_path', '8000 blocks of 512', lambda b, k: r(0.37, v('i8', b, k)), (8000, 512), (5, 13))
both('token_bucket', '8M packets', lambda n: r(9, 20000, v('u8', n), v('u16', n)), (8*M,), (517,))
both('reuse_time', '3M accesses, 14 bits', lambda b, w, n: r(b, w, v('u32', n)), (14, 4096, 3*M), (5, 16, 131))
both('gini_lorenz', '1M incomes in 500 groups', lambda g, n: r(g, v('u16', n), v('u32', n)), (500, M), (5, 61))
both('kurtosis_blocks', '6M values', lambda m, n: r(m, v(f, n), v('u16', n)), (700, 6*M), (9, 101))
both('oit_resolve', '4M fragments on 720x1280', lambda h, w, n: r(h, w, v('u32', n), v('u8', n), v('u32', n)), (720, 1280, 4*M), (5, 9, 331))
both('kendall_rows', '40000 rows of 64', lambda m, k: r(v('u16', m, k), v('i8', m, k)), (40000, 64), (5, 13))
both('mmc_heap', '40000 replicas of 1000 customers', lambda c, s, n: r(c, s, v('u32', n)), (1000, 8, 40000), (40, 3, 7))
both('lru_cache', '30000 traces of 512', lambda w, b, m, k: r(w, b, v('u32', m, k)), (4, 3, 30000, 512), (3, 1, 5, 71))
both('percolate_uf', '30000 lattices of 16x16', lambda l, n: r(l, v('u32', n)), (16, 30000), (5, 9))
both('pollard_rho', '200K numbers', lambda k, n: r(k, v('u32', n)), (1024, 200000), (256, 17))
both('knight_tour', '60000 tours on 8x8', lambda n, m: r(n, v('u32', m)), (8, 60000), (5, 9))
both('viewshed', '1200x1600', lambda y, x, h, w: r(y, x, 60, v('u16', h, w)), (500, 900, 1200, 1600), (3, 4, 17, 23))
both('bpe_words', '400K words of 16', lambda n, l, t: r(v('u8', n, l), v('u8', n), v('u16', t, t)), (400000, 16, 64), (7, 9, 11))
both('fno_vjp', '48 x 32 channels x 256, 12 modes', lambda b, c, n, k: r(v(f, b, c, n), v(f, b, n), v(f, k, c, c), v(f, k, c, c), v(f, c, c), v(f, c)), (48, 32, 256, 12), (2, 3, 11, 4))
both('vq_ste', '60000 vectors of 16, 256 codes', lambda n, d, k, o: r(0.25, 0.9, v('u8', n, d), v('u8', k, d), v(f, d, o), v(f, n, o)), (60000, 16, 256, 24), (13, 3, 5, 4))
both('deepset_vjp', '1000 sets of 64', lambda b, s, d, h, o: r(v(f, b, s, d), v('u8', b), v('u8', b), v(f, h, d), v(f, h), v(f, h, h), v(f, h, h), v(f, o, h)), (1000, 64, 6, 24, 10), (3, 5, 2, 4, 3))
both('arcface_vjp', 'batch 512, 2048 classes, 64', lambda b, c, d: r(0.8, 0.4, v(f, b, d), v(f, c, d), v('u16', b)), (512, 2048, 64), (5, 7, 6))
both('realnvp_vjp', '60000 points, 4 couplings', lambda n, h, l, k: r(v(f, n, h), v(f, n, h), v(f, l, k, h), v(f, l, h, k), v(f, l, h, k)), (60000, 6, 4, 16), (7, 3, 2, 5))
both('style_gram_vjp', '3x320x320, 16 filters', lambda c, h, w, k: r(0.05, v(f, c, h, w), v(f, c, h, w), v(f, k, c, 3, 3)), (3, 320, 320, 16), (2, 7, 9, 3))
both('segmap_overlay', '19 classes of 180x320 to 720x1280', lambda c, h, w, y, x: r(v('i8', c, h, w), v('u8', y, x), v('u8', y, x, 3)), (19, 180, 320, 720, 1280), (4, 3, 5, 11, 17))
both('steer_g2h2', '1200x1600', lambda h, w: r(v(f, h, w)), (1200, 1600), (7, 11))
both('perm_cycles', '500K permutations of 12', lambda n, m: r(n, v('u64', m)), (12, 500000), (5, 31))
both('kepler_track', '20000 orbits, 200 steps', lambda s, y, x, n: r(s, y, x, v(f, n, 6)), (200, 180, 360, 20000), (7, 5, 9, 11))
both('code_weights', 'dimension 22, length 48', lambda k, l, n: r(k, l, v('u64', n)), (22, 48, 24), (5, 11, 9))
both('edgeconv_max', '48 clouds of 1024, 8 neighbours', lambda k, b, p, c: r(k, v('u8', b, p, 3), v(f, c, 3), v(f, c, 3), v(f, b, c)), (8, 48, 1024, 16), (3, 2, 9, 4))
# The fourteenth lot.
both('kapur_thresh', '4096x4096', lambda n, m: r(v('u8', n, m)), (4096, 4096), (37, 23))
both('peak_load', '8M sessions, 1M slots', lambda s, n: r(s, v('u32', n), v('u16', n)), (1_000_000, 8 * M), (97, 143))
both('waterfall_fill', '8M orders', lambda n: r(0.6, v('u16', n), v('u8', n)), (8 * M,), (121,))
both('tab_expand', '8M characters', lambda n: r(v('u8', n)), (8 * M,), (333,))
both('fifo_cogs', '4M lots, 6M sales', lambda n, m: r(v('u8', n), v('u16', n), v('u8', m)), (4 * M, 6 * M), (51, 77))
both('stick_break', '65536x256', lambda n, k: r(0.05, v(f, n, k), v(f, k)), (65536, 256), (13, 29))
both('discount_curve', '60000x120', lambda n, m: r(0.2, v('f64', n, m)), (60_000, 120), (11, 17))
both('macd_rows', '4000x2520', lambda n, m: r(v(f, n, m)), (4000, 2520), (7, 61))
both('cusum_change', '2048x4096', lambda n, m: r(v('i16', n, m)), (2048, 4096), (9, 53))
both('vtrace', '16384x256', lambda b, t: r(0.5, v(f, b, t), v(f, b, t), v(f, b, t), v(f, b)), (16384, 256), (5, 19))
both('hydropathy', '20000x700', lambda n, m: r(v('u8', n, m)), (20_000, 700), (11, 43))
both('glyph_accum', '1M edges on 2048x2048', lambda h, w, n: r(h, w, v('u16', n), v('u16', n), v('i16', n), v('i16', n)), (2048, 2048, M), (31, 45, 67))
both('compressor_env', '64x200000', lambda c, n: r(0.4, v(f, c, n)), (64, 200_000), (3, 211))
both('seg_streaks', '16M games', lambda n: r(v('u8', n), v('i8', n)), (16 * M,), (301,))
both('ragged_softmax', '10M elements', lambda n: r(v('u8', n), v(f, n), 0.5), (10 * M,), (259,))
both('gap_interp', '8M readings', lambda n: r(v('u8', n), v('u8', n), v(f, n)), (8 * M,), (277,))
both('dense_rank', '2M rows, 100 departments', lambda d, n: r(d, v('u16', n), v('u16', n)), (100, 2 * M), (5, 123))
both('uniq_lines', '8M characters', lambda n: r(v('u8', n)), (8 * M,), (205,))
both('overdraft', '8M transactions', lambda n: r(123, v('u8', n), v('i16', n)), (8 * M,), (319,))
both('ssao', '2160x3840', lambda h, w: r(0.5, v(f, h, w)), (2160, 3840), (23, 37))
both('fxaa', '2160x3840', lambda h, w: r(v('u8', h, w, 3)), (2160, 3840), (19, 27))
both('hillshade', '2400x3200', lambda h, w: r(0.3, 0.5, v(f, h, w)), (2400, 3200), (25, 33))
both('swift_hohenberg', '1024x1536, 40 steps', lambda s, h, w: r(s, 0.3, v(f, h, w)), (40, 1024, 1536), (5, 13, 21))
both('hodgepodge', '1024x2048, 30 generations', lambda g, h, w: r(g, 1, 2, 15, v('u8', h, w)), (30, 1024, 2048), (7, 15, 22))
both('bml_traffic', '2048x2048, 30 steps', lambda s, h, w: r(s, 0.2, v('u8', h, w)), (30, 2048, 2048), (9, 17, 13))
both('cohort_retention', '500k customers, 10M orders', lambda c, n: r(c, v('u32', n), v('u16', n)), (500_000, 10 * M), (31, 207))
both('rfm_score', '1M customers, 8M orders', lambda c, n: r(c, v('u32', n), v('u16', n), v('u16', n)), (1_000_000, 8 * M), (23, 171))
both('debruijn_deg', '60000 reads of 100, k = 11', lambda n, l, k, c: r(k, c, v('u8', n, l)), (60_000, 100, 8, 2), (9, 17, 1, 1))
both('anova_feats', '600k x 24, 12 groups', lambda n, d, g: r(g, v('u8', n), v(f, n, d)), (600_000, 24, 10), (111, 5, 3))
both('irv_tally', '1M ballots, 12 candidates', lambda n, c: r(v('u8', n, c)), (1_000_000, 12), (35, 5))
both('affinity_prop', '1500 points, 20 iterations', lambda i, n: r(i, 0.25, v(f, n), v(f, n)), (20, 1500), (6, 27))
both('auction_assign', '1000x1000, at most 200 rounds', lambda t, n: r(t, v('u8', n, n)), (200, 1000), (500, 19))
both('nmf_mu', '2000x1500, rank 16, 10 iterations', lambda k, i, n, m: r(k, i, v(f, n, m)), (16, 10, 2000, 1500), (3, 5, 21, 17))
both('s4d_kernel', '256 channels, 32 poles, length 1024', lambda h, n, l: r(v(f, h), v(f, h, n), v(f, h, n), v(f, h), v(f, h, l)), (256, 32, 1024), (3, 5, 37))
both('retention', '16 heads, length 1024, width 64', lambda h, l, d: r(v(f, h, l, d), v(f, h, l, d), v(f, h, l, d), v(f, h, l, d)), (16, 1024, 64), (3, 13, 7))
both('qr_huber', '8192 states, 64x64 quantiles', lambda b, n, m: r(0.1, 0.9, v(f, b, n), v(f, b, m), v(f, b)), (8192, 64, 64), (5, 9, 7))
both('rk45_batch', '100000 systems', lambda n: r(8.0, v('f64', n), v('f64', n), v('f64', n)), (100_000,), (23,))
both('golay23', '8M words', lambda n: r(v('u16', n), v('u8', n), v('u8', n), v('u8', n)), (8 * M,), (213,))
both('schelling', '1500x2000, 20 rounds', lambda t, h, w: r(t, 0.5, v('u8', h, w)), (20, 1500, 2000), (6, 19, 23))
both('ifs_flame', '1024x1024, 100k walkers of 100 steps', lambda h, w, s, n: r(h, w, s, v('u32', n)), (1024, 1024, 100, 100_000), (15, 21, 30, 17))

# Programs of several entry points.
ROWS.append(('loops', [
 ('cg_dense', '2000x2000', r(v(f, 2000, 2000), v(f, 2000)), r(v(f, 20, 20), v(f, 20))),
 ('cg_csr', '100k rows, 1M nnz', r(v('i32', 100000), v('i32', 1000000), v('f64', 1000000), v('f64', 100000)), r(v('i32', 30), v('i32', 200), v('f64', 200), v('f64', 30))),
 ('power_iter', '2000x2000', r(v(f, 2000, 2000)), r(v(f, 25, 25))),
 ('jacobi', '1500x1500', r(v('f64', 1500, 1500), v('f64', 1500)), r(v('f64', 20, 20), v('f64', 20))),
 ('logreg_gd', '50000x32', r(v(f, 50000, 32), v('i32', 50000)), r(v(f, 50, 5), v('i32', 50))),
 ('adam_linreg', '20000x64', r(v(f, 20000, 64), v(f, 20000), 50), r(v(f, 40, 6), v(f, 40), 3)),
 ('wave1d', '1M cells, 500 steps', r(v(f, 1000000), v(f, 500), 777777), r(v(f, 60), v(f, 40), -5)),
 ('kmeans', '50000x4, k=20', r(v('f64', 50000, 4), 16), r(v('f64', 80, 3), 1)),
 ('particle_filter', '100k particles, 200 steps', r(v('f64', 100000), v('f64', 200), 42), r(v('f64', 64), v('f64', 12), 42)),
 ('anneal_chains', '200k chains, 400 steps', r(v(f, 200000), v(f, 200000), 300), r(v(f, 30), v(f, 30), 5)),
 ('floyd_warshall', '1000 nodes', r(v('i32', 1000, 1000)), r(v('i32', 18, 18))),
 ('edit_distance', '2000x2500', r(v('i32', 2000), v('i32', 2500)), r(v('i32', 70), v('i32', 55))),
 ('knapsack', '500 items, capacity 200k', r(v('i32', 500), v('i32', 500), v('i32', 200000)), r(v('i32', 20), v('i32', 20), v('i32', 100))),
 ('viterbi', '512 states, 400 steps', r(v(f, 512, 512), v(f, 512, 50), v('i32', 400)), r(v(f, 9, 9), v(f, 9, 4), v('i32', 15))),
 ('hmm_forward', '512 states, 500 steps', r(v('f64', 512, 512), v('f64', 512, 40), v('i32', 500)), r(v('f64', 8, 8), v('f64', 8, 5), v('i32', 20))),
 ('redblack', '1000x1000, 100 sweeps', r(v(f, 1000, 1000), 50), r(v(f, 14, 17), 2)),
 ('euler_network', '50000 nodes, 8 neighbours, 200 steps', r(v('f64', 50000), v('f64', 50000), v('i32', 50000, 8), 100), r(v('f64', 20), v('f64', 20), v('i32', 20, 3), 4)),
 ('metropolis', '500k points, 250 steps', r(v('f64', 500000), 150), r(v('f64', 50), 7)),
 ('gram_schmidt', '1000x300', r(v(f, 1000, 300)), r(v(f, 24, 10))),
 ('slice_stats', '1500x1500', r(v(f, 1500, 1500)), r(v(f, 22, 22))),
 ('pagerank', '100k nodes, 1M edges', r(v(f, 100000), v('i32', 1000000), v('i32', 1000000)), r(v(f, 30), v('i32', 120), v('i32', 120))),
 ('bellman_ford', '50k nodes, 500k edges', r(v('i32', 50000), v('i32', 500000), v('i32', 500000), v('i32', 500000)), r(v('i32', 30), v('i32', 100), v('i32', 100), v('i32', 100))),
 ('lu_pivot', '700x700', r(v('f64', 700, 700)), r(v('f64', 15, 15)))
]))
ROWS.append(('irregular', [
 ('word_count', '20M bytes', r(v('u8', 20000000)), r(v('u8', 200))),
 ('rle', '10M ints', r(v('i32', 10000000)), r(v('i32', 100))),
 ('spmv_coo', '4M entries', r(v('i32', 4000000), v('i32', 4000000), v(f, 4000000), v(f, 100000)), r(v('i32', 100), v('i32', 100), v(f, 100), v(f, 10))),
 ('spmv_csr', '1M rows', r(v('i32', 1000000), v('i32', 5000000), v(f, 5000000), v(f, 100000)), r(v('i32', 20), v('i32', 100), v(f, 100), v(f, 10))),
 ('quickselect', '10M ints', r(v('i32', 10000000), 1234567), r(v('i32', 100), 37)),
 ('components', '1M vertices, 1M edges', r(v('i32', 1000000), v('i32', 1000000), v('u8', 1000000)), r(v('i32', 60), v('i32', 60), v('u8', 70))),
 ('bfs', '2M vertices', r(v('i32', 2000000), v('i32', 7000000), 17), r(v('i32', 60), v('i32', 200), 17)),
 ('radix_sort_pairs', '2M pairs', r(v('i64', 2000000), v(f, 2000000)), r(v('i64', 100), v(f, 100))),
 ('group_stats', '5M rows, 10000 groups', r(v('i32', 5000000), v(f, 5000000), 10000), r(v('i32', 100), v(f, 100), 7)),
 ('hist_equalize', '4000x4000', r(v('u8', 4000, 4000)), r(v('u8', 12, 15))),
 ('paren_depth', '20M bytes', r(v('u8', 20000000)), r(v('u8', 200))),
 ('parse_numbers', '20M bytes', r(v('u8', 20000000)), r(v('u8', 200))),
 ('knn8', '40000 queries, 4000 points', r(v(f, 40000, 3), v(f, 4000, 3)), r(v(f, 10, 3), v(f, 20, 3))),
 ('edit_distance', '500000 pairs', r(v('u8', 500000, 24), v('u8', 500000, 24)), r(v('u8', 10, 24), v('u8', 10, 24))),
 ('sorted_lookup', '4M keys in 4M', r(v('i32', 4000000), v('i32', 4000000)), r(v('i32', 100), v('i32', 50))),
 ('hash_set', '1M keys', r(v('i32', 1000000)), r(v('i32', 100))),
 ('life', '2048x2048, 100 steps', r(v(f, 2048, 2048), 100), r(v(f, 12, 15), 10)),
 ('nqueens', '13 queens', r(v('i32', 16), 13), r(v('i32', 16), 7)),
 ('list_rank', '2M nodes', r(v('i32', 2000000), v('i32', 2000000)), r(v('i32', 100), v('i32', 100))),
 ('merge_intervals', '10M intervals', r(v('i32', 10000000), v('i32', 10000000)), r(v('i32', 100), v('i32', 100))),
 ('flood_fill', '512x512', r(v(f, 512, 512)), r(v(f, 12, 15))),
 ('point_in_polygon', '2M points, 100 corners', r(v('i32', 2000000), v('i32', 2000000), v('i32', 100, 2)), r(v('i32', 50), v('i32', 50), v('i32', 7, 2))),
 ('inverse4', '1M matrices', r(v(f, 1000000, 4, 4)), r(v(f, 10, 4, 4))),
 ('heatmap', '10M points, 500x500', r(v(f, 10000000), v(f, 10000000), v('i32', 10000000), 500), r(v(f, 100), v(f, 100), v('i32', 100), 6)),
 ('row_runs', '4000x4000', r(v('u8', 4000, 4000)), r(v('u8', 12, 15))),
 ('top_k', '10M floats, 16', r(v(f, 10000000), 16), r(v(f, 100), 5)),
 ('drawdown', '20M steps', r(v('i32', 20000000)), r(v('i32', 200)))
]))
# Many small problems at once.
ROWS.append(('batched', [
 ('cholesky_solve', '20000x32x32', d(within('f64', -1.0, 1.0, 20000, 32, 32), within('f64', -1.0, 1.0, 20000, 32)), d(within('f64', -1.0, 1.0, 20, 16, 16), within('f64', -1.0, 1.0, 20, 16))),
 ('cholesky_solve', '200x128x128', d(within('f64', -1.0, 1.0, 200, 128, 128), within('f64', -1.0, 1.0, 200, 128)), d(within('f64', -1.0, 1.0, 33, 16, 16), within('f64', -1.0, 1.0, 33, 16))),
 ('gauss_jordan', '20000x32x32', d(within(f, -1.0, 1.0, 20000, 32, 32)), d(within(f, -1.0, 1.0, 20, 16, 16))),
 ('qr_least_squares', '50000x40x16', d(within(f, -1.0, 1.0, 50000, 40, 16), within(f, -1.0, 1.0, 50000, 40)), d(within(f, -1.0, 1.0, 11, 10, 6), within(f, -1.0, 1.0, 11, 10))),
 ('matrix_chain', '80000x16x8x8', d(within(f, -0.5, 0.5, 80000, 16, 8, 8)), d(within(f, -0.5, 0.5, 7, 16, 8, 8))),
 ('tridiagonal', '90000x128', d(within('f64', -1.0, 1.0, 90000, 128), within('f64', -1.0, 1.0, 90000, 128), within('f64', -1.0, 1.0, 90000, 128), within('f64', -1.0, 1.0, 90000, 128)), d(within('f64', -1.0, 1.0, 15, 16), within('f64', -1.0, 1.0, 15, 16), within('f64', -1.0, 1.0, 15, 16), within('f64', -1.0, 1.0, 15, 16))),
 ('fft_rows', '50000x512', d(within(f, -1.0, 1.0, 50000, 512), within(f, -1.0, 1.0, 50000, 512)), d(within(f, -1.0, 1.0, 13, 16), within(f, -1.0, 1.0, 13, 16))),
 ('fft_rows', '100x65536', d(within(f, -1.0, 1.0, 100, 65536), within(f, -1.0, 1.0, 100, 65536)), d(within(f, -1.0, 1.0, 19, 16), within(f, -1.0, 1.0, 19, 16))),
 ('poly_mul_mod', '5000x128', d(within('i64', 0, 998244352, 5000, 128), within('i64', 0, 998244352, 5000, 128), within('i64', 0, 998244352, 5000), 998244353), d(within('i64', 0, 998244352, 23, 16), within('i64', 0, 998244352, 23, 16), within('i64', 0, 998244352, 23), 998244353)),
 ('bitonic_rows', '20000x256', d(within('i32', -2147483648, 2147483647, 20000, 256)), d(within('i32', -2147483648, 2147483647, 20, 16))),
 ('rank_rows', '5000x256', d(within(f, -1.0, 1.0, 5000, 256)), d(within(f, -1.0, 1.0, 23, 16))),
 ('radix_rows', '20000x256', d(within('u16', 0, 65535, 20000, 256)), d(within('u16', 0, 65535, 20, 16))),
 ('equalize_tiles', '60000x32x32', d(within('u8', 60, 200, 60000, 32, 32)), d(within('u8', 60, 200, 21, 16, 16))),
 ('topk_rows', '120000x500', d(10, within(f, -1.0, 1.0, 120000, 500)), d(10, within(f, -1.0, 1.0, 8, 18))),
 ('median_mad', '100000x500', d(within('i16', -32768, 32767, 100000, 500)), d(within('i16', -32768, 32767, 22, 18))),
 ('lcs', '50000x100', d(within('u8', 0, 3, 50000, 100), within('u8', 0, 3, 50000, 120)), d(within('u8', 0, 3, 13, 19), within('u8', 0, 3, 13, 22))),
 ('smith_waterman', '10000x128', d(3, -2, -1, within('u8', 0, 3, 10000, 128), within('u8', 0, 3, 10000, 128)), d(3, -2, -1, within('u8', 0, 3, 12, 16), within('u8', 0, 3, 12, 16))),
 ('dtw', '20000x128', d(within(f, -1.0, 1.0, 20000, 128), within(f, -1.0, 1.0, 100)), d(within(f, -1.0, 1.0, 20, 16), within(f, -1.0, 1.0, 19))),
 ('floyd_warshall', '6000x64x64', d(within('i32', 0, 100, 6000, 64, 64)), d(within('i32', 0, 100, 21, 16, 16))),
 ('floyd_warshall', '40000x20x20', d(within('i32', 0, 100, 40000, 20, 20)), d(within('i32', 0, 100, 6, 7, 7))),
 ('kmeans_tiles', '4000x256x3', d(8, 10, within('u8', 0, 255, 4000, 256, 3)), d(8, 10, within('u8', 0, 15, 25, 16, 3))),
 ('layer_norm', '100000x768', d(within('f16', -3.0, 3.0, 100000, 768), within('f16', -1.0, 1.0, 768), within('f16', -1.0, 1.0, 768)), d(within('f16', -3.0, 3.0, 22, 27), within('f16', -1.0, 1.0, 27), within('f16', -1.0, 1.0, 27))),
 ('group_norm', '500x64x1024', d(8, within(f, -1.0, 1.0, 500, 64, 1024), within(f, -1.0, 1.0, 64)), d(8, within(f, -1.0, 1.0, 18, 16, 16), within(f, -1.0, 1.0, 16))),
 ('attention', '256x128x64', d(True, within(f, -1.0, 1.0, 256, 128, 64), within(f, -1.0, 1.0, 256, 128, 64), within(f, -1.0, 1.0, 256, 128, 64)), d(True, within(f, -1.0, 1.0, 16, 16, 16), within(f, -1.0, 1.0, 16, 16, 16), within(f, -1.0, 1.0, 16, 16, 16))),
 ('attention', '8x1024x64', d(False, within(f, -1.0, 1.0, 8, 1024, 64), within(f, -1.0, 1.0, 8, 1024, 64), within(f, -1.0, 1.0, 8, 1024, 64)), d(False, within(f, -1.0, 1.0, 8, 16, 16), within(f, -1.0, 1.0, 8, 16, 16), within(f, -1.0, 1.0, 8, 16, 16))),
 ('kalman_tracks', '20000x50x2', d(0.1, 0.01, 0.5, within('f64', -5.0, 5.0, 20000, 50, 2)), d(0.1, 0.01, 0.5, within('f64', -5.0, 5.0, 20, 12, 2))),
 ('lorenz_rk4', '50000', d(500, 0.01, within('f64', 1.0, 5.0, 50000), within('f64', 1.0, 5.0, 50000), within('f64', 1.0, 5.0, 50000), within('f64', 2.0, 12.0, 50000)), d(500, 0.01, within('f64', 1.0, 5.0, 13), within('f64', 1.0, 5.0, 13), within('f64', 1.0, 5.0, 13), within('f64', 2.0, 12.0, 13))),
 ('random_walks', '100000', d(2000, 256, within('i32', -2147483648, 2147483647, 100000)), d(2000, 256, within('i32', -2147483648, 2147483647, 22))),
 ('sobel_tiles', '10000x64x64', d(100, within('u8', 0, 255, 10000, 64, 64)), d(100, within('u8', 0, 255, 12, 16, 16))),
 ('life', '2000x32x32', d(50, within('bool', 0, 1, 2000, 32, 32)), d(50, within('bool', 0, 1, 29, 16, 16))),
 ('ell_jacobi', '10000x128x8', d(30, within('i32', 0, 127, 10000, 128, 8), within('f64', -1.0, 1.0, 10000, 128, 8), within('f64', -1.0, 1.0, 10000, 128)), d(30, within('i32', 0, 15, 12, 16, 8), within('f64', -1.0, 1.0, 12, 16, 8), within('f64', -1.0, 1.0, 12, 16))),
 ('match_records', '400000x400', d(within('u8', 97, 99, 400000, 400), within('u8', 97, 99, 4)), d(within('u8', 97, 99, 17, 33), within('u8', 97, 99, 4))),
 ('stack_programs', '100000x500', d(within('u8', 0, 255, 100000, 500)), d(within('u8', 0, 255, 22, 18)))
]))
# Long arrays.
ROWS.append(('bulk', [
 ('compact', '20000000', d(0, within('i32', -1000000, 1000000, 20000000)), d(0, within('i32', -1000000, 1000000, 9))),
 ('run_lengths', '20000000', d(within('u8', 0, 2, 20000000)), d(within('u8', 0, 2, 9))),
 ('dedupe', '2000000', d(within('u32', 0, 1000000, 2000000)), d(within('u32', 0, 1000000, 11))),
 ('group_stats', '2000000', d(within('i32', 0, 65535, 2000000), within('f64', -1.0, 1.0, 2000000)), d(within('i32', 0, 65535, 11), within('f64', -1.0, 1.0, 11))),
 ('select_trades', '10000000', d(30.0, 80.0, within('i64', 0, 1000000000000, 10000000), within('i32', 0, 9999, 10000000), within(f, 0.0, 100.0, 10000000), within('u8', 0, 255, 10000000)), d(30.0, 80.0, within('i64', 0, 1000000000000, 7), within('i32', 0, 9999, 7), within(f, 0.0, 100.0, 7), within('u8', 0, 255, 7))),
 ('expand_counts', '5000000', d(within('i32', 0, 6, 5000000), within(f, -1.0, 1.0, 5000000)), d(within('i32', 0, 6, 20), within(f, -1.0, 1.0, 20))),
 ('topk_select', '20000000', d(1000, within('u32', 0, 4294967295, 20000000)), d(3, within('u32', 0, 4294967295, 9))),
 ('counting_sort', '60000000', d(1024, within('i16', 0, 1023, 60000000)), d(1024, within('i16', 0, 1023, 19))),
 ('counting_sort', '60000000', d(16, within('i16', 0, 15, 60000000)), d(16, within('i16', 0, 15, 19))),
 ('split_outliers', '20000000', d(1.2, within('f64', -1.0, 1.0, 20000000)), d(1.2, within('f64', -1.0, 1.0, 9))),
 ('bucket_sample', '30000000', d(100000, within('i32', 0, 99999, 30000000), within(f, -1.0, 1.0, 30000000)), d(100000, within('i32', 0, 99999, 12), within(f, -1.0, 1.0, 12))),
 ('join_lookup', '2000000', d(ordered('i64', 0, 100000000, 2000000), within(f, -1.0, 1.0, 2000000), within('i64', 0, 100000000, 5000000)), d(ordered('i64', 0, 100000000, 11), within(f, -1.0, 1.0, 11), within('i64', 0, 100000000, 20))),
 ('merge_sorted', '5000000', d(ordered('i32', 0, 2147483647, 5000000), ordered('i32', 0, 2147483647, 5000000)), d(ordered('i32', 0, 2147483647, 20), ordered('i32', 0, 2147483647, 20))),
 ('sparse_add', '3000000', d(ordered('i64', 0, 10000000, 3000000), within('f64', -1.0, 1.0, 3000000), ordered('i64', 0, 10000000, 2000000), within('f64', -1.0, 1.0, 2000000)), d(ordered('i64', 0, 10000000, 14), within('f64', -1.0, 1.0, 14), ordered('i64', 0, 10000000, 11), within('f64', -1.0, 1.0, 11))),
 ('histogram_2d', '40000000', d(256, 256, within(f, 0.0, 1.0, 40000000), within(f, 0.0, 1.0, 40000000)), d(256, 256, within(f, 0.0, 1.0, 14), within(f, 0.0, 1.0, 14))),
 ('histogram_2d', '10000000', d(2000, 1500, within(f, 0.0, 1.0, 10000000), within(f, 0.0, 1.0, 10000000)), d(2000, 1500, within(f, 0.0, 1.0, 7), within(f, 0.0, 1.0, 7))),
 ('equalize_12bit', '80000000', d(within('u16', 0, 4095, 80000000)), d(within('u16', 0, 4095, 24))),
 ('moving_stats', '10000000', d(100, within('f64', -1.0, 1.0, 10000000)), d(100, within('f64', -1.0, 1.0, 7))),
 ('drawdown', '20000000', d(within(f, -0.01, 0.01, 20000000)), d(within(f, -0.01, 0.01, 9))),
 ('segment_totals', '20000000', d(within('bool', 0, 1, 20000000), within(f, -1.0, 1.0, 20000000)), d(within('bool', 0, 1, 9), within(f, -1.0, 1.0, 9))),
 ('fill_gaps', '20000000', d(within('bool', 0, 1, 20000000), within(f, -1.0, 1.0, 20000000)), d(within('bool', 0, 1, 9), within(f, -1.0, 1.0, 9))),
 ('sessionize', '10000000', d(300, ordered('i64', 0, 1000000000, 10000000), within('i32', 0, 100000, 10000000)), d(300, ordered('i64', 0, 1000000000, 7), within('i32', 0, 100000, 7))),
 ('ohlc', '20000000', d(10000, 1000, ordered('i64', 0, 9999999, 20000000), within(f, 90.0, 110.0, 20000000), within('i32', 1, 1000, 20000000)), d(10000, 1000, ordered('i64', 0, 9999999, 9), within(f, 90.0, 110.0, 9), within('i32', 1, 1000, 9))),
 ('linear_recurrence', '20000000', d(within('f64', -1.0, 1.0, 20000000), within('f64', -1.0, 1.0, 20000000), 0.5), d(within('f64', -1.0, 1.0, 9), within('f64', -1.0, 1.0, 9), 0.5)),
 ('moments', '20000000', d(within('f64', 0.0, 3.0, 20000000)), d(within('f64', 0.0, 3.0, 9))),
 ('complex_dot', '20000000', d(within(f, -0.5, 1.0, 20000000), within(f, -0.5, 1.0, 20000000), within(f, -0.5, 1.0, 20000000), within(f, -0.5, 1.0, 20000000)), d(within(f, -0.5, 1.0, 9), within(f, -0.5, 1.0, 9), within(f, -0.5, 1.0, 9), within(f, -0.5, 1.0, 9))),
 ('max_subarray', '40000000', d(within('i32', -1000, 1000, 40000000)), d(within('i32', -1000, 1000, 14))),
 ('checksums', '60000000', d(within('u8', 0, 255, 60000000)), d(within('u8', 0, 255, 19))),
 ('half_summary', '50000000', d(within('f16', -9.0, 9.0, 50000000)), d(within('f16', -9.0, 9.0, 17))),
 ('varint_encode', '15000000', d(within('i32', -100000, 100000, 15000000)), d(within('i32', -100000, 100000, 23))),
 ('parse_numbers', '20000000', d(within('u8', 47, 58, 20000000)), d(within('u8', 47, 58, 9))),
 ('word_lengths', '20000000', d(32, within('u8', 60, 125, 20000000)), d(32, within('u8', 60, 125, 9))),
 ('utf8_check', '30000000', d(within('u8', 0, 255, 30000000)), d(within('u8', 0, 255, 12))),
 ('bracket_pairs', '8000000', d(within('bool', 0, 1, 8000000)), d(within('bool', 0, 1, 30))),
 ('csv_fields', '20000000', d(within('u8', 0, 127, 20000000)), d(within('u8', 0, 127, 9))),
 ('quantize_blocks', '20000000', d(32, within(f, -1.0, 1.0, 20000000)), d(32, within(f, -1.0, 1.0, 9))),
 ('quantize_blocks', '20000000', d(1024, within(f, -1.0, 1.0, 20000000)), d(1024, within(f, -1.0, 1.0, 9))),
 ('pack_bits', '30000000', d(11, within('u32', 0, 2047, 30000000)), d(11, within('u32', 0, 2047, 12))),
 ('list_ranks', '4194304', d(4194304, 1664525, 1013904223, 12345), d(64, 1664525, 1013904223, 12345)),
 ('lf_mapping', '5000000', d(within('u8', 97, 122, 5000000)), d(within('u8', 97, 122, 20)))
]))
# Columns of tables.
ROWS.append(('analytics', [
 ('group_moments', '20000000, 10', d(10, within('i32', 0, 2147483647, 20000000), within('f64', -1.0, 3.0, 20000000)), d(5, within('i32', 0, 2147483647, 40), within('f64', -1.0, 3.0, 40))),
 ('group_moments', '20000000, 1000', d(1000, within('i32', 0, 2147483647, 20000000), within('f64', -1.0, 3.0, 20000000)), d(5, within('i32', 0, 2147483647, 40), within('f64', -1.0, 3.0, 40))),
 ('group_moments', '10000000, 1000000', d(1000000, within('i32', 0, 2147483647, 10000000), within('f64', -1.0, 3.0, 10000000)), d(5, within('i32', 0, 2147483647, 40), within('f64', -1.0, 3.0, 40))),
 ('group_extents', '20000000, 10', d(10, within('i32', 0, 2147483647, 20000000), within(f, -10.0, 10.0, 20000000), within('u8', 0, 255, 20000000)), d(6, within('i32', 0, 2147483647, 30), within(f, -10.0, 10.0, 30), within('u8', 0, 255, 30))),
 ('group_extents', '15000000, 1000', d(1000, within('i32', 0, 2147483647, 15000000), within(f, -10.0, 10.0, 15000000), within('u8', 0, 255, 15000000)), d(6, within('i32', 0, 2147483647, 30), within(f, -10.0, 10.0, 30), within('u8', 0, 255, 30))),
 ('group_extents', '5000000, 300000', d(300000, within('i32', 0, 2147483647, 5000000), within(f, -10.0, 10.0, 5000000), within('u8', 0, 255, 5000000)), d(6, within('i32', 0, 2147483647, 30), within(f, -10.0, 10.0, 30), within('u8', 0, 255, 30))),
 ('weighted_histograms', '20000000, 1000', d(1000, within(f, 0.0, 1.0, 20000000), within(f, 0.0, 1.0, 20000000)), d(7, within(f, 0.0, 1.0, 50), within(f, 0.0, 1.0, 50))),
 ('weighted_histograms', '10000000, 100000', d(100000, within(f, 0.0, 1.0, 10000000), within(f, 0.0, 1.0, 10000000)), d(7, within(f, 0.0, 1.0, 50), within(f, 0.0, 1.0, 50))),
 ('best_per_group', '20000000, 50', d(50, within('u16', 0, 65535, 20000000), within('i32', 0, 1000, 20000000), within(f, 0.0, 5.0, 20000000)), d(5, within('u16', 0, 65535, 40), within('i32', 0, 3, 40), within(f, 0.0, 5.0, 40))),
 ('best_per_group', '20000000, 20000', d(20000, within('u16', 0, 65535, 20000000), within('i32', 0, 1000, 20000000), within(f, 0.0, 5.0, 20000000)), d(5, within('u16', 0, 65535, 40), within('i32', 0, 3, 40), within(f, 0.0, 5.0, 40))),
 ('cooccurrence', '400000x8, 300', d(300, within('i32', 0, 299, 400000, 8)), d(9, within('i32', 0, 8, 20, 4))),
 ('cooccurrence', '500000x6, 2000', d(2000, within('i32', 0, 1999, 500000, 6)), d(12, within('i32', 0, 11, 9, 3))),
 ('pivot_table', '20000000, 24, 365', d(24, 365, within('u8', 0, 255, 20000000), within('i16', 0, 32767, 20000000), within(f, 0.0, 100.0, 20000000)), d(4, 5, within('u8', 0, 255, 50), within('i16', 0, 32767, 50), within(f, 0.0, 100.0, 50))),
 ('order_by_three', '500000', d(within('u8', 0, 5, 500000), within('i32', -500, 500, 500000), within(f, -9.0, 9.0, 500000)), d(within('u8', 0, 2, 40), within('i32', -2, 2, 40), within(f, -9.0, 9.0, 40))),
 ('merge_sort_pairs', '1000000', d(within('i16', -300, 300, 1000000), within('f64', 0.0, 1.0, 1000000)), d(within('i16', -2, 2, 45), within('f64', 0.0, 1.0, 45))),
 ('bitonic_codes', '600000', d(within('u16', 0, 5000, 600000)), d(within('u16', 0, 9, 37))),
 ('top_n_per_group', '1000000, 1000, 5', d(1000, 5, within('i32', 0, 2147483647, 1000000), within(f, -5.0, 5.0, 1000000)), d(6, 3, within('i32', 0, 2147483647, 30), within(f, -5.0, 5.0, 30))),
 ('distinct_counts', '2000000, 500, 10000', d(500, 10000, within('i32', 0, 2147483647, 2000000), within('i32', 0, 2147483647, 2000000)), d(4, 70, within('i32', 0, 2147483647, 60), within('i32', 0, 2147483647, 60))),
 ('window_functions', '1000000', d(ordered('i64', 0, 20000, 1000000), within('i16', -50, 50, 1000000), within(f, 0.0, 10.0, 1000000)), d(ordered('i64', 0, 5, 40), within('i16', -2, 2, 40), within(f, 0.0, 10.0, 40))),
 ('ema_segments', '10000000, 3.0', d(3.0, within('bool', 0, 1, 10000000), within(f, 0.1, 2.0, 10000000), within(f, 0.0, 10.0, 10000000)), d(3.0, within('bool', 0, 1, 33), within(f, 0.1, 2.0, 33), within(f, 0.0, 10.0, 33))),
 ('resample', '5000000, 7', d(7, within('i32', 1, 20, 5000000), within(f, -3.0, 3.0, 5000000)), d(7, within('i32', 1, 20, 40), within(f, -3.0, 3.0, 40))),
 ('run_statistics', '20000000, 4, 32', d(4, 32, within('u8', 0, 3, 20000000)), d(3, 3, within('u8', 0, 2, 60))),
 ('quantiles', '3000000', d(within('f64', 0.0, 1.0, 7), within(f, -100.0, 100.0, 3000000)), d(within('f64', 0.0, 1.0, 4), within(f, -100.0, 100.0, 50))),
 ('clip_outliers', '8x2000000, 4, 2.0', d(4, 2.0, within(f, -2.0, 2.0, 8, 2000000)), d(3, 1.5, within(f, -2.0, 2.0, 3, 40))),
 ('clip_outliers', '20000x800, 4, 2.0', d(4, 2.0, within(f, -2.0, 2.0, 20000, 800)), d(3, 1.5, within(f, -2.0, 2.0, 9, 7))),
 ('bucketize', '10000000, 42', d(42, ordered('i64', -1000000000, 1000000000, 1000), within('i32', -1000000000, 1000000000, 10000000)), d(42, ordered('i64', -100, 100, 6), within('i32', -110, 110, 50))),
 ('bootstrap', '1000000, 5000, 20000, 7', d(5000, 20000, 7, within(f, -1.0, 4.0, 1000000)), d(6, 20, 7, within(f, -1.0, 4.0, 40))),
 ('hash_join', '4000000', d(within('i32', 0, 1500000, 1000000), within('i32', -100, 1000, 1000000), within('i32', 0, 2000000, 4000000)), d(within('i32', 0, 40, 50), within('i32', -100, 1000, 50), within('i32', 0, 60, 30))),
 ('merge_join', '3000000', d(ordered('i64', 0, 2000000, 3000000), ordered('i64', 0, 2000000, 2000000), within(f, 1.0, 9.0, 3000000), within(f, 0.0, 5.0, 2000000)), d(ordered('i64', 0, 30, 25), ordered('i64', 0, 30, 30), within(f, 1.0, 9.0, 25), within(f, 0.0, 5.0, 30))),
 ('semi_join', '15000000, 5000000', d(5000000, within('i32', 0, 4999999, 15000000), within('i32', 0, 10000, 15000000), within('i32', 0, 4999999, 3000000)), d(70, within('i32', 0, 69, 50), within('i32', 0, 10000, 50), within('i32', 0, 69, 30))),
 ('bloom_filter', '5000000, 500000', d(500000, within('i32', 0, 2147483647, 1500000), within('i32', 0, 2147483647, 5000000)), d(5, within('i32', 0, 100, 20), within('i32', 0, 100, 60))),
 ('count_min', '10000000, 4, 4096', d(4, 4096, within('i32', 0, 100000, 10000000), within('u8', 0, 255, 10000000), within('i32', 0, 200000, 1000000)), d(3, 16, within('i32', 0, 30, 40), within('u8', 0, 255, 40), within('i32', 0, 60, 20))),
 ('hyperloglog', '20000000, 16, 12', d(16, 12, within('u8', 0, 255, 20000000), within('i32', 0, 2147483647, 20000000)), d(3, 4, within('u8', 0, 255, 60), within('i32', 0, 2147483647, 60))),
 ('naive_bayes', '1000000x20, 10, 16, 100000', d(10, 16, 100000, within('u8', 0, 255, 1000000, 20), within('u8', 0, 255, 1000000)), d(3, 4, 7, within('u8', 0, 255, 30, 5), within('u8', 0, 255, 30))),
 ('hashed_logistic', '500000x10, 65536, 8, 2.0', d(65536, 8, 2.0, within('i32', 0, 100000, 500000, 10), within('bool', 0, 1, 500000)), d(16, 4, 2.0, within('i32', 0, 50, 25, 4), within('bool', 0, 1, 25))),
 ('encodings', '1000000', d(within('i32', -20, 20, 1000000), within('bool', 0, 1, 1000000)), d(within('i32', -5, 5, 30), within('bool', 0, 1, 30))),
 ('correlations', '500000x32', d(within(f, -1.0, 2.0, 500000, 32)), d(within(f, -1.0, 2.0, 30, 5))),
 ('confusion', '20000000, 20', d(20, within('u8', 0, 255, 20000000), within('u8', 0, 255, 20000000)), d(4, within('u8', 0, 255, 60), within('u8', 0, 255, 60))),
 ('roc_auc', '3000000', d(within(f, 0.0, 1.0, 3000000), within('u8', 0, 255, 3000000)), d(within(f, 0.0, 1.0, 50), within('u8', 0, 255, 50))),
 ('kfold_regression', '10000000, 10', d(10, within(f, -1.0, 2.0, 10000000), within(f, -1.0, 1.0, 10000000)), d(3, within(f, -1.0, 2.0, 50), within(f, -1.0, 1.0, 50))),
 ('dictionary_column', '2000x12, 102, 110', d(102, 110, within('u8', 97, 122, 2000, 12), within('i32', 0, 1000, 2000), within('i32', 0, 1999, 5000000)), d(97, 98, within('u8', 97, 99, 9, 4), within('i32', 0, 1000, 9), within('i32', 0, 8, 30)))
]))
# Graphs, sparse matrices, geometry, search.
ROWS.append(('graphs', [
 ('csr_build', '1000000, 100000', d(100000, within('i32', 0, 99999, 1000000), within('i32', 0, 99999, 1000000)), d(9, within('i32', 0, 8, 40), within('i32', 0, 8, 40))),
 ('csr_transpose', '200000, 50000', d(50000, within('i32', 0, 12, 200000)), d(7, within('i32', 0, 4, 15))),
 ('degree_stats', '8000000, 1000000', d(1000000, within('i32', 0, 999999, 8000000), within('i32', 0, 999999, 8000000)), d(10, within('i32', 0, 9, 40), within('i32', 0, 9, 40))),
 ('spmv_formats', '1000000', d(within('i32', 0, 99999, 1000000), within('i32', 0, 99999, 1000000), within(f, -1.0, 1.0, 1000000), within('f64', -1.0, 1.0, 100000)), d(within('i32', 0, 11, 40), within('i32', 0, 11, 40), within(f, -1.0, 1.0, 40), within('f64', -1.0, 1.0, 12))),
 ('spmm_sddmm', '60000x32', d(within('u8', 0, 255, 60000), within('i32', 0, 49999, 60000, 32), within(f, -1.0, 1.0, 60000, 32), within(f, -1.0, 1.0, 50000, 64)), d(within('u8', 0, 255, 12), within('i32', 0, 9, 12, 5), within(f, -1.0, 1.0, 12, 5), within(f, -1.0, 1.0, 10, 4))),
 ('sparse_powers', '300000x8, 40', d(40, within('i32', 0, 299999, 300000, 8), within('f64', 0.1, 1.0, 300000, 8), within('f64', 0.1, 1.0, 300000)), d(5, within('i32', 0, 11, 12, 3), within('f64', 0.1, 1.0, 12, 3), within('f64', 0.1, 1.0, 12))),
 ('pagerank', '4000000, 300000, 10, 0.85', d(300000, 10, 0.85, within('i32', 0, 299999, 4000000), within('i32', 0, 299999, 4000000)), d(12, 6, 0.85, within('i32', 0, 11, 20), within('i32', 0, 11, 20))),
 ('hits', '2000000, 200000, 20', d(200000, 20, within('i32', 0, 199999, 2000000), within('i32', 0, 199999, 2000000)), d(12, 4, within('i32', 0, 11, 40), within('i32', 0, 11, 40))),
 ('label_propagation', '300000x12, 5, 5000', d(5, 5000, within('i32', 0, 299999, 300000, 12)), d(3, 5, within('i32', 0, 19, 20, 4))),
 ('components', '800000, 1000000', d(1000000, within('i32', 0, 999999, 800000), within('i32', 0, 999999, 800000)), d(30, within('i32', 0, 29, 20), within('i32', 0, 29, 20))),
 ('luby_mis', '1200000, 300000', d(300000, within('i32', 0, 299999, 1200000), within('i32', 0, 299999, 1200000)), d(15, within('i32', 0, 14, 25), within('i32', 0, 14, 25))),
 ('colouring', '1000000, 200000', d(200000, within('i32', 0, 199999, 1000000), within('i32', 0, 199999, 1000000)), d(15, within('i32', 0, 14, 40), within('i32', 0, 14, 40))),
 ('triangles', '400000, 5000', d(5000, within('i32', 0, 4999, 400000), within('i32', 0, 4999, 400000)), d(10, within('i32', 0, 9, 50), within('i32', 0, 9, 50))),
 ('kcore', '600000, 100000', d(100000, within('i32', 0, 99999, 600000), within('i32', 0, 99999, 600000)), d(14, within('i32', 0, 13, 40), within('i32', 0, 13, 40))),
 ('bfs', '1500000, 300000, 17', d(300000, 17, within('i32', 0, 299999, 1500000), within('i32', 0, 299999, 1500000)), d(20, 3, within('i32', 0, 19, 35), within('i32', 0, 19, 35))),
 ('sssp_parents', '600000, 100000, 5', d(100000, 5, within('i32', 0, 99999, 600000), within('i32', 0, 99999, 600000), within('i32', 1, 100, 600000)), d(15, 5, within('i32', 0, 14, 35), within('i32', 0, 14, 35), within('i32', 1, 9, 35))),
 ('delta_rounds', '600000, 100000, 50', d(100000, 50, within('i32', 0, 99999, 600000), within('i32', 0, 99999, 600000), within('i32', 1, 200, 600000)), d(15, 5, within('i32', 0, 14, 35), within('i32', 0, 14, 35), within('i32', 1, 20, 35))),
 ('boruvka', '1500000, 300000', d(300000, within('i32', 0, 299999, 1500000), within('i32', 0, 299999, 1500000), within('i32', 0, 10000, 1500000)), d(15, within('i32', 0, 14, 30), within('i32', 0, 14, 30), within('i32', 0, 5, 30))),
 ('walk_visits', '200000x8, 1000000, 50', d(1000000, 50, within('i32', 0, 199999, 200000, 8)), d(9, 6, within('i32', 0, 11, 12, 3))),
 ('prim_points', '8000', d(within('i32', -10000, 10000, 8000), within('i32', -10000, 10000, 8000)), d(within('i32', -9, 9, 20), within('i32', -9, 9, 20))),
 ('union_find', '20000, 20000', d(20000, within('i32', 0, 19999, 20000), within('i32', 0, 19999, 20000)), d(20, within('i32', 0, 19, 25), within('i32', 0, 19, 25))),
 ('topo_levels', '1000000, 200000', d(200000, within('i32', 0, 199999, 1000000), within('i32', 0, 199999, 1000000)), d(15, within('i32', 0, 14, 30), within('i32', 0, 14, 30))),
 ('tree_depths', '2000000', d(within('i32', 0, 2147483647, 2000000), within('i32', 0, 100, 2000000)), d(within('i32', 0, 2147483647, 30), within('i32', 0, 100, 30))),
 ('euler_tour', '500000', d(within('i32', 0, 2147483647, 500000)), d(within('i32', 0, 2147483647, 30))),
 ('lca_queries', '2000000', d(within('i32', 0, 2147483647, 500000), within('i32', 0, 499999, 2000000), within('i32', 0, 499999, 2000000)), d(within('i32', 0, 2147483647, 30), within('i32', 0, 29, 25), within('i32', 0, 29, 25))),
 ('cell_neighbours', '300000, 200, 100', d(200, 100, within('i32', 0, 19999, 300000), within('i32', 0, 19999, 300000)), d(5, 10, within('i32', 0, 49, 30), within('i32', 0, 49, 30))),
 ('convex_layers', '50000, 10', d(10, within('i32', -100000, 100000, 50000), within('i32', -100000, 100000, 50000)), d(3, within('i32', -8, 8, 30), within('i32', -8, 8, 30))),
 ('point_location', '40x25', d(within('i32', 0, 1000, 300000), within('i32', 0, 1000, 300000), within('i32', 0, 1000, 40, 25), within('i32', 0, 1000, 40, 25)), d(within('i32', 0, 20, 40), within('i32', 0, 20, 40), within('i32', 0, 20, 4, 5), within('i32', 0, 20, 4, 5))),
 ('polygon_areas', '10000000', d(within('bool', 0, 1, 10000000), within('i32', -1000, 1000, 10000000), within('i32', -1000, 1000, 10000000)), d(within('bool', 0, 1, 40), within('i32', -10, 10, 40), within('i32', -10, 10, 40))),
 ('marching_squares', '1500x1600', d(within(f, -0.9, 0.9, 10), within(f, -1.0, 1.0, 1500, 1600)), d(within(f, -0.9, 0.9, 3), within(f, -1.0, 1.0, 6, 7))),
 ('morton_bvh', '100000x3, 0.02', d(within(f, 0.0, 1.0, 300000), within(f, 0.0, 1.0, 300000), within(f, 0.0, 1.0, 300000), within(f, 0.0, 1.0, 100000, 3), 0.02), d(within(f, 0.0, 1.0, 30), within(f, 0.0, 1.0, 30), within(f, 0.0, 1.0, 30), within(f, 0.0, 1.0, 12, 3), 0.25)),
 ('queens', 'n, 14', d(14), d(6)),
 ('subset_sums', '2000x18, 600', d(600, within('u8', 0, 255, 2000, 18)), d(150, within('u8', 0, 50, 9, 7))),
 ('puzzle_heuristics', '1000000x16', d(within('u8', 0, 255, 1000000, 16)), d(within('u8', 0, 255, 20, 16))),
 ('knapsack', '3000, 50000', d(50000, within('i32', 1, 200, 3000), within('i32', 1, 1000, 3000)), d(40, within('i32', 1, 20, 12), within('i32', 1, 30, 12))),
 ('lis_rows', '20000x500', d(within('i32', 0, 1000, 20000, 500)), d(within('i32', 0, 25, 6, 20))),
 ('intervals', '20000', d(within('i32', 0, 1000000, 20000), within('i32', 1, 3000, 20000), within('i32', 1, 100, 20000)), d(within('i32', 0, 60, 25), within('i32', 1, 12, 25), within('i32', 1, 9, 25))),
 ('edit_diagonals', '8000', d(within('u8', 97, 100, 8000), within('u8', 97, 100, 7000)), d(within('u8', 97, 100, 15), within('u8', 97, 100, 11))),
 ('schedule_rounds', '500000x3', d(within('i32', 0, 2147483647, 500000, 3), within('i32', 1, 100, 500000)), d(within('i32', 0, 2147483647, 25, 3), within('i32', 1, 9, 25))),
 ('closure', '5000, 3000', d(3000, within('i32', 0, 2999, 5000), within('i32', 0, 2999, 5000)), d(20, within('i32', 0, 19, 25), within('i32', 0, 19, 25))),
 ('chain_order', '601', d(within('i32', 5, 100, 601)), d(within('i32', 5, 100, 9)))
]))
# Reductions, scans, histograms and the like along all axes, of many shapes.
ROWS.append(('axes', [
 ('softmax_mid', '2000x50x200', d(within(f, -4, 4, 2000, 50, 200)), d(within(f, -4, 4, 3, 5, 7))),
 ('softmax_mid', '3x400000x5', d(within(f, -4, 4, 3, 400000, 5)), d(within(f, -4, 4, 2, 37, 3))),
 ('argmax_first', '4000x4000', d(within(f, -10, 10, 4000, 4000)), d(within(f, -10, 10, 13, 7))),
 ('argmax_first', '6000000x3', d(within(f, -10, 10, 6000000, 3)), d(within(f, -10, 10, 101, 2))),
 ('meanvar_last', '200x200000', d(within(f, -10, 10, 200, 200000)), d(within(f, -10, 10, 3, 65))),
 ('meanvar_last', '4000000x7', d(within(f, -10, 10, 4000000, 7)), d(within(f, -10, 10, 33, 7))),
 ('norms3', '300x200x400', d(within(f, -3, 3, 300, 200, 400)), d(within(f, -3, 3, 5, 3, 7))),
 ('norms3', '5x1000000x3', d(within(f, -3, 3, 5, 1000000, 3)), d(within(f, -3, 3, 2, 19, 3))),
 ('lse4d', '40x50x100x60', d(within(f, -3, 3, 40, 50, 100, 60)), d(within(f, -3, 3, 2, 3, 5, 7))),
 ('lse4d', '3x7x200000x5', d(within(f, -3, 3, 3, 7, 200000, 5)), d(within(f, -3, 3, 3, 2, 33, 3))),
 ('cov3', '2000x3000x3', d(within(f, -1, 2, 2000, 3000, 3)), d(within(f, -1, 2, 3, 17, 3))),
 ('cov3', '5x1500000x3', d(within(f, -1, 2, 5, 1500000, 3)), d(within(f, -1, 2, 2, 101, 3))),
 ('tiny_types', '2000x8000 2000x8000 2000x8000 2000x8000', d(within('f16', -8, 8, 2000, 8000), within('i8', -128, 127, 2000, 8000), within('u16', 0, 65535, 2000, 8000), within('bool', 0, 1, 2000, 8000)), d(within('f16', -8, 8, 5, 9), within('i8', -128, 127, 5, 9), within('u16', 0, 65535, 5, 9), within('bool', 0, 1, 5, 9))),
 ('tiny_types', '3000000x5 3000000x5 3000000x5 3000000x5', d(within('f16', -8, 8, 3000000, 5), within('i8', -128, 127, 3000000, 5), within('u16', 0, 65535, 3000000, 5), within('bool', 0, 1, 3000000, 5)), d(within('f16', -8, 8, 19, 5), within('i8', -128, 127, 19, 5), within('u16', 0, 65535, 19, 5), within('bool', 0, 1, 19, 5))),
 ('viterbi3', '1000x2000x3x3', d(within('i32', -50, 50, 1000, 2000, 3, 3)), d(within('i32', -50, 50, 3, 7, 3, 3))),
 ('viterbi3', '3x700000x3x3', d(within('i32', -50, 50, 3, 700000, 3, 3)), d(within('i32', -50, 50, 2, 41, 3, 3))),
 ('smooth_first', '6000 2000x6000', d(within(f, 0.3, 0.95, 6000), within(f, -1, 1, 2000, 6000)), d(within(f, 0.3, 0.95, 5), within(f, -1, 1, 11, 5))),
 ('smooth_first', '3 3000000x3', d(within(f, 0.3, 0.95, 3), within(f, -1, 1, 3000000, 3)), d(within(f, 0.3, 0.95, 3), within(f, -1, 1, 77, 3))),
 ('cummax_mid', '100x500x400', d(within('i16', 0, 32000, 100, 500, 400)), d(within('i16', 0, 32000, 3, 7, 5))),
 ('cummax_mid', '300000x5x7', d(within('i16', 0, 32000, 300000, 5, 7)), d(within('i16', 0, 32000, 9, 2, 3))),
 ('segsum_rows', '1000x20000 1000x20000', d(within('bool', 0, 1, 1000, 20000), within('i32', -100, 100, 1000, 20000)), d(within('bool', 0, 1, 3, 17), within('i32', -100, 100, 3, 17))),
 ('segsum_rows', '4x4000000 4x4000000', d(within('bool', 0, 1, 4, 4000000), within('i32', -100, 100, 4, 4000000)), d(within('bool', 0, 1, 2, 65), within('i32', -100, 100, 2, 65))),
 ('affine_path', '3000000 3000000', d(within('f64', -0.5, 0.5, 3000000), within('f64', 0, 1, 3000000)), d(within('f64', -0.5, 0.5, 101), within('f64', 0, 1, 101))),
 ('scan_tiny_first', '3000x5000 3000x5000 3000x5000', d(within('f16', -8, 8, 3000, 5000), within('u16', 0, 65535, 3000, 5000), within('bool', 0, 1, 3000, 5000)), d(within('f16', -8, 8, 9, 5), within('u16', 0, 65535, 9, 5), within('bool', 0, 1, 9, 5))),
 ('scan_tiny_first', '2000000x3 2000000x3 2000000x3', d(within('f16', -8, 8, 2000000, 3), within('u16', 0, 65535, 2000000, 3), within('bool', 0, 1, 2000000, 3)), d(within('f16', -8, 8, 67, 2), within('u16', 0, 65535, 67, 2), within('bool', 0, 1, 67, 2))),
 ('box_mean', '5 3000x4000', d(5, within('i32', 0, 255, 3000, 4000)), d(2, within('i32', 0, 255, 7, 11))),
 ('hist_rows', '3000x10000', d(within('u8', 0, 255, 3000, 10000)), d(within('u8', 0, 255, 3, 19))),
 ('hist_rows', '60000x48', d(within('u8', 0, 255, 60000, 48)), d(within('u8', 0, 255, 7, 5))),
 ('rows_by_label', '50 300000 300000x32', d(50, within('i32', -1, 50, 300000), within(f, 0, 1, 300000, 32)), d(5, within('i32', -1, 5, 31), within(f, 0, 1, 31, 3))),
 ('rows_by_label', '100000 4000000 4000000x3', d(100000, within('i32', -1, 100000, 4000000), within(f, 0, 1, 4000000, 3)), d(11, within('i32', -1, 11, 23), within(f, 0, 1, 23, 2))),
 ('hist_2d', '16 20000000 20000000', d(16, within('u8', 0, 255, 20000000), within('u8', 0, 255, 20000000)), d(5, within('u8', 0, 255, 101), within('u8', 0, 255, 101))),
 ('hist_2d', '256 20000000 20000000', d(256, within('u8', 0, 255, 20000000), within('u8', 0, 255, 20000000)), d(9, within('u8', 0, 255, 33), within('u8', 0, 255, 33))),
 ('hist_3d', '64 20000000 20000000 20000000', d(64, within('u8', 0, 255, 20000000), within('u8', 0, 255, 20000000), within('u8', 0, 255, 20000000)), d(5, within('u8', 0, 255, 101), within('u8', 0, 255, 101), within('u8', 0, 255, 101))),
 ('hist_ops', '100 5000000 5000000', d(100, within('i32', -2, 101, 5000000), within('i32', 0, 1000, 5000000)), d(7, within('i32', -2, 8, 61), within('i32', 0, 1000, 61))),
 ('hist_ops', '1000000 5000000 5000000', d(1000000, within('i32', -2, 1000001, 5000000), within('i32', 0, 1000, 5000000)), d(31, within('i32', -2, 32, 47), within('i32', 0, 1000, 47))),
 ('hist_tuple_rows', '20 1000x4000 1000x4000', d(20, within('i64', -1, 20, 1000, 4000), within(f, 0, 2, 1000, 4000)), d(5, within('i64', -1, 5, 3, 17), within(f, 0, 2, 3, 17))),
 ('hist_tuple_rows', '5000 10x400000 10x400000', d(5000, within('i64', -1, 5000, 10, 400000), within(f, 0, 2, 10, 400000)), d(9, within('i64', -1, 9, 2, 35), within(f, 0, 2, 2, 35))),
 ('equalise', '8 200x65536', d(8, within('u8', 0, 255, 200, 65536)), d(3, within('u8', 0, 255, 3, 29))),
 ('scatter_turn', '17 200x150x300', d(17, within('i32', -1000, 1000, 200, 150, 300)), d(4, within('i32', -1000, 1000, 5, 3, 7))),
 ('scatter_rows', '400000x40 600000 600000x40', d(within(f, -1.0, 1.0, 400000, 40), within('i64', -3, 400002, 600000), within(f, -1.0, 1.0, 600000, 40)), d(within(f, -1.0, 1.0, 11, 3), within('i64', -3, 13, 17), within(f, -1.0, 1.0, 17, 3))),
 ('scatter_rows', '10000000x3 5000000 5000000x3', d(within(f, -1.0, 1.0, 10000000, 3), within('i64', -3, 10000002, 5000000), within(f, -1.0, 1.0, 5000000, 3)), d(within(f, -1.0, 1.0, 7, 2), within('i64', -3, 9, 5), within(f, -1.0, 1.0, 5, 2))),
 ('bilinear', '3000x4000 20000000 20000000', d(within(f, -1.0, 1.0, 3000, 4000), within(f, -3, 3002, 20000000), within(f, -3, 4002, 20000000)), d(within(f, -1.0, 1.0, 5, 7), within(f, -3, 7, 33), within(f, -3, 9, 33))),
 ('split_by', '-200 300 8000000', d(-200, 300, within('i32', -1000, 1000, 8000000)), d(-200, 300, within('i32', -1000, 1000, 57))),
 ('compact_chunks', '0.3 10000x1024', d(0.3, within(f, -1.0, 1.0, 10000, 1024)), d(0.1, within(f, -1.0, 1.0, 5, 7))),
 ('compact_chunks', '-0.2 2000000x6', d(-0.2, within(f, -1.0, 1.0, 2000000, 6)), d(0.0, within(f, -1.0, 1.0, 9, 3))),
 ('run_lengths', '8000000', d(within('u8', 0, 2, 8000000)), d(within('u8', 0, 2, 67))),
 ('run_lengths', '20000000', d(ordered('u8', 0, 255, 20000000)), d(ordered('u8', 0, 9, 91))),
 ('spmv_seg', '1000000 20000000 20000000 300000', d(ordered('i64', 0, 20000000, 1000000), within('i32', 0, 299999, 20000000), within(f, 0, 1, 20000000), within(f, 0, 1, 300000)), d(ordered('i64', 0, 41, 9), within('i32', 0, 6, 41), within(f, 0, 1, 41), within(f, 0, 1, 7))),
 ('spmv_seg', '50 20000000 20000000 1000000', d(ordered('i64', 0, 20000000, 50), within('i32', 0, 999999, 20000000), within(f, 0, 1, 20000000), within(f, 0, 1, 1000000)), d(ordered('i64', 0, 11, 17), within('i32', 0, 4, 11), within(f, 0, 1, 11), within(f, 0, 1, 5))),
 ('axes_dance', '3 200x300x250', d(3, within(f, -1.0, 1.0, 200, 300, 250)), d(2, within(f, -1.0, 1.0, 3, 5, 7))),
 ('axes_dance', '-5 7x1000000x3', d(-5, within(f, -1.0, 1.0, 7, 1000000, 3)), d(-1, within(f, -1.0, 1.0, 2, 9, 3))),
 ('im2col_conv', '16x300x300 32x16x9', d(within(f, -1.0, 1.0, 16, 300, 300), within(f, -1.0, 1.0, 32, 16, 9)), d(within(f, -1.0, 1.0, 2, 5, 7), within(f, -1.0, 1.0, 3, 2, 9))),
 ('stride_mix', '9 3001x5003', d(9, within('i32', 0, 1000, 3001, 5003)), d(2, within('i32', 0, 1000, 7, 11))),
 ('stride_mix', '2 3000001x5', d(2, within('i32', 0, 1000, 3000001, 5)), d(1, within('i32', 0, 1000, 8, 5))),
 ('interleave3', '10000000 10000000 10000000', d(within(f, -1.0, 1.0, 10000000), within(f, -1.0, 1.0, 10000000), within(f, -1.0, 1.0, 10000000)), d(within(f, -1.0, 1.0, 13), within(f, -1.0, 1.0, 13), within(f, -1.0, 1.0, 13))),
 ('kron', '90x110 100x90', d(within(f, -1.0, 1.0, 90, 110), within(f, -1.0, 1.0, 100, 90)), d(within(f, -1.0, 1.0, 2, 3), within(f, -1.0, 1.0, 5, 7))),
 ('kron', '1500x2500 3x5', d(within(f, -1.0, 1.0, 1500, 2500), within(f, -1.0, 1.0, 3, 5)), d(within(f, -1.0, 1.0, 5, 7), within(f, -1.0, 1.0, 2, 3))),
 ('broadcast_mix', '300 400 500 300x500', d(within(f, -1.0, 1.0, 300), within(f, -1.0, 1.0, 400), within(f, -1.0, 1.0, 500), within(f, -1.0, 1.0, 300, 500)), d(within(f, -1.0, 1.0, 3), within(f, -1.0, 1.0, 5), within(f, -1.0, 1.0, 7), within(f, -1.0, 1.0, 3, 7))),
 ('broadcast_mix', '3000000 3 5 3000000x5', d(within(f, -1.0, 1.0, 3000000), within(f, -1.0, 1.0, 3), within(f, -1.0, 1.0, 5), within(f, -1.0, 1.0, 3000000, 5)), d(within(f, -1.0, 1.0, 17), within(f, -1.0, 1.0, 2), within(f, -1.0, 1.0, 3), within(f, -1.0, 1.0, 17, 3))),
 ('insertion_rows', '300000x16', d(within('i32', -1000, 1000, 300000, 16)), d(within('i32', -1000, 1000, 7, 5))),
 ('insertion_rows', '40000x64', d(within('i32', -1000, 1000, 40000, 64)), d(within('i32', -1000, 1000, 3, 33))),
 ('median9', '2000x2000', d(within(f, -1.0, 1.0, 2000, 2000)), d(within(f, -1.0, 1.0, 3, 13))),
 ('solve_small', '500000x4x4 500000x4', d(within(f, -1.0, 1.0, 500000, 4, 4), within(f, -1.0, 1.0, 500000, 4)), d(within(f, -1.0, 1.0, 7, 4, 4), within(f, -1.0, 1.0, 7, 4))),
 ('solve_small', '20000x16x16 20000x16', d(within(f, -1.0, 1.0, 20000, 16, 16), within(f, -1.0, 1.0, 20000, 16)), d(within(f, -1.0, 1.0, 3, 9, 9), within(f, -1.0, 1.0, 3, 9))),
 ('thomas_first', '100x100000 100x100000 100x100000', d(within(f, -1.0, 1.0, 100, 100000), within(f, -1.0, 1.0, 100, 100000), within(f, -1.0, 1.0, 100, 100000)), d(within(f, -1.0, 1.0, 7, 5), within(f, -1.0, 1.0, 7, 5), within(f, -1.0, 1.0, 7, 5))),
 ('topk_rows', '8 20000x500', d(8, within('i32', -1000000, 1000000, 20000, 500)), d(4, within('i32', -1000000, 1000000, 5, 17))),
 ('topk_rows', '5 2000000x7', d(5, within('i32', -1000000, 1000000, 2000000, 7)), d(3, within('i32', -1000000, 1000000, 9, 2))),
 ('bitonic_rows', '4000x1000', d(within('u16', 0, 65535, 4000, 1000)), d(within('u16', 0, 65535, 3, 21))),
 ('bitonic_rows', '500000x7', d(within('u16', 0, 65535, 500000, 7)), d(within('u16', 0, 65535, 9, 3))),
 ('radix_pairs', '5000000', d(within('u32', 0, 4294967295, 5000000)), d(within('u32', 0, 4294967295, 61))),
 ('power_iter', '30 4000x4000', d(30, within(f, 0, 1, 4000, 4000)), d(10, within(f, 0, 1, 7, 7))),
 ('lloyd', '16 10 500000x4', d(16, 10, within('i32', -1000, 1000, 500000, 4)), d(3, 4, within('i32', -1000, 1000, 29, 2))),
 ('relax', '1e-05 200 2000x2000', d(1e-05, 200, within(f, 0, 1, 2000, 2000)), d(1e-05, 200, within(f, 0, 1, 7, 9))),
 ('haar_rows', '2000x5000', d(within(f, -1.0, 1.0, 2000, 5000)), d(within(f, -1.0, 1.0, 3, 13))),
 ('haar_rows', '2x8000000', d(within(f, -1.0, 1.0, 2, 8000000)), d(within(f, -1.0, 1.0, 1, 37))),
 ('chaikin', '6 2000x100 2000x100', d(6, within(f, -1.0, 1.0, 2000, 100), within(f, -1.0, 1.0, 2000, 100)), d(3, within(f, -1.0, 1.0, 3, 5), within(f, -1.0, 1.0, 3, 5))),
 ('chaikin', '10 3x3000 3x3000', d(10, within(f, -1.0, 1.0, 3, 3000), within(f, -1.0, 1.0, 3, 3000)), d(4, within(f, -1.0, 1.0, 2, 3), within(f, -1.0, 1.0, 2, 3))),
 ('collatz_table', '2000x2000', d(within('i32', 1, 1000000, 2000, 2000)), d(within('i32', 1, 1000000, 5, 7))),
 ('collatz_table', '5x1000000', d(within('i32', 1, 1000000, 5, 1000000)), d(within('i32', 1, 1000000, 2, 33))),
 ('edit_batch', '5000x60 5000x200', d(within('u8', 97, 100, 5000, 60), within('u8', 97, 100, 5000, 200)), d(within('u8', 97, 100, 5, 7), within('u8', 97, 100, 5, 9))),
 ('borders_1d', '2 5 2000x8000', d(2, within(f, -1.0, 1.0, 5), within(f, -1.0, 1.0, 2000, 8000)), d(2, within(f, -1.0, 1.0, 5), within(f, -1.0, 1.0, 3, 11))),
 ('borders_1d', '3 5 3000000x5', d(3, within(f, -1.0, 1.0, 5), within(f, -1.0, 1.0, 3000000, 5)), d(3, within(f, -1.0, 1.0, 5), within(f, -1.0, 1.0, 7, 3))),
 ('life_torus', '20 3000x2000', d(20, within('bool', 0, 1, 3000, 2000)), d(3, within('bool', 0, 1, 7, 9))),
 ('heat_3d', '10 200x200x200', d(10, within(f, 0, 1, 200, 200, 200)), d(3, within(f, 0, 1, 5, 3, 7))),
 ('floyd', '700x700', d(within('i32', 1, 1000, 700, 700)), d(within('i32', 1, 50, 11, 11))),
 ('invert', '500x500', d(within(f, -1.0, 1.0, 500, 500)), d(within(f, -1.0, 1.0, 9, 9))),
 ('seam', '700x900', d(within('i32', 0, 1000, 700, 900)), d(within('i32', 0, 1000, 7, 11))),
 ('grad_softmax', '64x10 40000x64 40000', d(within(f, -1.0, 1.0, 64, 10), within(f, -1.0, 1.0, 40000, 64), within('i64', 0, 9, 40000)), d(within(f, -1.0, 1.0, 5, 3), within(f, -1.0, 1.0, 13, 5), within('i64', 0, 2, 13))),
 ('grad_linrec', '3000x2000 3000x2000 3000x2000', d(within(f, 0.1, 0.9, 3000, 2000), within(f, -1.0, 1.0, 3000, 2000), within(f, 0, 1, 3000, 2000)), d(within(f, 0.1, 0.9, 3, 17), within(f, -1.0, 1.0, 3, 17), within(f, 0, 1, 3, 17))),
 ('grad_linrec', '3x2000000 3x2000000 3x2000000', d(within(f, 0.1, 0.9, 3, 2000000), within(f, -1.0, 1.0, 3, 2000000), within(f, 0, 1, 3, 2000000)), d(within(f, 0.1, 0.9, 2, 45), within(f, -1.0, 1.0, 2, 45), within(f, 0, 1, 2, 45))),
 ('grad_hist', '1000 5000000 5000000 1000', d(1000, within('i64', 0, 1000000, 5000000), within(f, 0, 1, 5000000), within(f, 0.5, 1, 1000)), d(7, within('i64', 0, 1000000, 41), within(f, 0, 1, 41), within(f, 0.5, 1, 7))),
 ('jvp_diffuse', '8 1500x1500 1500x1500', d(8, within('f64', -2, 2, 1500, 1500), within('f64', -1, 1, 1500, 1500)), d(3, within('f64', -2, 2, 7, 9), within('f64', -1, 1, 7, 9))),
 ('grad_ode', '50 500000 500000x2', d(50, within('f64', 0.1, 0.9, 500000), within('f64', 0.2, 1.5, 500000, 2)), d(7, within('f64', 0.1, 0.9, 11), within('f64', 0.2, 1.5, 11, 2))),
 ('run_boxes', '10000000 10000000 10000000 10000000', d(within('bool', 0, 1, 10000000), within('i32', -1000, 1000, 10000000), within('i32', -1000, 1000, 10000000), within('i32', -1000, 1000, 10000000)), d(within('bool', 0, 1, 47), within('i32', -9, 9, 47), within('i32', -9, 9, 47), within('i32', -9, 9, 47))),
 ('bodies', '3 10000x3 10000x3 10000', d(3, within(f, -5, 5, 10000, 3), within(f, -1.0, 1.0, 10000, 3), within(f, 0.1, 1, 10000)), d(2, within(f, -5, 5, 13, 3), within(f, -1.0, 1.0, 13, 3), within(f, 0.1, 1, 13)))
]))
# What a library of modules is used for.
ROWS.append(('library0', [
 ('sort_by_angle', '200000 200000', d(within('i32', -1000, 1000, 200000), within('i32', -1000, 1000, 200000)), d(within('i32', -1000, 1000, 13), within('i32', -1000, 1000, 13))),
 ('ode_vdp_adaptive_f64', '50000 50000 6.0 1e-06', d(within('f64', 0.3, 4, 50000), within('f64', 0.5, 2.5, 50000), 6.0, 1e-06), d(within('f64', 0.3, 4, 7), within('f64', 0.5, 2.5, 7), 6.0, 1e-06)),
 ('spectral_advect_f32', '1024x1024 0.001 0.3 -0.2 0.5', d(within(f, -1, 1, 1024, 1024), 0.001, 0.3, -0.2, 0.5), d(within(f, -1, 1, 8, 8), 0.001, 0.3, -0.2, 0.5)),
 ('spectral_advect_f32', '300x517 0.001 0.3 -0.2 0.5', d(within(f, -1, 1, 300, 517), 0.001, 0.3, -0.2, 0.5), d(within(f, -1, 1, 5, 9), 0.001, 0.3, -0.2, 0.5)),
 ('det_two_fields', '20000x8x8', d(within('i32', -100000, 100000, 20000, 8, 8)), d(within('i32', -100000, 100000, 5, 3, 3))),
 ('det_two_fields', '200x24x24', d(within('i32', -100000, 100000, 200, 24, 24)), d(within('i32', -100000, 100000, 2, 1, 1))),
 ('fuzzy_cmeans_f64', '50000x3 8x3 5', d(within('f64', -1, 1, 50000, 3), within('f64', -1, 1, 8, 3), 5), d(within('f64', -1, 1, 15, 2), within('f64', -1, 1, 3, 2), 3)),
 ('apsp_minplus_f32', '512x512 512x512', d(within(f, 0.1, 10, 512, 512), within('bool', 0, 1, 512, 512)), d(within(f, 0.1, 10, 7, 7), within('bool', 0, 1, 7, 7))),
 ('newton_dual_f32', '300000x5 300000 8', d(within(f, -1, 1, 300000, 5), within(f, -1, 1, 300000), 8), d(within(f, -1, 1, 7, 3), within(f, -1, 1, 7), 8)),
 ('bigint_accumulate_scan', '2000x1024 10', d(within('u32', 0, 4294967295, 2000, 1024), 10), d(within('u32', 0, 4294967295, 3, 1024), 4)),
 ('quad_adaptive_f64', '30000 30000 1e-08 20', d(within('f64', 1, 800, 30000), within('f64', 0, 1, 30000), 1e-08, 20), d(within('f64', 1, 800, 5), within('f64', 0, 1, 5), 1e-08, 20)),
 ('strided_contractions_f32', '1000000 64 8', d(within(f, -1, 1, 1000000), within(f, -1, 1, 64), 8), d(within(f, -1, 1, 19), within(f, -1, 1, 12), 3)),
 ('strided_contractions_f32', '3000 60000 200', d(within(f, -1, 1, 3000), within(f, -1, 1, 60000), 200), d(within(f, -1, 1, 5), within(f, -1, 1, 20), 2))
]))
ROWS.append(('library1', [
 ('rolling_median_f32', '1000000 9', d(within(f, -1, 1, 1000000), 9), d(within(f, -1, 1, 17), 5)),
 ('rolling_median_f32', '100003 4', d(within(f, -1, 1, 100003), 4), d(within(f, -1, 1, 9), 20)),
 ('ode_chain_f32', '50000x5 50000x5 60 0.05', d(within(f, 0.1, 2, 50000, 5), within(f, 0, 1, 50000, 5), 60, 0.05), d(within(f, 0.1, 2, 5, 5), within(f, 0, 1, 5, 5), 9, 0.05)),
 ('welch_psd_f64', '400x4096', d(within('f64', -1, 1, 400, 4096)), d(within('f64', -1, 1, 3, 100))),
 ('welch_psd_f64', '4x300000', d(within('f64', -1, 1, 4, 300000)), d(within('f64', -1, 1, 2, 50))),
 ('kalman_cv_f32', '8192x50x2 0.01 0.2', d(within(f, -1, 1, 8192, 50, 2), 0.01, 0.2), d(within(f, -1, 1, 3, 7, 2), 0.01, 0.2)),
 ('tree_fit_two_impurities', '50000x10 50000 4 32', d(within('u8', 0, 255, 50000, 10), within('bool', 0, 1, 50000), 4, 32), d(within('u8', 0, 255, 41, 3), within('bool', 0, 1, 41), 2, 5)),
 ('tree_fit_two_impurities', '3000x40 3000 6 256', d(within('u8', 0, 255, 3000, 40), within('bool', 0, 1, 3000), 6, 256), d(within('u8', 0, 255, 19, 1), within('bool', 0, 1, 19), 3, 256)),
 ('bottleneck_closure_i32', '400x400', d(within('i32', -1000, 100000, 400, 400)), d(within('i32', -1000, 100000, 7, 7))),
 ('sdf_volume_render_f32', '640 480 12x7 40', d(640, 480, within(f, -1, 1, 12, 7), 40), d(7, 5, within(f, -1, 1, 6, 7), 9)),
 ('mandelbrot_two_precisions', '1600 1200 150', d(1600, 1200, 150), d(13, 9, 150)),
 ('quad_gauss_triangles_f32', '100000x6 12', d(within(f, -1, 1, 100000, 6), 12), d(within(f, -1, 1, 5, 6), 4)),
 ('quad_gauss_triangles_f32', '7x6 600', d(within(f, -1, 1, 7, 6), 600), d(within(f, -1, 1, 2, 6), 1)),
 ('cellular_three_rules', '1024x1100 8', d(within('u8', 0, 255, 1024, 1100), 8), d(within('u8', 0, 255, 7, 9), 4))
]))
ROWS.append(('library2', [
 ('mc_asian_antithetic_f32', '200000 64 100.0 98.0 0.25 42', d(200000, 64, 100.0, 98.0, 0.25, 42), d(19, 5, 100.0, 98.0, 0.25, 42)),
 ('sde_two_models', '100000 8 20 5', d(100000, 8, 20, 5), d(31, 3, 5, 5)),
 ('multigrid_poisson_f64', '1023x1023 3', d(within('f64', -1, 1, 1023, 1023), 3), d(within('f64', -1, 1, 13, 13), 2)),
 ('multigrid_poisson_f64', '200x200 5', d(within('f64', -1, 1, 200, 200), 5), d(within('f64', -1, 1, 7, 7), 1)),
 ('particle_filter_sv_f64', '40 65536 3', d(within('f64', -2, 2, 40), 65536, 3), d(within('f64', -2, 2, 5), 33, 3)),
 ('mlp_adam_f32', '1024x16 1024 32x16 32 25 0.01', d(within(f, -1, 1, 1024, 16), within(f, -1, 1, 1024), within(f, -0.5, 0.5, 32, 16), within(f, -0.5, 0.5, 32), 25, 0.01), d(within(f, -1, 1, 9, 3), within(f, -1, 1, 9), within(f, -0.5, 0.5, 4, 3), within(f, -0.5, 0.5, 4), 3, 0.01)),
 ('edges_paths_and_walks', '50000 1000000 1000000 1000000 6', d(50000, within('i32', 0, 75000, 1000000), within('i32', 0, 49999, 1000000), within(f, 0.1, 5, 1000000), 6), d(7, within('i32', 0, 10, 23), within('i32', 0, 6, 23), within(f, 0.1, 5, 23), 4)),
 ('edges_paths_and_walks', '40 300000 300000 300000 10', d(40, within('i32', 0, 60, 300000), within('i32', 0, 39, 300000), within(f, 0.1, 5, 300000), 10), d(5, within('i32', 0, 7, 3), within('i32', 0, 4, 3), within(f, 0.1, 5, 3), 2)),
 ('regex_scan_matches', '4000000', d(within('u8', 0, 255, 4000000)), d(within('u8', 0, 255, 301))),
 ('cg_grid_f64', '512x600 512x600 25', d(within('f64', 0.5, 1.5, 512, 600), within('f64', -1, 1, 512, 600), 25), d(within('f64', 0.5, 1.5, 5, 7), within('f64', -1, 1, 5, 7), 4)),
 ('ari_forecast_f32', '3000x500 4 10', d(within(f, -1, 1, 3000, 500), 4, 10), d(within(f, -1, 1, 3, 23), 2, 5)),
 ('ari_forecast_f32', '8x100000 6 20', d(within(f, -1, 1, 8, 100000), 6, 20), d(within(f, -1, 1, 2, 9), 1, 1)),
 ('dead_reckoning_f64', '500x1000x3 0.02 1.5', d(within('f64', -1, 1, 500, 1000, 3), 0.02, 1.5), d(within('f64', -1, 1, 3, 11, 3), 0.02, 1.5)),
 ('dead_reckoning_f64', '2x300000x3 0.02 1.5', d(within('f64', -1, 1, 2, 300000, 3), 0.02, 1.5), d(within('f64', -1, 1, 1, 1, 3), 0.02, 1.5))
]))
ROWS.append(('library3', [
 ('mc_stratified_genz', '80 7 4', d(80, 7, within('f64', 1, 4, 4)), d(3, 7, within('f64', 1, 4, 4))),
 ('adi_heat_f64', '1024x1024 1024x1024 3 0.5', d(within('f64', -1, 1, 1024, 1024), within('f64', 0.5, 1.5, 1024, 1024), 3, 0.5), d(within('f64', -1, 1, 5, 7), within('f64', 0.5, 1.5, 5, 7), 2, 0.5)),
 ('adi_heat_f64', '300x4000 300x4000 2 0.5', d(within('f64', -1, 1, 300, 4000), within('f64', 0.5, 1.5, 300, 4000), 2, 0.5), d(within('f64', -1, 1, 1, 9), within('f64', 0.5, 1.5, 1, 9), 3, 0.5)),
 ('wave3d_f32', '160x192x224 15 80', d(within(f, -1, 1, 160, 192, 224), 15, 80), d(within(f, -1, 1, 5, 6, 7), 4, 2)),
 ('gp_posterior_f64', '256 256 300 0.5 0.1', d(within('f64', -2, 2, 256), within('f64', -1, 1, 256), within('f64', -2, 2, 300), 0.5, 0.1), d(within('f64', -2, 2, 9), within('f64', -1, 1, 9), within('f64', -2, 2, 5), 0.5, 0.1)),
 ('mlp_ensemble_f64', '256x4 64x3x4 15', d(within('f64', -1, 1, 256, 4), within('f64', -1, 1, 64, 3, 4), 15), d(within('f64', -1, 1, 7, 2), within('f64', -1, 1, 3, 3, 2), 3)),
 ('mlp_ensemble_f64', '20x3 2000x3x3 10', d(within('f64', -1, 1, 20, 3), within('f64', -1, 1, 2000, 3, 3), 10), d(within('f64', -1, 1, 5, 3), within('f64', -1, 1, 1, 3, 3), 2)),
 ('hmm_viterbi_and_likelihood', '2000x60 8x8 8x6', d(within('u8', 0, 255, 2000, 60), within('f64', 0.1, 1, 8, 8), within('f64', 0.1, 1, 8, 6)), d(within('u8', 0, 255, 3, 7), within('f64', 0.1, 1, 3, 3), within('f64', 0.1, 1, 3, 4))),
 ('hmm_viterbi_and_likelihood', '4x100 200x200 200x20', d(within('u8', 0, 255, 4, 100), within('f64', 0.1, 1, 200, 200), within('f64', 0.1, 1, 200, 20)), d(within('u8', 0, 255, 1, 3), within('f64', 0.1, 1, 2, 2), within('f64', 0.1, 1, 2, 1))),
 ('segmented_reports', '2000000 2000000 0.3', d(within('f64', -1, 1, 2000000), within('u8', 0, 255, 2000000), 0.3), d(within('f64', -1, 1, 67), within('u8', 0, 255, 67), 0.3)),
 ('gmres_batch_f32', '2000x32x32 2000x32 5', d(within(f, -1, 1, 2000, 32, 32), within(f, -1, 1, 2000, 32), 5), d(within(f, -1, 1, 3, 9, 9), within(f, -1, 1, 3, 9), 3)),
 ('gmres_batch_f32', '4x700x700 4x700 4', d(within(f, -1, 1, 4, 700, 700), within(f, -1, 1, 4, 700), 4), d(within(f, -1, 1, 2, 5, 5), within(f, -1, 1, 2, 5), 2)),
 ('holt_winters_grid_f64', '300x150 4 12', d(within('f64', -1, 1, 300, 150), 4, 12), d(within('f64', -1, 1, 3, 20), 2, 4))
]))
ROWS.append(('library4', [
 ('bootstrap_trimmed_ci', '1000 20000 11 0.9', d(within('f64', -4, 4, 1000), 20000, 11, 0.9), d(within('f64', -4, 4, 11), 23, 11, 0.9)),
 ('schrodinger_cn_f64', '2048x512 2.0 0.005 4', d(within('f64', 0, 5, 2048, 512), 2.0, 0.005, 4), d(within('f64', 0, 5, 3, 31), 2.0, 0.005, 3)),
 ('nbody_plummer_f32', '8192x3 8192 3 0.01', d(within(f, -1, 1, 8192, 3), within(f, 0.1, 1, 8192), 3, 0.01), d(within(f, -1, 1, 13, 3), within(f, 0.1, 1, 13), 2, 0.01)),
 ('nbody_plummer_f32', '600x3 600 20 0.01', d(within(f, -1, 1, 600, 3), within(f, 0.1, 1, 600), 20, 0.01), d(within(f, -1, 1, 1, 3), within(f, 0.1, 1, 1), 3, 0.01)),
 ('em_mixture_f32', '200000 3 10', d(within(f, -3, 3, 200000), 3, 10), d(within(f, -3, 3, 17), 2, 3)),
 ('em_mixture_f32', '3000 12 20', d(within(f, -3, 3, 3000), 12, 20), d(within(f, -3, 3, 9), 1, 2)),
 ('softmax_nesterov_f64', '10000x20 10000 10 12 0.1', d(within('f64', -1, 1, 10000, 20), within('i32', 0, 9, 10000), 10, 12, 0.1), d(within('f64', -1, 1, 11, 3), within('i32', 0, 2, 11), 3, 4, 0.1)),
 ('align_best_and_partition', '500x128 500x100 -1.1', d(within('u8', 0, 255, 500, 128), within('u8', 0, 255, 500, 100), -1.1), d(within('u8', 0, 255, 3, 7), within('u8', 0, 255, 3, 5), -1.1)),
 ('align_best_and_partition', '2x1500 2x1100 -1.1', d(within('u8', 0, 255, 2, 1500), within('u8', 0, 255, 2, 1100), -1.1), d(within('u8', 0, 255, 2, 1), within('u8', 0, 255, 2, 4), -1.1)),
 ('ntt_polymul', '300000 200000', d(within('u32', 0, 2000000000, 300000), within('u32', 0, 998244352, 200000)), d(within('u32', 0, 2000000000, 13), within('u32', 0, 998244352, 9))),
 ('ntt_polymul', '5000 3', d(within('u32', 0, 2000000000, 5000), within('u32', 0, 998244352, 3)), d(within('u32', 0, 2000000000, 1), within('u32', 0, 998244352, 1))),
 ('eigen_batch_f32', '20000x6x6 5', d(within(f, -1, 1, 20000, 6, 6), 5), d(within(f, -1, 1, 3, 4, 4), 5)),
 ('image_warps_f64', '1000x1200 0.1 0.7 4', d(within('f64', 0, 1, 1000, 1200), 0.1, 0.7, 4), d(within('f64', 0, 1, 7, 9), 0.1, 0.7, 2))
]))
ROWS.append(('library5', [
 ('qmc_two_sequences', '20000 300 1.3', d(20000, 300, 1.3), d(7, 11, 1.3)),
 ('spline_resample_f32', '2000x300 1500', d(within(f, -1, 1, 2000, 300), 1500), d(within(f, -1, 1, 3, 7), 11)),
 ('spline_resample_f32', '16x20000 50000', d(within(f, -1, 1, 16, 20000), 50000), d(within(f, -1, 1, 1, 2), 5)),
 ('pic_two_stream_f64', '1000000 1000000 256 5 0.05', d(within('f64', 0, 1, 1000000), within('f64', -1, 1, 1000000), 256, 5, 0.05), d(within('f64', 0, 1, 37), within('f64', -1, 1, 37), 8, 3, 0.05)),
 ('pic_two_stream_f64', '20000 20000 4096 20 0.05', d(within('f64', 0, 1, 20000), within('f64', -1, 1, 20000), 4096, 20, 0.05), d(within('f64', 0, 1, 5), within('f64', -1, 1, 5), 16, 2, 0.05)),
 ('kmeans_int_l1', '100000x4 16 5', d(within('i32', -1000, 1000, 100000, 4), 16, 5), d(within('i32', -1000, 1000, 23, 3), 4, 3)),
 ('kmeans_int_l1', '5000x24 300 3', d(within('i32', -1000, 1000, 5000, 24), 300, 3), d(within('i32', -1000, 1000, 6, 1), 9, 2)),
 ('decay_fits_f64', '10000x64 10000 5', d(within('f64', -1, 1, 10000, 64), within('f64', 0.6, 2, 10000), 5), d(within('f64', -1, 1, 5, 11), within('f64', 0.6, 2, 5), 5)),
 ('range_bounds_f64', '7 200000 0.1 8', d(within('f64', -1, 1, 7), within('f64', -1, 1, 200000), 0.1, 8), d(within('f64', -1, 1, 4), within('f64', -1, 1, 5), 0.1, 8)),
 ('fib_mod_2_256', '20000', d(within('u32', 0, 4000000000, 20000)), d(within('u32', 0, 4000000000, 7))),
 ('svd_values_f64', '5000x8x5 6', d(within('f64', -1, 1, 5000, 8, 5), 6), d(within('f64', -1, 1, 3, 5, 3), 6)),
 ('image_zoom_f16', '480x500 0.5', d(within('f16', 0, 1, 480, 500), 0.5), d(within('f16', 0, 1, 7, 10), 0.5))
]))
# Kernels of suites for high performance computing: PolyBench, the NAS benchmarks, Livermore's loops, mini-applications.
ROWS.append(('polybench', [
 ('gemver', '4000', d(1.5, 1.2, within('f64', -1, 1, 4000, 4000), within('f64', -1, 1, 4000), within('f64', -1, 1, 4000), within('f64', -1, 1, 4000), within('f64', -1, 1, 4000), within('f64', -1, 1, 4000), within('f64', -1, 1, 4000)), d(1.5, 1.2, within('f64', -1, 1, 9, 9), within('f64', -1, 1, 9), within('f64', -1, 1, 9), within('f64', -1, 1, 9), within('f64', -1, 1, 9), within('f64', -1, 1, 9), within('f64', -1, 1, 9))),
 ('gesummv', '6000', d(1.5, 1.2, within(f, 0, 1, 6000, 6000), within(f, 0, 1, 6000, 6000), within(f, 0, 1, 6000)), d(1.5, 1.2, within(f, 0, 1, 9, 9), within(f, 0, 1, 9, 9), within(f, 0, 1, 9))),
 ('gesummv', '1100', d(1.5, 1.2, within(f, 0, 1, 1100, 1100), within(f, 0, 1, 1100, 1100), within(f, 0, 1, 1100)), d(1.5, 1.2, within(f, 0, 1, 3, 3), within(f, 0, 1, 3, 3), within(f, 0, 1, 3))),
 ('atax_grad', '8000x4000', d(within('f64', -1, 1, 8000, 4000), within('f64', -1, 1, 4000)), d(within('f64', -1, 1, 7, 11), within('f64', -1, 1, 11))),
 ('atax_grad', '300x100000', d(within('f64', -1, 1, 300, 100000), within('f64', -1, 1, 100000)), d(within('f64', -1, 1, 3, 31), within('f64', -1, 1, 31))),
 ('doitgen', '150x140x160', d(within(f, 0, 1, 150, 140, 160), within(f, 0, 1, 160, 160)), d(within(f, 0, 1, 3, 5, 7), within(f, 0, 1, 7, 7))),
 ('doitgen', '20x6000x32', d(within(f, 0, 1, 20, 6000, 32), within(f, 0, 1, 32, 32)), d(within(f, 0, 1, 2, 13, 3), within(f, 0, 1, 3, 3))),
 ('syr2k', '1200x1000', d(1.5, 1.2, within('f64', -1, 1, 1200, 1200), within('f64', -1, 1, 1200, 1000), within('f64', -1, 1, 1200, 1000)), d(1.5, 1.2, within('f64', -1, 1, 7, 7), within('f64', -1, 1, 7, 5), within('f64', -1, 1, 7, 5))),
 ('syr2k', '200x20000', d(1.5, 1.2, within('f64', -1, 1, 200, 200), within('f64', -1, 1, 200, 20000), within('f64', -1, 1, 200, 20000)), d(1.5, 1.2, within('f64', -1, 1, 3, 3), within('f64', -1, 1, 3, 29), within('f64', -1, 1, 3, 29))),
 ('symm', '1500x2000', d(1.5, 1.2, within(f, 0, 1, 1500, 2000), within(f, 0, 1, 1500, 1500), within(f, 0, 1, 1500, 2000)), d(1.5, 1.2, within(f, 0, 1, 7, 9), within(f, 0, 1, 7, 7), within(f, 0, 1, 7, 9))),
 ('trmm', '1000x1200', d(1.5, within('f64', -1, 1, 1000, 1000), within('f64', -1, 1, 1000, 1200)), d(1.5, within('f64', -1, 1, 9, 9), within('f64', -1, 1, 9, 7))),
 ('correlation', '1400x1200', d(within(f, 0, 2, 1400, 1200)), d(within(f, 0, 2, 11, 7))),
 ('correlation', '100000x60', d(within(f, 0, 2, 100000, 60)), d(within(f, 0, 2, 33, 3))),
 ('durbin', '1200', d(0.02, within('f64', -1, 1, 1200)), d(0.02, within('f64', -1, 1, 37))),
 ('ludcmp', '600', d(within('f64', -1, 1, 600, 600), within('f64', -1, 1, 600)), d(within('f64', -1, 1, 9, 9), within('f64', -1, 1, 9))),
 ('deriche', '2160x4096', d(0.25, within(f, 0, 1, 2160, 4096)), d(0.25, within(f, 0, 1, 7, 13))),
 ('deriche', '20000x300', d(0.5, within(f, 0, 1, 20000, 300)), d(0.5, within(f, 0, 1, 19, 5))),
 ('seidel', '2, 500', d(2, within('f64', 0, 1, 500, 500)), d(3, within('f64', 0, 1, 9, 9))),
 ('adi', '3, 1000', d(3, within('f64', 0, 1, 1000, 1000)), d(2, within('f64', 0, 1, 9, 9)))
]))
ROWS.append(('npb', [
 ('ep', '65536x256', d(271828183, 65536, 256), d(271828183, 13, 7)),
 ('ep', '2000000x8', d(271828183, 2000000, 8), d(314159265, 37, 3)),
 ('is_rank', '20M, 524288', d(524288, within('i32', 0, 524287, 20000000)), d(17, within('i32', 0, 16, 97))),
 ('is_rank', '10M, 1000', d(1000, within('i32', 0, 999, 10000000)), d(101, within('i32', 0, 100, 33))),
 ('is_sort', '20 bits, 4M', d(20, within('u32', 0, 1048575, 4000000), within('i32', -1000, 1000, 4000000)), d(7, within('u32', 0, 127, 61), within('i32', -1000, 1000, 61))),
 ('is_sort', '32 bits, 200000', d(32, within('u32', 0, 4294967295, 200000), within('i32', -1000, 1000, 200000)), d(32, within('u32', 0, 4294967295, 33), within('i32', -1000, 1000, 33))),
 ('cg', '200000x12', d(10, 1.0, within('i32', 0, 199999, 200000, 12), within('f64', -1, 1, 200000, 12), within('f64', -1, 1, 200000)), d(3, 1.0, within('i32', 0, 18, 19, 3), within('f64', -1, 1, 19, 3), within('f64', -1, 1, 19))),
 ('mg_vcycle', '2, 128', d(2, within('f64', -1, 1, 128, 128, 128), within('f64', -1, 1, 128, 128, 128)), d(2, within('f64', -1, 1, 5, 5, 5), within('f64', -1, 1, 5, 5, 5))),
 ('mg_vcycle', '1, 201', d(1, within('f64', -1, 1, 201, 201, 201), within('f64', -1, 1, 201, 201, 201)), d(1, within('f64', -1, 1, 3, 3, 3), within('f64', -1, 1, 3, 3, 3))),
 ('ft3d', '128x256x128', d(0.0001, within('f64', -1, 1, 128, 256, 128), within('f64', -1, 1, 128, 256, 128)), d(0.01, within('f64', -1, 1, 4, 2, 8), within('f64', -1, 1, 4, 2, 8))),
 ('ft3d', '4096x8x16', d(0.0001, within('f64', -1, 1, 4096, 8, 16), within('f64', -1, 1, 4096, 8, 16)), d(0.01, within('f64', -1, 1, 16, 1, 4), within('f64', -1, 1, 16, 1, 4))),
 ('bt_lines', '10000x24', d(within('f64', -0.1, 0.1, 10000, 24, 5, 5), within('f64', -0.1, 0.1, 10000, 24, 5, 5), within('f64', -0.1, 0.1, 10000, 24, 5, 5), within('f64', -1, 1, 10000, 24, 5)), d(within('f64', -0.1, 0.1, 1, 3, 5, 5), within('f64', -0.1, 0.1, 1, 3, 5, 5), within('f64', -0.1, 0.1, 1, 3, 5, 5), within('f64', -1, 1, 1, 3, 5))),
 ('sp_penta', '200x100x200', d(0.1, -0.8, within('f64', 0, 1, 200), within('f64', -1, 1, 200, 100, 200)), d(0.1, -0.8, within('f64', 0, 1, 3), within('f64', -1, 1, 3, 7, 3))),
 ('sp_penta', '20x1000x128', d(0.1, -0.8, within('f64', 0, 1, 20), within('f64', -1, 1, 20, 1000, 128)), d(0.1, -0.8, within('f64', 0, 1, 1), within('f64', -1, 1, 1, 19, 3))),
 ('lu_sweep', '160x150x140', d(1.2, within(f, -1, 1, 160, 150, 140), within(f, 0, 1, 160, 150, 140)), d(1.2, within(f, -1, 1, 3, 5, 7), within(f, 0, 1, 3, 5, 7))),
 ('dc_cube', '16x12x100, 10M', d(16, 12, 100, within('u8', 0, 255, 10000000), within('u8', 0, 255, 10000000), within('u8', 0, 255, 10000000), within('i32', -1000, 1000, 10000000)), d(3, 5, 2, within('u8', 0, 255, 91), within('u8', 0, 255, 91), within('u8', 0, 255, 91), within('i32', -1000, 1000, 91))),
 ('dc_cube', '200x200x50, 5M', d(200, 200, 50, within('u8', 0, 255, 5000000), within('u8', 0, 255, 5000000), within('u8', 0, 255, 5000000), within('i32', -1000, 1000, 5000000)), d(7, 3, 3, within('u8', 0, 255, 35), within('u8', 0, 255, 35), within('u8', 0, 255, 35), within('i32', -1000, 1000, 35))),
 ('ua_refine', '3M', d(800000, within('i32', 0, 7, 3000000), within('i32', 0, 1000000, 3000000)), d(600000, within('i32', 0, 7, 29), within('i32', 0, 1000000, 29)))
]))
ROWS.append(('livermore', [
 ('hydro_frag', '1000x10000', d(0.5, 0.3, 0.2, within('f64', -1, 1, 1000, 10000), within('f64', -1, 1, 1000, 10000)), d(0.5, 0.3, 0.2, within('f64', -1, 1, 5, 19), within('f64', -1, 1, 5, 19))),
 ('hydro_frag', '3x3000000', d(0.5, 0.3, 0.2, within('f64', -1, 1, 3, 3000000), within('f64', -1, 1, 3, 3000000)), d(0.5, 0.3, 0.2, within('f64', -1, 1, 1, 67), within('f64', -1, 1, 1, 67))),
 ('iccg', '16M', d(within(f, -1, 1, 16000000), within(f, 0, 0.5, 16000000)), d(within(f, -1, 1, 93), within(f, 0, 0.5, 93))),
 ('banded', '2000x5000', d(3, within(f, 0, 1, 2000, 5000), within(f, 0, 1, 5000)), d(3, within(f, 0, 1, 3, 31), within(f, 0, 1, 31))),
 ('banded', '100000x64', d(7, within(f, 0, 1, 100000, 64), within(f, 0, 1, 64)), d(7, within(f, 0, 1, 9, 11), within(f, 0, 1, 11))),
 ('tri_elim', '8M', d(0.5, within('f64', -1, 1, 8000000), within('f64', 0, 0.9, 8000000)), d(0.5, within('f64', -1, 1, 71), within('f64', 0, 0.9, 71))),
 ('gen_linear', '1000x256', d(within('f64', 0, 1, 1000), within('f64', -1, 1, 256, 256)), d(within('f64', 0, 1, 5), within('f64', -1, 1, 9, 9))),
 ('eos_jvp', '10M', d(0.5, 0.3, 0.2, within(f, -1, 1, 10000000), within(f, -1, 1, 10000000), within(f, -1, 1, 10000000), within(f, -1, 1, 10000000)), d(0.5, 0.3, 0.2, within(f, -1, 1, 77), within(f, -1, 1, 77), within(f, -1, 1, 77), within(f, -1, 1, 77))),
 ('adi_int', '3000x2500', d(0.1, within('f64', -0.2, 0.2, 3, 3), within('f64', -1, 1, 3000, 2500), within('f64', -1, 1, 3000, 2500), within('f64', -1, 1, 3000, 2500)), d(0.1, within('f64', -0.2, 0.2, 3, 3), within('f64', -1, 1, 7, 11), within('f64', -1, 1, 7, 11), within('f64', -1, 1, 7, 11))),
 ('adi_int', '20x300000', d(0.1, within('f64', -0.2, 0.2, 3, 3), within('f64', -1, 1, 20, 300000), within('f64', -1, 1, 20, 300000), within('f64', -1, 1, 20, 300000)), d(0.1, within('f64', -0.2, 0.2, 3, 3), within('f64', -1, 1, 3, 29), within('f64', -1, 1, 3, 29), within('f64', -1, 1, 3, 29))),
 ('pic2d', '4M, 256', d(within('f64', -1, 1, 256, 256), within('f64', -1, 1, 256, 256), within('i32', 0, 3, 256), within('f64', 0, 256, 4000000), within('f64', 0, 256, 4000000), within('f64', -1, 1, 4000000), within('f64', -1, 1, 4000000)), d(within('f64', -1, 1, 5, 5), within('f64', -1, 1, 5, 5), within('i32', 0, 3, 5), within('f64', 0, 5, 97), within('f64', 0, 5, 97), within('f64', -1, 1, 97), within('f64', -1, 1, 97))),
 ('casual', '4000x3000', d(within(f, 0.5, 2, 4000, 3000), within(f, 0.5, 2, 4000, 3000), within(f, 0.5, 2, 4000, 3000)), d(within(f, 0.5, 2, 11, 7), within(f, 0.5, 2, 11, 7), within(f, 0.5, 2, 11, 7))),
 ('hydro2d', '3, 1500x1500', d(3, within('f64', 0, 1, 1500, 1500), within('f64', 0, 1, 1500, 1500), within('f64', 0, 1, 1500, 1500), within('f64', 1, 2, 1500, 1500)), d(2, within('f64', 0, 1, 7, 9), within('f64', 0, 1, 7, 9), within('f64', 0, 1, 7, 9), within('f64', 1, 2, 7, 9))),
 ('ordinates', '20000x200', d(0.1, 0.05, 0.3, within('f64', 0, 1, 20000, 200), within('f64', 0, 0.5, 20000, 200), within('f64', 0, 1, 200), within('f64', 0.1, 1, 200)), d(0.1, 0.05, 0.3, within('f64', 0, 1, 7, 9), within('f64', 0, 0.5, 7, 9), within('f64', 0, 1, 9), within('f64', 0.1, 1, 9))),
 ('ordinates', '500x4000', d(0.1, 0.05, 0.3, within('f64', 0, 1, 500, 4000), within('f64', 0, 0.5, 500, 4000), within('f64', 0, 1, 4000), within('f64', 0.1, 1, 4000)), d(0.1, 0.05, 0.3, within('f64', 0, 1, 3, 27), within('f64', 0, 0.5, 3, 27), within('f64', 0, 1, 27), within('f64', 0.1, 1, 27))),
 ('planck_min', '2000x5000', d(within(f, 0.5, 2, 2000, 5000), within(f, 0.5, 2, 2000, 5000), within(f, 0.5, 2, 2000, 5000)), d(within(f, 0.5, 2, 7, 13), within(f, 0.5, 2, 7, 13), within(f, 0.5, 2, 7, 13))),
 ('planck_min', '5x2000000', d(within(f, 0.5, 2, 5, 2000000), within(f, 0.5, 2, 5, 2000000), within(f, 0.5, 2, 5, 2000000)), d(within(f, 0.5, 2, 3, 31), within(f, 0.5, 2, 3, 31), within(f, 0.5, 2, 3, 31))),
 ('tsvc_mix', '10M', d(90, within('i32', -100, 100, 10000000), within('i32', -1000, 1000, 10000000), within('i64', 0, 9999999, 10000000)), d(50, within('i32', -100, 100, 97), within('i32', -1000, 1000, 97), within('i64', 0, 96, 97)))
]))
ROWS.append(('miniapp', [
 ('lulesh_force', '500000', d(within('f64', 0, 1, 500000, 3), within('i32', 0, 499999, 500000, 8), within('f64', 0, 1, 500000)), d(within('f64', 0, 1, 23, 3), within('i32', 0, 22, 11, 8), within('f64', 0, 1, 11))),
 ('comd_force', '20, 32', d(0.9, within('u8', 12, 32, 20, 20, 20), within(f, 0, 1, 20, 20, 20, 32, 3)), d(0.9, within('u8', 0, 3, 3, 3, 3), within(f, 0, 1, 3, 3, 3, 3, 3))),
 ('comd_force', '40, 10', d(0.7, within('u8', 3, 10, 40, 40, 40), within(f, 0, 1, 40, 40, 40, 10, 3)), d(0.7, within('u8', 0, 5, 3, 3, 3), within(f, 0, 1, 3, 3, 3, 4, 3))),
 ('hpccg', '20, 160x150x140', d(20, within('f64', -1, 1, 160, 150, 140)), d(5, within('f64', -1, 1, 3, 5, 7))),
 ('hpccg', '10, 20x16x3000', d(10, within('f64', -1, 1, 20, 16, 3000)), d(4, within('f64', -1, 1, 3, 1, 31))),
 ('xs_lookup', '11303x68, 500000', d(ordered('f64', 0, 1, 11303), within('f64', 0.9, 1.1, 68), within('f64', 0, 1, 68, 11303, 5), within('i32', 0, 67, 12, 34), within('f64', 0, 1, 12, 34), within('f64', 0, 1, 500000), within('i32', 0, 11, 500000)), d(ordered('f64', 0, 1, 13), within('f64', 0.9, 1.1, 3), within('f64', 0, 1, 3, 13, 5), within('i32', 0, 2, 5, 3), within('f64', 0, 1, 5, 3), within('f64', 0, 1, 17), within('i32', 0, 4, 17))),
 ('rs_lookup', '68x1000, 1M', d(100, within('f64', 0, 1, 68, 1000), within('f64', 0.1, 1, 68, 1000), within('f64', -1, 1, 68, 1000, 2), within('f64', 0.05, 1, 1000000), within('i32', 0, 67, 1000000)), d(3, within('f64', 0, 1, 5, 13), within('f64', 0.1, 1, 5, 13), within('f64', -1, 1, 5, 13, 2), within('f64', 0.05, 1, 31), within('i32', 0, 4, 31))),
 ('moc_attenuate', '20000x50, 5000x32', d(within(f, 0, 1, 20000, 50), within('i32', 0, 4999, 20000, 50), within(f, 0.5, 2, 5000, 32), within(f, 0, 1, 5000, 32)), d(within(f, 0, 1, 7, 5), within('i32', 0, 2, 7, 5), within(f, 0.5, 2, 3, 9), within(f, 0, 1, 3, 9))),
 ('snap_sweep', '64x200x180', d(within('f64', 0.1, 1, 64), within('f64', 0.1, 1, 64), within('f64', 0.5, 2, 200, 180), within('f64', 0, 1, 200, 180)), d(within('f64', 0.1, 1, 3), within('f64', 0.1, 1, 3), within('f64', 0.5, 2, 7, 5), within('f64', 0, 1, 7, 5))),
 ('snap_sweep', '2000x32x24', d(within('f64', 0.1, 1, 2000), within('f64', 0.1, 1, 2000), within('f64', 0.5, 2, 32, 24), within('f64', 0, 1, 32, 24)), d(within('f64', 0.1, 1, 11), within('f64', 0.1, 1, 11), within('f64', 0.5, 2, 3, 3), within('f64', 0, 1, 3, 3))),
 ('kripke', '96x32x2000, 25', d(within(f, -1, 1, 25, 96), within(f, 0, 1, 96, 32, 2000), within(f, 0, 1, 25, 32, 32)), d(within(f, -1, 1, 3, 5), within(f, 0, 1, 5, 3, 7), within(f, 0, 1, 3, 3, 3))),
 ('kripke', '80x3x50000, 9', d(within(f, -1, 1, 9, 80), within(f, 0, 1, 80, 3, 50000), within(f, 0, 1, 9, 3, 3)), d(within(f, -1, 1, 1, 3), within(f, 0, 1, 3, 2, 13), within(f, 0, 1, 1, 2, 2))),
 ('amg_restrict', '1M, 10M', d(100000, ordered('i32', 0, 10000000, 1000000), within('i32', 0, 999999, 10000000), within('f64', -1, 1, 10000000), within('f64', -1, 1, 1000000), within('f64', -1, 1, 1000000), within('i32', 0, 99999, 1000000)), d(5, ordered('i32', 0, 97, 23), within('i32', 0, 22, 97), within('f64', -1, 1, 97), within('f64', -1, 1, 23), within('f64', -1, 1, 23), within('i32', 0, 4, 23))),
 ('amg_restrict', '5000, 4M', d(30, ordered('i32', 0, 4000000, 5000), within('i32', 0, 4999, 4000000), within('f64', -1, 1, 4000000), within('f64', -1, 1, 5000), within('f64', -1, 1, 5000), within('i32', 0, 999999, 5000)), d(3, ordered('i32', 0, 91, 7), within('i32', 0, 6, 91), within('f64', -1, 1, 91), within('f64', -1, 1, 7), within('f64', -1, 1, 7), within('i32', 0, 100, 7))),
 ('nekbone_ax', '8000, 10', d(within('f64', -1, 1, 10, 10), within('f64', 0.5, 1, 8000, 10, 10, 10), within('f64', -1, 1, 8000, 10, 10, 10)), d(within('f64', -1, 1, 3, 3), within('f64', 0.5, 1, 3, 3, 3, 3), within('f64', -1, 1, 3, 3, 3, 3))),
 ('nekbone_ax', '150000, 4', d(within('f64', -1, 1, 4, 4), within('f64', 0.5, 1, 150000, 4, 4, 4), within('f64', -1, 1, 150000, 4, 4, 4)), d(within('f64', -1, 1, 2, 2), within('f64', 0.5, 1, 11, 2, 2, 2), within('f64', -1, 1, 11, 2, 2, 2))),
 ('clover_advec', '2000x3000', d(0.05, within('f64', 1, 2, 2000, 3000), within('f64', 1, 2, 2000, 3000), within('f64', -1, 1, 2000, 3000), within('f64', -1, 1, 2000, 3000)), d(0.05, within('f64', 1, 2, 7, 9), within('f64', 1, 2, 7, 9), within('f64', -1, 1, 7, 9), within('f64', -1, 1, 7, 9))),
 ('qs_track', '300000, 20', d(50, within('u32', 0, 4294967295, 300000), within('f64', 0, 1, 300000), within('f64', 0.5, 3, 20), within('f64', 0.05, 0.3, 20)), d(20, within('u32', 0, 4294967295, 37), within('f64', 0, 1, 37), within('f64', 0.5, 3, 5), within('f64', 0.05, 0.3, 5))),
 ('qs_track', '50000, 100', d(100, within('u32', 0, 4294967295, 50000), within('f64', 0, 1, 50000), within('f64', 0.5, 3, 100), within('f64', 0.05, 0.3, 100)), d(30, within('u32', 0, 4294967295, 13), within('f64', 0, 1, 13), within('f64', 0.5, 3, 9), within('f64', 0.05, 0.3, 9)))
]))
# Puzzles, idioms of array languages, learning, signals.
ROWS.append(('puzzle', [
 ('cave_bfs', '400x400', d(within('u8', 0, 9, 400, 400)), d(within('u8', 0, 9, 9, 11))),
 ('cave_bfs', '1000x250', d(within('u8', 0, 9, 1000, 250)), d(within('u8', 0, 9, 3, 31))),
 ('brackets', '3000000', d(within('u8', 0, 7, 3000000)), d(within('u8', 0, 7, 97))),
 ('vents', '2000,100000', d(2000, within('i32', 0, 1999, 100000), within('i32', 0, 1999, 100000), within('u8', 0, 199, 100000), within('i8', 0, 3, 100000)), d(9, within('i32', 0, 8, 33), within('i32', 0, 8, 33), within('u8', 0, 199, 33), within('i8', 0, 3, 33))),
 ('vents', '300,30000', d(300, within('i32', 0, 299, 30000), within('i32', 0, 299, 30000), within('u8', 0, 199, 30000), within('i8', 0, 3, 30000)), d(31, within('i32', 0, 30, 5), within('i32', 0, 30, 5), within('u8', 0, 199, 5), within('i8', 0, 3, 5))),
 ('lanternfish', '20000000,9', d(within('u8', 0, 8, 20000000), within('u32', 0, 1000, 9)), d(within('u8', 0, 8, 33), within('u32', 0, 300, 3))),
 ('lanternfish', '1000,20000', d(within('u8', 0, 8, 1000), within('u32', 0, 4294967295, 20000)), d(within('u8', 0, 8, 7), within('u32', 0, 4294967295, 17))),
 ('octopuses', '50,5000x10x10', d(50, within('i8', 0, 9, 5000, 10, 10)), d(9, within('i8', 0, 9, 3, 5, 7))),
 ('octopuses', '20,400x24x30', d(20, within('i8', 0, 9, 400, 24, 30)), d(11, within('i8', 0, 9, 2, 3, 9))),
 ('polymer', '40,26,5000000', d(40, within('u8', 0, 25, 26, 26), within('u8', 0, 25, 5000000)), d(7, within('u8', 0, 4, 5, 5), within('u8', 0, 4, 33))),
 ('packets', '20000000', d(within('u32', 0, 4294967295, 20000000)), d(within('u32', 0, 4294967295, 99))),
 ('cucumbers', '50,2000x2000', d(50, within('i8', 0, 2, 2000, 2000)), d(9, within('i8', 0, 2, 7, 11))),
 ('cucumbers', '20,100x40000', d(20, within('i8', 0, 2, 100, 40000)), d(20, within('i8', 0, 2, 3, 31))),
 ('hailstones', '12000', d(200, 800, within('i32', 0, 1000, 12000), within('i32', 0, 1000, 12000), within('i8', -20, 20, 12000), within('i8', -20, 20, 12000)), d(200, 800, within('i32', 0, 1000, 51), within('i32', 0, 1000, 51), within('i8', -20, 20, 51), within('i8', -20, 20, 51))),
 ('lenses', '100000,5000000', d(100000, within('i32', 0, 99999, 5000000), within('u8', 0, 9, 5000000)), d(17, within('i32', 0, 16, 91), within('u8', 0, 9, 91))),
 ('market', '500,20000', d(500, within('u32', 1, 16777215, 20000)), d(31, within('u32', 1, 16777215, 3))),
 ('market', '2000,1500', d(2000, within('u32', 1, 16777215, 1500)), d(9, within('u32', 1, 16777215, 11))),
 ('patrol', '3000,130x130', d(3000, within('u8', 0, 29, 130, 130)), d(100, within('u8', 0, 9, 9, 7))),
 ('towels', '30000x40,30', d(within('u8', 0, 2, 30000, 40), within('u8', 0, 2, 30, 4), within('u8', 1, 4, 30)), d(within('u8', 0, 1, 5, 11), within('u8', 0, 1, 5, 4), within('u8', 1, 4, 5))),
 ('towels', '3000x200,60', d(within('u8', 0, 2, 3000, 200), within('u8', 0, 2, 60, 4), within('u8', 1, 4, 60)), d(within('u8', 0, 1, 3, 17), within('u8', 0, 1, 7, 4), within('u8', 1, 4, 7)))
]))
ROWS.append(('apl', [
 ('inner_products', '1200x1500x1000', d(within(f, 0, 1, 1200, 1500), within(f, 0, 1, 1500, 1000)), d(within(f, 0, 1, 5, 7), within(f, 0, 1, 7, 3))),
 ('inner_products', '100x100000x5', d(within(f, 0, 1, 100, 5), within(f, 0, 1, 5, 100000)), d(within(f, 0, 1, 3, 2), within(f, 0, 1, 2, 31))),
 ('grades', '40000', d(within('i32', -10000, 10000, 40000)), d(within('i32', -20, 20, 99))),
 ('shuffle4', '30x50x200x100', d(37, within('i16', -999, 999, 30, 50, 200, 100)), d(2, within('i16', -999, 999, 2, 3, 5, 3))),
 ('shuffle4', '3x100000x7x20', d(2, within('i16', -999, 999, 3, 100000, 7, 20)), d(1, within('i16', -999, 999, 3, 7, 3, 1))),
 ('compress_expand', '3000000', d(within('u8', 0, 7, 3000000), within(f, -1, 1, 3000000)), d(within('u8', 0, 5, 33), within(f, -1, 1, 33))),
 ('compress_expand', '100000 of 255', d(within('u8', 0, 255, 100000), within(f, -1, 1, 100000)), d(within('u8', 0, 1, 65), within(f, -1, 1, 65))),
 ('run_lengths', '20000000', d(within('u8', 0, 2, 20000000)), d(within('u8', 0, 2, 99))),
 ('nwise', '16,1000x10000', d(16, within(f, -1, 1, 1000, 10000)), d(5, within(f, -1, 1, 3, 17))),
 ('nwise', '5,500000x20', d(5, within(f, -1, 1, 500000, 20)), d(3, within(f, -1, 1, 11, 7))),
 ('mixed_radix', '5000000,9', d(within('i64', 2, 12, 9), within('i64', 0, 1000000000, 5000000)), d(within('i64', 2, 12, 4), within('i64', 0, 100000, 21))),
 ('key_groups', '2000000 of 50000', d(within('i32', 0, 50000, 2000000), within('f64', 0, 1, 2000000)), d(within('i32', 0, 15, 91), within('f64', 0, 1, 91))),
 ('life', '30,2000x2000', d(30, within('bool', 0, 1, 2000, 2000)), d(5, within('bool', 0, 1, 9, 11))),
 ('life', '100,64x3000', d(100, within('bool', 0, 1, 64, 3000)), d(7, within('bool', 0, 1, 3, 31))),
 ('matrix_divide', '5000x24x8', d(within('f64', -1, 1, 5000, 24, 24), within('f64', -1, 1, 5000, 24, 8)), d(within('f64', -1, 1, 3, 5, 5), within('f64', -1, 1, 3, 5, 3))),
 ('matrix_divide', '3x300x100', d(within('f64', -1, 1, 3, 300, 300), within('f64', -1, 1, 3, 300, 100)), d(within('f64', -1, 1, 2, 7, 7), within('f64', -1, 1, 2, 7, 1))),
 ('anagrams', '1000000x5', d(within('u8', 0, 25, 1000000, 5)), d(within('u8', 0, 3, 31, 3))),
 ('pascal', '300,100000', d(300, 1000003, within('u32', 0, 1000002, 100000)), d(7, 17, within('u32', 0, 16, 33)))
]))
ROWS.append(('learn', [
 ('tree_split', '300000x30', d(within('u8', 0, 63, 300000, 30), within('f64', -1, 1, 300000), within('f64', 0.1, 1, 300000), 1.0), d(within('u8', 0, 63, 51, 3), within('f64', -1, 1, 51), within('f64', 0.1, 1, 51), 1.0)),
 ('tree_split', '10000x2000', d(within('u8', 0, 63, 10000, 2000), within('f64', -1, 1, 10000), within('f64', 0.1, 1, 10000), 0.5), d(within('u8', 0, 63, 9, 11), within('f64', -1, 1, 9), within('f64', 0.1, 1, 9), 0.5)),
 ('attention_bias', '8x1000x64', d(within(f, -1, 1, 8, 1000, 64), within(f, -1, 1, 8, 1000, 64), within(f, -1, 1, 8, 1000, 64), within(f, -1, 1, 8, 255)), d(within(f, -1, 1, 2, 9, 5), within(f, -1, 1, 2, 9, 5), within(f, -1, 1, 2, 9, 5), within(f, -1, 1, 2, 7))),
 ('attention_bias', '20000x20x16', d(within(f, -1, 1, 20000, 20, 16), within(f, -1, 1, 20000, 20, 16), within(f, -1, 1, 20000, 20, 16), within(f, -1, 1, 20000, 9)), d(within(f, -1, 1, 3, 5, 3), within(f, -1, 1, 3, 5, 3), within(f, -1, 1, 3, 5, 3), within(f, -1, 1, 3, 3))),
 ('graph_attention', '50000,500000,16', d(within(f, -1, 1, 50000, 16), within('i32', 0, 49999, 500000), within('i32', 0, 49999, 500000), within(f, -1, 1, 16), within(f, -1, 1, 16)), d(within(f, -1, 1, 17, 3), within('i32', 0, 16, 51), within('i32', 0, 16, 51), within(f, -1, 1, 3), within(f, -1, 1, 3))),
 ('embedding_bag', '20000x64,10000x20', d(within(f, -1, 1, 20000, 64), within('i32', 0, 19999, 10000, 20), within(f, 0, 1, 10000, 20), within(f, -1, 1, 10000, 64)), d(within(f, -1, 1, 11, 5), within('i32', 0, 10, 7, 3), within(f, 0, 1, 7, 3), within(f, -1, 1, 7, 5))),
 ('dw_separable', '32x224x224,64', d(within(f, -1, 1, 32, 224, 224), within(f, -1, 1, 32, 3, 3), within(f, -0.3, 0.3, 64, 32), within(f, -1, 1, 64)), d(within(f, -1, 1, 3, 9, 7), within(f, -1, 1, 3, 3, 3), within(f, -0.3, 0.3, 5, 3), within(f, -1, 1, 5))),
 ('dw_separable', '256x30x30,512', d(within(f, -1, 1, 256, 30, 30), within(f, -1, 1, 256, 3, 3), within(f, -0.3, 0.3, 512, 256), within(f, -1, 1, 512)), d(within(f, -1, 1, 5, 3, 5), within(f, -1, 1, 5, 3, 3), within(f, -0.3, 0.3, 7, 5), within(f, -1, 1, 7))),
 ('gru_gradient', '20x512x16x24', d(within(f, -1, 1, 20, 512, 16), within(f, -1, 1, 512, 24), within(f, -0.3, 0.3, 24, 24), within(f, -0.3, 0.3, 16, 24), within(f, -0.3, 0.3, 16, 24), within(f, -0.3, 0.3, 16, 24)), d(within(f, -1, 1, 5, 3, 3), within(f, -1, 1, 3, 5), within(f, -0.3, 0.3, 5, 5), within(f, -0.3, 0.3, 3, 5), within(f, -0.3, 0.3, 3, 5), within(f, -0.3, 0.3, 3, 5))),
 ('adamw', '300x200x100,5000', d(7, 0.001, within(f, -1, 1, 300, 200, 100), within(f, -1, 1, 300, 200, 100), within(f, -1, 1, 5000, 100), within(f, -1, 1, 5000, 100), within(f, 0, 1, 2, 300, 200, 100), within(f, 0, 1, 2, 5000, 100)), d(7, 0.001, within(f, -1, 1, 3, 5, 3), within(f, -1, 1, 3, 5, 3), within(f, -1, 1, 7, 3), within(f, -1, 1, 7, 3), within(f, 0, 1, 2, 3, 5, 3), within(f, 0, 1, 2, 7, 3))),
 ('hmm_forward', '16,2000x60', d(within(f, -1, 1, 16, 16), within(f, -1, 1, 16, 30), within('u8', 0, 29, 2000, 60)), d(within(f, -1, 1, 3, 3), within(f, -1, 1, 3, 5), within('u8', 0, 4, 5, 9))),
 ('hmm_forward', '200,40x100', d(within(f, -1, 1, 200, 200), within(f, -1, 1, 200, 9), within('u8', 0, 8, 40, 100)), d(within(f, -1, 1, 5, 5), within(f, -1, 1, 5, 3), within('u8', 0, 2, 3, 7))),
 ('nucleus', '300x8000', d(900, within('u32', 0, 4294967295, 300), within('u16', 1, 65535, 300, 8000)), d(700, within('u32', 0, 4294967295, 3), within('u16', 1, 999, 3, 23))),
 ('nucleus', '40000x50', d(500, within('u32', 0, 4294967295, 40000), within('u16', 1, 65535, 40000, 50)), d(900, within('u32', 0, 4294967295, 11), within('u16', 1, 99, 11, 7))),
 ('mixture', '20000x64,16,64', d(within(f, -1, 1, 20000, 64), within('u8', 0, 15, 20000), within(f, 0, 1, 20000), within(f, -0.3, 0.3, 16, 64, 64), within(f, -1, 1, 16, 64)), d(within(f, -1, 1, 31, 5), within('u8', 0, 2, 31), within(f, 0, 1, 31), within(f, -0.3, 0.3, 3, 5, 7), within(f, -1, 1, 3, 7))),
 ('int8_matmul', '2000x1000x1500', d(within('i8', -128, 127, 2000, 1000), within('i8', -128, 127, 1000, 1500), within('f16', 0.001, 0.02, 2000), within('f16', 0.001, 0.02, 1500)), d(within('i8', -128, 127, 5, 17), within('i8', -128, 127, 17, 3), within('f16', 0.001, 0.02, 5), within('f16', 0.001, 0.02, 3))),
 ('kernel_ridge', '25,3000x10', d(25, 0.5, 0.5, within('f64', -1, 1, 3000, 10), within('f64', -1, 1, 3000)), d(5, 0.5, 0.5, within('f64', -1, 1, 21, 3), within('f64', -1, 1, 21)))
]))
ROWS.append(('signal', [
 ('stft', '256,2000000', d(64, within(f, 0, 1, 256), within(f, -1, 1, 2000000)), d(3, within(f, 0, 1, 8), within(f, -1, 1, 91))),
 ('stft', '4096,1000000', d(1024, within(f, 0, 1, 4096), within(f, -1, 1, 1000000)), d(5, within(f, 0, 1, 16), within(f, -1, 1, 77))),
 ('envelope', '200x4096', d(within('f64', -1, 1, 200, 4096)), d(within('f64', -1, 1, 3, 16))),
 ('iir_scan', '200x50000', d(within(f, -0.9, 0.9, 200), within(f, -0.9, 0.9, 200), within(f, -1, 1, 200, 50000)), d(within(f, -0.9, 0.9, 3), within(f, -0.9, 0.9, 3), within(f, -1, 1, 3, 31))),
 ('iir_scan', '100000x60', d(within(f, -0.9, 0.9, 100000), within(f, -0.9, 0.9, 100000), within(f, -1, 1, 100000, 60)), d(within(f, -0.9, 0.9, 11), within(f, -0.9, 0.9, 11), within(f, -1, 1, 11, 7))),
 ('fir_bank', '4,32x63,1000000', d(4, within(f, -1, 1, 32, 63), within(f, -1, 1, 1000000)), d(3, within(f, -1, 1, 3, 5), within(f, -1, 1, 71))),
 ('lms', '10000x500', d(0.05, within(f, -1, 1, 10000, 500), within(f, -1, 1, 10000, 500)), d(0.05, within(f, -1, 1, 3, 21), within(f, -1, 1, 3, 21))),
 ('lifting', '5,1000x10000', d(5, within('i32', -1000, 1000, 1000, 10000)), d(3, within('i32', -1000, 1000, 3, 21))),
 ('lifting', '8,3x3000000', d(8, within('i32', -1000, 1000, 3, 3000000)), d(2, within('i32', -1000, 1000, 2, 33))),
 ('median3', '5000x4000', d(within('i16', -3000, 3000, 5000, 4000)), d(within('i16', -3000, 3000, 7, 9))),
 ('kalman', '20000x200', d(0.01, 0.5, within('f64', -1, 1, 20000, 200)), d(0.01, 0.5, within('f64', -1, 1, 5, 17))),
 ('ising', '50,2000x2000', d(50, 12345, within('u32', 0, 4294967295, 9), within('bool', 0, 1, 2000, 2000)), d(7, 99, within('u32', 0, 4294967295, 9), within('bool', 0, 1, 8, 11))),
 ('equalize', '100x500x400', d(within('u8', 20, 200, 100, 500, 400)), d(within('u8', 20, 200, 3, 5, 7))),
 ('equalize', '20000x30x20', d(within('u8', 0, 99, 20000, 30, 20)), d(within('u8', 0, 99, 7, 3, 5))),
 ('stencil27', '10,200x200x200', d(10, within(f, 0.1, 1, 3, 3, 3), within(f, -1, 1, 200, 200, 200)), d(3, within(f, 0.1, 1, 3, 3, 3), within(f, -1, 1, 3, 5, 7))),
 ('pendulums', '100,300000', d(100, 0.01, within('f64', -1, 1, 300000), within('f64', -1, 1, 300000), 0.1), d(7, 0.01, within('f64', -1, 1, 21), within('f64', -1, 1, 21), 0.1)),
 ('integrals', '100000,5000000', d(ordered('f64', 0, 100, 100000), within('f64', -1, 1, 100000), within('f64', -1, 101, 5000000)), d(ordered('f64', 0, 100, 11), within('f64', -1, 1, 11), within('f64', -1, 101, 51)))
]))
