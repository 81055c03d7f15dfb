//! Every SIMD path that this machine has, against the definition.

use proptest::prelude::*;
use setwise_kernels::{
    Combine, KernelError, Lanes, Matrix, Precision, Search, SearchScratch, Simd, Similarity, VectorIndex,
    VectorIndexOptions, exact_dot, relative_error, scan,
};

/// The definition, as plainly as it can be written.
fn exact_score(row: &[f32], query: &[f32]) -> f32 {
    let mut sums = [0.0_f64; 4];
    for (position, (&row, &query)) in row.iter().zip(query).enumerate() {
        sums[position % 4] += f64::from(row) * f64::from(query);
    }
    ((sums[0] + sums[1]) + (sums[2] + sums[3])) as f32 + 0.0
}

/// The answers by the definition: (ordinal, bits of the score), for each query or for all together.
fn reference(case: &Case, combine: Combine) -> Vec<Vec<(u32, u32)>> {
    let queries: Vec<&[f32]> = case.queries.chunks_exact(case.dimensions).collect();
    let groups: Vec<Vec<&[f32]>> = match combine {
        Combine::Each => queries.into_iter().map(|query| vec![query]).collect(),
        Combine::Maximum if queries.is_empty() => vec![],
        Combine::Maximum => vec![queries],
    };
    let answer = |group: &Vec<&[f32]>| {
        let mut all: Vec<(u32, f32)> = case
            .vectors
            .chunks_exact(case.dimensions)
            .zip(0..)
            .filter(|(_, row)| case.allow.as_ref().is_none_or(|allow| allow.contains(row)))
            .filter(|(_, row)| !case.exclude.contains(row) && !case.removed.contains(row))
            .map(|(vector, row)| {
                (
                    row,
                    group
                        .iter()
                        .map(|query| exact_score(vector, query))
                        .fold(f32::MIN, f32::max),
                )
            })
            .collect();
        all.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        all.truncate(case.k);
        all.into_iter().map(|(row, score)| (row, score.to_bits())).collect()
    };
    groups.iter().map(answer).collect()
}

fn answer(index: &VectorIndex, request: Search<'_>) -> Vec<Vec<(u32, u32)>> {
    let queries = match request.combine {
        Combine::Each => request.queries.len() / index.dimensions(),
        Combine::Maximum => usize::from(!request.queries.is_empty()),
    };
    let room = queries * request.k;
    let (mut ids, mut scores) = (vec![0; room], vec![0.0; room]);
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

/// Every way in which an index can be made here.
fn all_options() -> impl Iterator<Item = VectorIndexOptions> {
    Simd::supported().flat_map(|simd| {
        [(Precision::Float32, 1), (Precision::Int8, 1), (Precision::Int8, 3)].map(|(precision, threads)| {
            VectorIndexOptions {
                precision,
                threads,
                ..VectorIndexOptions::new(simd)
            }
        })
    })
}

/// An index of a case, without the rows that it removes.
fn open(case: &Case, options: VectorIndexOptions) -> VectorIndex {
    let mut index = VectorIndex::with_options(case.dimensions, &case.vectors, options).unwrap();
    index.remove(&case.removed).unwrap();
    index
}

fn request(case: &Case, combine: Combine) -> Search<'_> {
    Search {
        queries: &case.queries,
        k: case.k,
        combine,
        allow: case.allow.as_deref(),
        exclude: &case.exclude,
    }
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
    exclude: Vec<u32>,
    removed: Vec<u32>,
}

fn case() -> impl Strategy<Value = Case> {
    (1_usize..90, 1_usize..60, 1_usize..20).prop_flat_map(|(dimensions, rows, queries)| {
        let ordinals = |most: usize| prop::collection::vec(0..rows as u32, 0..=most);
        (
            // Few distinct rows make many ties.
            prop::collection::vec(prop::collection::vec(number(), dimensions), 1..=rows),
            prop::collection::vec(any::<prop::sample::Index>(), rows),
            prop::collection::vec(number(), dimensions * queries),
            0..rows + 2,
            prop::option::of(ordinals(rows)),
            ordinals(rows / 3),
            prop_oneof![Just(vec![]), ordinals(rows)],
        )
            .prop_map(move |(distinct, picks, queries, k, allow, exclude, removed)| Case {
                dimensions,
                vectors: picks.iter().flat_map(|pick| pick.get(&distinct).clone()).collect(),
                queries,
                k,
                allow,
                exclude,
                removed,
            })
    })
}

/// A change of an index.
#[derive(Debug, Clone)]
enum Change {
    Add(Vec<f32>),
    Replace(Vec<prop::sample::Index>, Vec<f32>),
    Remove(Vec<prop::sample::Index>),
}

fn change(dimensions: usize) -> impl Strategy<Value = Change> {
    let vectors = move |rows: usize| prop::collection::vec(number(), dimensions * rows);
    prop_oneof![
        (0_usize..4).prop_flat_map(vectors).prop_map(Change::Add),
        (0_usize..4).prop_flat_map(move |rows| {
            (prop::collection::vec(any::<prop::sample::Index>(), rows), vectors(rows))
                .prop_map(|(places, vectors)| Change::Replace(places, vectors))
        }),
        prop::collection::vec(any::<prop::sample::Index>(), 0..3).prop_map(Change::Remove),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_level_precision_and_number_of_threads_answers_the_definition_bit_for_bit(case in case()) {
        for combine in [Combine::Each, Combine::Maximum] {
            let expected = reference(&case, combine);
            for options in all_options() {
                let index = open(&case, options);
                prop_assert_eq!(answer(&index, request(&case, combine)), expected.clone(), "{:?}", options);
            }
        }
    }

    #[test]
    fn every_level_gives_the_same_cosines(case in case()) {
        let mut first = None;
        for options in all_options() {
            let options = VectorIndexOptions { similarity: Similarity::Cosine, ..options };
            let answers = answer(&open(&case, options), request(&case, Combine::Each));
            prop_assert!(answers.iter().flatten().all(|&(_, score)| f32::from_bits(score).abs() < 1.000_001));
            prop_assert_eq!(first.get_or_insert_with(|| answers.clone()), &answers, "{:?}", options);
        }
    }

    #[test]
    fn rows_that_were_added_replaced_and_removed_are_answered_as_if_they_had_always_been_so(
        (case, changes) in case().prop_flat_map(|case| {
            let changes = prop::collection::vec(change(case.dimensions), 0..12);
            (Just(case), changes)
        })
    ) {
        let mut indexes: Vec<VectorIndex> = all_options().map(|options| open(&case, options)).collect();
        let mut model = Case { allow: None, ..case };
        let dimensions = model.dimensions;
        model.removed.sort_unstable();
        model.removed.dedup();
        for change in changes {
            let rows = model.vectors.len() / dimensions;
            let place = |place: &prop::sample::Index| place.index(rows) as u32;
            match change {
                Change::Add(vectors) => {
                    for index in &mut indexes {
                        prop_assert_eq!(index.add(&vectors), Ok(rows as u32));
                    }
                    model.vectors.extend(vectors);
                }
                Change::Replace(places, vectors) => {
                    let places: Vec<u32> = places.iter().map(place).collect();
                    for (&row, vector) in places.iter().zip(vectors.chunks_exact(dimensions)) {
                        model.vectors[row as usize * dimensions..][..dimensions].copy_from_slice(vector);
                    }
                    let before = model.removed.len();
                    model.removed.retain(|row| !places.contains(row));
                    for index in &mut indexes {
                        prop_assert_eq!(index.replace(&places, &vectors), Ok(before - model.removed.len()));
                    }
                }
                Change::Remove(places) => {
                    let places: Vec<u32> = places.iter().map(place).collect();
                    let before = model.removed.len();
                    model.removed.extend(&places);
                    model.removed.sort_unstable();
                    model.removed.dedup();
                    for index in &mut indexes {
                        prop_assert_eq!(index.remove(&places), Ok(model.removed.len() - before));
                    }
                }
            }
            for index in &indexes {
                prop_assert_eq!(index.rows(), model.vectors.len() / dimensions);
                prop_assert_eq!(index.size(), index.rows() - model.removed.len());
            }
        }
        let expected = reference(&model, Combine::Each);
        for index in &indexes {
            prop_assert_eq!(answer(index, request(&model, Combine::Each)), expected.clone());
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
    for options in all_options() {
        let index = VectorIndex::with_options(1, &[-1e-30, 0.0], options).unwrap();
        for (k, expected) in [(1, &[(0, 0)][..]), (2, &[(0, 0), (1, 0)])] {
            let request = Search {
                queries: &[1e-30],
                k,
                ..Search::default()
            };
            assert_eq!(answer(&index, request)[0], expected, "{options:?}");
        }
    }
}

/// Numbers in −0.5..0.5 from a fixed sequence.
fn sequence(seed: u32) -> impl FnMut() -> f32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 16_777_216.0 - 0.5
    }
}

fn assert_defined(name: &str, dimensions: usize, vectors: Vec<f32>, queries: Vec<f32>) {
    let case = Case {
        dimensions,
        vectors,
        queries,
        k: 20,
        allow: None,
        exclude: vec![3, 1, 3],
        removed: vec![7, 0],
    };
    for combine in [Combine::Each, Combine::Maximum] {
        let expected = reference(&case, combine);
        for options in all_options() {
            let got = answer(&open(&case, options), request(&case, combine));
            assert_eq!(got, expected, "{name} {combine:?} {options:?}");
        }
    }
}

/// Rows that are hard to tell apart by one byte a number, or that spoil a bound.
#[test]
fn adversarial_rows_are_answered_exactly_at_every_level() {
    let (dimensions, rows, queries) = (300, 400, 5);
    let mut random = sequence(1);
    let mut numbers = |count: usize| -> Vec<f32> { (0..count).map(|_| random()).collect() };
    let base = numbers(dimensions);
    let noise = numbers(rows * dimensions);
    let asked = numbers(queries * dimensions);
    let rows_of = |number: &dyn Fn(usize, usize) -> f32| -> Vec<f32> {
        (0..rows * dimensions)
            .map(|at| number(at / dimensions, at % dimensions))
            .collect()
    };
    let noise_at = |row: usize, column: usize| noise[row * dimensions + column];
    let scale = |row: usize| 2.0_f32.powi(i32::try_from(row % 100).unwrap() - 50);
    let families: [(&str, Vec<f32>); 9] = [
        ("random", noise.clone()),
        ("equal", rows_of(&|_, column| base[column])),
        (
            "near ties",
            rows_of(&|row, column| base[column] + noise_at(row, column) * 1e-7),
        ),
        (
            "one-hot",
            rows_of(&|row, column| f32::from(u8::from(row % dimensions == column))),
        ),
        ("tiny", rows_of(&|row, column| noise_at(row, column) * 1e-38)),
        ("huge", rows_of(&|row, column| noise_at(row, column) * 1e17)),
        (
            "of every length",
            rows_of(&|row, column| noise_at(row, column) * scale(row)),
        ),
        (
            "with one outlier",
            rows_of(&|row, column| if column == row % 3 { 1e4 } else { noise_at(row, column) }),
        ),
        (
            "zeros but some",
            rows_of(&|row, column| if row % 50 == 0 { noise_at(row, column) } else { 0.0 }),
        ),
    ];
    for (name, vectors) in families {
        for (kind, factor) in [("", 1.0), (", tiny query", 1e-37), (", huge query", 1e17)] {
            let queries = asked.iter().map(|number| number * factor).collect();
            assert_defined(&format!("{name}{kind}"), dimensions, vectors.clone(), queries);
        }
        let own = vectors[..queries * dimensions].to_vec();
        assert_defined(&format!("{name}, own rows asked"), dimensions, vectors, own);
    }
}

#[test]
fn the_longest_vectors_do_not_overflow_the_integer_sums() {
    // Every product is of the greatest integers: 127 · P · 65,536, with P as large as it may be.
    let dimensions = 65_536;
    let vectors = [1.0_f32, -1.0, 0.5].map(|number| vec![number; dimensions]).concat();
    let case = Case {
        dimensions,
        vectors,
        queries: [1.0_f32, -1.0].map(|number| vec![number; dimensions]).concat(),
        k: 2,
        allow: None,
        exclude: vec![],
        removed: vec![],
    };
    // 65,536 and 32,768; for the other query −32,768 is second.
    let bits = |score: f32| score.to_bits();
    let each = vec![
        vec![(0, bits(65_536.0)), (2, bits(32_768.0))],
        vec![(1, bits(65_536.0)), (2, bits(-32_768.0))],
    ];
    for options in all_options() {
        let index = open(&case, options);
        assert_eq!(answer(&index, request(&case, Combine::Each)), each);
        assert_eq!(
            answer(&index, request(&case, Combine::Maximum)),
            [[(0, bits(65_536.0)), (1, bits(65_536.0))]]
        );
    }
}

#[test]
fn a_change_that_is_refused_leaves_the_index_as_it_was() {
    for options in all_options() {
        let mut index = VectorIndex::with_options(2, &[1.0, 0.0, 0.0, 1.0], options).unwrap();
        assert!(matches!(
            index.add(&[1.0, 1.0, f32::NAN, 0.0]),
            Err(KernelError::NotFinite { position: 2, .. })
        ));
        assert!(matches!(
            index.add(&[1.0, 1.0, 1e19, 0.0]),
            Err(KernelError::TooLong { row: 1, .. })
        ));
        assert!(matches!(index.add(&[1.0]), Err(KernelError::Length { .. })));
        assert!(matches!(
            index.replace(&[0, 2], &[5.0, 5.0, 5.0, 5.0]),
            Err(KernelError::UnknownOrdinal { ordinal: 2, .. })
        ));
        assert!(matches!(
            index.replace(&[0], &[5.0; 4]),
            Err(KernelError::Length { expected: 2, .. })
        ));
        assert!(matches!(
            index.replace(&[0, 1], &[5.0, 5.0, f32::INFINITY, 5.0]),
            Err(KernelError::NotFinite { .. })
        ));
        assert!(matches!(
            index.remove(&[0, 9]),
            Err(KernelError::UnknownOrdinal { ordinal: 9, .. })
        ));
        let request = Search {
            queries: &[2.0, 1.0],
            k: 9,
            ..Search::default()
        };
        assert_eq!(
            answer(&index, request)[0],
            [(0, 2.0_f32.to_bits()), (1, 1.0_f32.to_bits())]
        );
        assert_eq!((index.rows(), index.size()), (2, 2));
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
        let request = Search {
            queries,
            k: 2,
            allow,
            ..Search::default()
        };
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
        Err(KernelError::UnknownOrdinal {
            ordinal: 2,
            rows: 2,
            ..
        })
    ));
    assert_eq!(search(&[1.0, 1.0], Some(&[]), 0), Ok(0));
    assert_eq!(search(&[], None, 0), Ok(2));
    assert_eq!(search(&[1.0, 1.0], None, 2), Ok(2));
}
