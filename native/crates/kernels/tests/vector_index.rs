//! Every SIMD path that this machine has, against the definition.

use proptest::prelude::*;
use setwise_kernels::{
    KernelError, Lanes, Matrix, Search, SearchScratch, Simd, Similarity, VectorIndex, exact_dot, relative_error, scan,
};

/// The definition, as plainly as it can be written.
fn exact_score(row: &[f32], query: &[f32]) -> f32 {
    let mut sums = [0.0_f64; 4];
    for (position, (&row, &query)) in row.iter().zip(query).enumerate() {
        sums[position % 4] += f64::from(row) * f64::from(query);
    }
    ((sums[0] + sums[1]) + (sums[2] + sums[3])) as f32 + 0.0
}

fn reference(dimensions: usize, vectors: &[f32], query: &[f32], k: usize, allow: Option<&[u32]>) -> Vec<(u32, u32)> {
    let mut all: Vec<(u32, f32)> = vectors
        .chunks_exact(dimensions)
        .enumerate()
        .map(|(row, vector)| (row as u32, exact_score(vector, query)))
        .filter(|(row, _)| allow.is_none_or(|allow| allow.contains(row)))
        .collect();
    all.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    all.truncate(k);
    all.into_iter().map(|(row, score)| (row, score.to_bits())).collect()
}

fn answer(index: &VectorIndex, request: Search<'_>, queries: usize, room: usize) -> Vec<Vec<(u32, u32)>> {
    let (mut ids, mut scores) = (vec![0; queries * room], vec![0.0; queries * room]);
    let count = index
        .search(request, &mut SearchScratch::default(), &mut ids, &mut scores)
        .unwrap();
    (0..queries)
        .map(|query| {
            (query * count..(query + 1) * count)
                .map(|at| (ids[at], scores[at].to_bits()))
                .collect()
        })
        .collect()
}

/// Numbers that collide, nearly collide, cancel, underflow and differ by many orders of magnitude.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => -1.0_f32..1.0,
        3 => prop::sample::select(vec![0.0_f32, -0.0, 1.0, -1.0, 0.5]),
        2 => (0_u32..4).prop_map(|ulps| f32::from_bits(1.0_f32.to_bits() + ulps)),
        1 => -1e15_f32..1e15,
        1 => prop::sample::select(vec![f32::MIN_POSITIVE, f32::from_bits(1), -f32::from_bits(3), 1e-30]),
    ]
}

#[derive(Debug, Clone)]
struct Case {
    dimensions: usize,
    vectors: Vec<f32>,
    queries: Vec<f32>,
    k: usize,
    allow: Option<Vec<u32>>,
}

fn case() -> impl Strategy<Value = Case> {
    (1_usize..70, 1_usize..60, 1_usize..12).prop_flat_map(|(dimensions, rows, queries)| {
        (
            // Few distinct rows make many ties.
            prop::collection::vec(prop::collection::vec(number(), dimensions), 1..=rows),
            prop::collection::vec(any::<prop::sample::Index>(), rows),
            prop::collection::vec(number(), dimensions * queries),
            0..rows + 2,
            prop::option::of(prop::collection::vec(0..rows as u32, 0..rows)),
        )
            .prop_map(move |(distinct, picks, queries, k, allow)| Case {
                dimensions,
                vectors: picks.iter().flat_map(|pick| pick.get(&distinct).clone()).collect(),
                queries,
                k,
                allow,
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn every_level_answers_the_definition_bit_for_bit(case in case()) {
        let queries = case.queries.len() / case.dimensions;
        for simd in Simd::supported() {
            let index = VectorIndex::new(case.dimensions, &case.vectors, Similarity::InnerProduct, simd).unwrap();
            let request = Search { queries: &case.queries, k: case.k, allow: case.allow.as_deref() };
            let answers = answer(&index, request, queries, case.k);
            for (query, got) in case.queries.chunks_exact(case.dimensions).zip(&answers) {
                let expected = reference(case.dimensions, &case.vectors, query, case.k, case.allow.as_deref());
                prop_assert_eq!(got, &expected, "{:?}", simd);
            }
        }
    }

    #[test]
    fn every_level_gives_the_same_cosines(case in case()) {
        let queries = case.queries.len() / case.dimensions;
        let request = Search { queries: &case.queries, k: case.k, allow: case.allow.as_deref() };
        let mut first = None;
        for simd in Simd::supported() {
            let index = VectorIndex::new(case.dimensions, &case.vectors, Similarity::Cosine, simd).unwrap();
            let answers = answer(&index, request, queries, case.k);
            prop_assert!(answers.iter().flatten().all(|&(_, score)| f32::from_bits(score).abs() < 1.000_001));
            prop_assert_eq!(first.get_or_insert_with(|| answers.clone()), &answers, "{:?}", simd);
        }
    }

    #[test]
    fn the_scan_stays_within_its_error_bound(case in case()) {
        let query = &case.queries[..case.dimensions];
        let mut query_lanes = Matrix::default();
        query_lanes.refill("query", query, case.dimensions).unwrap();
        let mut matrix = Matrix::default();
        matrix.refill("vectors", &case.vectors, case.dimensions).unwrap();
        let ordinals: Vec<u32> = (0..matrix.rows() as u32).collect();
        for simd in Simd::supported() {
            let mut products = vec![0.0; ordinals.len()];
            scan(simd, &matrix, &ordinals, query_lanes.row(0), &mut products);
            for (row, &product) in products.iter().enumerate() {
                let exact = exact_dot(matrix.row(row), query_lanes.row(0));
                let length = |row: &[Lanes]| exact_dot(row, row).sqrt();
                let bound = relative_error(case.dimensions) * length(matrix.row(row)) * length(query_lanes.row(0));
                let underflow = case.dimensions as f64 * f64::from(f32::from_bits(1));
                prop_assert!((f64::from(product) - exact).abs() <= bound * 1.000_001 + underflow, "{:?}", simd);
            }
        }
    }
}

#[test]
fn a_product_too_small_for_f32_is_positive_zero_and_ties_with_zero() {
    // −1e-30 · 1e-30 = −1e-60, far below the smallest f32: it would round to −0.
    for simd in Simd::supported() {
        let index = VectorIndex::new(1, &[-1e-30, 0.0], Similarity::InnerProduct, simd).unwrap();
        let request = Search {
            queries: &[1e-30],
            k: 2,
            allow: None,
        };
        assert_eq!(answer(&index, request, 1, 2)[0], [(0, 0), (1, 0)], "{simd:?}");
    }
}

/// Rows so close that f32 sums put them in another order than exact ones do.
#[test]
fn near_ties_are_settled_exactly_at_every_level() {
    let (dimensions, rows) = (768, 500);
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) as f32 / 16_777_216.0 - 0.5
    };
    let base: Vec<f32> = (0..dimensions).map(|_| random()).collect();
    let vectors: Vec<f32> = (0..rows)
        .flat_map(|_| base.iter().map(|x| x + random() * 1e-7).collect::<Vec<_>>())
        .collect();
    let query: Vec<f32> = (0..dimensions).map(|_| random()).collect();
    let expected = reference(dimensions, &vectors, &query, 20, None);
    for simd in Simd::supported() {
        let index = VectorIndex::new(dimensions, &vectors, Similarity::InnerProduct, simd).unwrap();
        let request = Search {
            queries: &query,
            k: 20,
            allow: None,
        };
        assert_eq!(answer(&index, request, 1, 20)[0], expected, "{simd:?}");
    }
}

#[test]
fn refuses_what_it_cannot_answer() {
    let simd = Simd::supported().next().unwrap();
    let make = |dimensions, vectors: &[f32]| VectorIndex::new(dimensions, vectors, Similarity::InnerProduct, simd);
    assert!(matches!(make(0, &[1.0]), Err(KernelError::Length { .. })));
    assert!(matches!(
        make(2, &[1.0]),
        Err(KernelError::Length {
            expected: 2,
            actual: 1,
            ..
        })
    ));
    assert!(matches!(
        make(2, &[1.0, 2.0, f32::NAN, 0.0]),
        Err(KernelError::NotFinite { position: 2, .. })
    ));
    assert!(matches!(
        make(1, &[0.0, 1e19]),
        Err(KernelError::TooLong { row: 1, .. })
    ));
    assert!(matches!(Simd::named("mmx"), Err(KernelError::Option { .. })));

    let index = make(2, &[1.0, 0.0, 0.0, 1.0]).unwrap();
    let mut scratch = SearchScratch::default();
    let mut search = |queries: &[f32], allow, room: usize| {
        let request = Search { queries, k: 2, allow };
        index.search(request, &mut scratch, &mut vec![0; room], &mut vec![0.0; room])
    };
    assert!(matches!(
        search(&[1.0], None, 2),
        Err(KernelError::Length { what: "queries", .. })
    ));
    assert!(matches!(
        search(&[1.0, f32::INFINITY], None, 2),
        Err(KernelError::NotFinite { position: 1, .. })
    ));
    assert!(matches!(
        search(&[1.0, 1.0], None, 1),
        Err(KernelError::Length { what: "ids", .. })
    ));
    assert!(matches!(
        search(&[1.0, 1.0], Some(&[2]), 2),
        Err(KernelError::UnknownOrdinal { ordinal: 2, rows: 2 })
    ));
    assert_eq!(search(&[1.0, 1.0], Some(&[]), 0), Ok(0));
    assert_eq!(search(&[], None, 0), Ok(2));
    assert_eq!(search(&[1.0, 1.0], None, 2), Ok(2));
}
