//! How fast this processor reads memory: the yardstick for the scans.
//!
//! `read_bandwidth BYTES` prints the microseconds of reading so many bytes once, from the memory that rows stand in,
//! with no more arithmetic than one operation a load. One thread; of one to eight streams the fastest, each the median of
//! its rounds.

use std::hint::black_box;
use std::time::Instant;

use setwise_kernels::{LANES, Lanes, Matrix};

const ROUNDS: usize = 31;
/// Numbers in a row of the matrix: what a stream reads before it goes on to its next row.
const DIMENSIONS: usize = 768;

fn main() {
    let bytes: usize = std::env::args()
        .nth(1)
        .and_then(|argument| argument.parse().ok())
        .expect("Expected how many bytes to read, such as 42577920.");
    let rows = (bytes / (DIMENSIONS * size_of::<f32>())).max(1);
    let mut matrix = Matrix::empty(DIMENSIONS);
    for _ in 0..rows {
        matrix
            .append("rows", &[1.0; DIMENSIONS])
            .expect("There is memory for the rows.");
    }
    // The rows stand one behind the other.
    let first = matrix.view().row(0).as_ptr();
    // SAFETY: a row is so many whole lines, and all rows are one allocation that outlives the reading.
    let lines = unsafe { std::slice::from_raw_parts(first, rows * DIMENSIONS / LANES) };
    let fastest = [
        median(|| read::<1>(lines)),
        median(|| read::<2>(lines)),
        median(|| read::<4>(lines)),
        median(|| read::<8>(lines)),
    ];
    println!("{}", fastest.into_iter().fold(f64::INFINITY, f64::min));
}

/// Median microseconds of a call.
fn median(mut run: impl FnMut() -> u32) -> f64 {
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}

/// Reads all lines in so many streams, a row of each in turn.
fn read<const STREAMS: usize>(lines: &[Lanes]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has AVX-512 F.
        return unsafe { read_avx512::<STREAMS>(lines) };
    }
    read_plainly::<STREAMS>(lines)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn read_avx512<const STREAMS: usize>(lines: &[Lanes]) -> u32 {
    use std::arch::x86_64::{_mm512_load_si512, _mm512_or_si512, _mm512_reduce_or_epi32, _mm512_setzero_si512};
    let row = DIMENSIONS / LANES;
    let mut bits = [_mm512_setzero_si512(); STREAMS];
    for rows in lines.chunks_exact(STREAMS * row) {
        for line in 0..row {
            for (stream, bits) in bits.iter_mut().enumerate() {
                let line = &rows[stream * row + line];
                // SAFETY: a line is 64 bytes at a multiple of 64.
                let read = unsafe { _mm512_load_si512(std::ptr::from_ref(line).cast()) };
                *bits = _mm512_or_si512(*bits, read);
            }
        }
    }
    bits.into_iter()
        .fold(0, |all, bits| all | _mm512_reduce_or_epi32(bits))
        .cast_unsigned()
}

fn read_plainly<const STREAMS: usize>(lines: &[Lanes]) -> u32 {
    let row = DIMENSIONS / LANES;
    let mut bits = [[0; LANES]; STREAMS];
    for rows in lines.chunks_exact(STREAMS * row) {
        for line in 0..row {
            for (stream, bits) in bits.iter_mut().enumerate() {
                for (bits, number) in bits.iter_mut().zip(rows[stream * row + line].0) {
                    *bits |= number.to_bits();
                }
            }
        }
    }
    bits.as_flattened().iter().fold(0, |all, bits| all | bits)
}
