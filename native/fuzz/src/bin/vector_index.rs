//! Every level and precision answers what the definition answers, after any changes, to the last bit.
#![no_main]

use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use setwise_fuzz::lists::{count, one_in, ordinals, spoil};
use setwise_fuzz::numbers::singles;
use setwise_fuzz::plain_vectors::{best, score, taken};
use setwise_kernels::{
    Combine, KernelError, Precision, Search, SearchScratch, Simd, Similarity, VectorIndex, VectorIndexOptions,
};

/// An index and what is done with it.
#[derive(Debug)]
struct Case {
    dimensions: usize,
    similarity: Similarity,
    vectors: Vec<f32>,
    steps: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    Add(Vec<f32>),
    Replace(Vec<u32>, Vec<f32>),
    Remove(Vec<u32>),
    /// Writes all rows out and reads them in again.
    Restore,
    Search(Question),
}

#[derive(Debug)]
struct Question {
    queries: Vec<f32>,
    k: usize,
    combine: Combine,
    allow: Option<Vec<u32>>,
    exclude: Vec<u32>,
    /// How much longer than the answer the columns are, or −1.
    spare: i8,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let dimensions = if one_in(input, 100)? {
            0
        } else {
            input.int_in_range(1..=70)?
        };
        // Rows are read in blocks of 96.
        let mut rows = count(input, 14, 110)?;
        let mut case = Self {
            dimensions,
            similarity: *input.choose(&[Similarity::InnerProduct, Similarity::Cosine])?,
            vectors: vectors(input, rows, dimensions)?,
            steps: Vec::new(),
        };
        for _ in 0..input.int_in_range(0..=5)? {
            case.steps.push(match input.int_in_range(0..=6)? {
                0 => {
                    let added = input.int_in_range(0..=3)?;
                    rows += added;
                    Step::Add(vectors(input, added, dimensions)?)
                }
                1 => {
                    let places = ordinals(input, rows, 4)?;
                    let vectors = vectors(input, places.len(), dimensions)?;
                    Step::Replace(places, vectors)
                }
                2 => Step::Remove(ordinals(input, rows, 4)?),
                3 => Step::Restore,
                _ => Step::Search(Question::read(input, rows, dimensions)?),
            });
        }
        case.steps.push(Step::Search(Question::read(input, rows, dimensions)?));
        Ok(case)
    }
}

impl Question {
    fn read(input: &mut Unstructured, rows: usize, dimensions: usize) -> Result<Self> {
        // Queries are answered eight at a time, or sixteen when they are combined.
        let queries = count(input, 3, if rows > 20 { 9 } else { 18 })?;
        let k = if one_in(input, 50)? {
            usize::MAX
        } else {
            count(input, rows.min(8), rows + 1)?
        };
        Ok(Self {
            queries: vectors(input, queries, dimensions)?,
            k,
            combine: *input.choose(&[Combine::Each, Combine::Maximum])?,
            allow: if one_in(input, 3)? {
                Some(ordinals(input, rows, rows)?)
            } else {
                None
            },
            exclude: if one_in(input, 3)? {
                let most = count(input, 3, rows)?;
                ordinals(input, rows, most)?
            } else {
                Vec::new()
            },
            spare: if one_in(input, 50)? {
                -1
            } else {
                input.int_in_range(0..=1)?
            },
        })
    }

    fn search(&self) -> Search<'_> {
        Search {
            queries: &self.queries,
            k: self.k,
            combine: self.combine,
            allow: self.allow.as_deref(),
            exclude: &self.exclude,
        }
    }
}

/// Vectors of which some are equal or nearly so; now and then a number too few or too many.
fn vectors(input: &mut Unstructured, rows: usize, dimensions: usize) -> Result<Vec<f32>> {
    let mut vectors = singles(input, rows * dimensions)?;
    if rows > 1 && one_in(input, 3)? {
        for _ in 0..input.int_in_range(1..=4)? {
            let (from, to) = (input.choose_index(rows)?, input.choose_index(rows)?);
            vectors.copy_within(from * dimensions..(from + 1) * dimensions, to * dimensions);
            if dimensions > 0 && input.arbitrary()? {
                let number = &mut vectors[to * dimensions + input.choose_index(dimensions)?];
                *number = number.next_up();
            }
        }
    }
    spoil(input, &mut vectors)?;
    Ok(vectors)
}

/// Rows as plainly as they can be kept.
struct Plain {
    dimensions: usize,
    is_cosine: bool,
    /// Nothing where a row was removed.
    rows: Vec<Option<Vec<f32>>>,
}

/// An answer to one query: rows and the bits of their scores.
type Answer = Vec<(u32, u32)>;

impl Plain {
    fn take(&self, vectors: &[f32]) -> Option<Vec<Vec<f32>>> {
        if self.dimensions == 0 || !vectors.len().is_multiple_of(self.dimensions) {
            return None;
        }
        vectors
            .chunks_exact(self.dimensions)
            .map(|vector| taken(vector, self.is_cosine))
            .collect()
    }

    fn has(&self, ordinals: &[u32]) -> bool {
        ordinals.iter().all(|&ordinal| (ordinal as usize) < self.rows.len())
    }

    /// Changes the rows; nothing, and no change, where it is to be refused.
    fn change(&mut self, step: &Step) -> Option<()> {
        match step {
            Step::Add(vectors) => {
                let vectors = self.take(vectors)?;
                self.rows.extend(vectors.into_iter().map(Some));
            }
            Step::Replace(places, vectors) => {
                let vectors = self.take(vectors).filter(|vectors| vectors.len() == places.len())?;
                self.has(places).then_some(())?;
                for (&place, vector) in places.iter().zip(vectors) {
                    self.rows[place as usize] = Some(vector);
                }
            }
            Step::Remove(places) => {
                self.has(places).then_some(())?;
                for &place in places {
                    self.rows[place as usize] = None;
                }
            }
            Step::Restore | Step::Search(_) => {}
        }
        Some(())
    }

    fn answer(&self, question: &Question) -> Option<Vec<Answer>> {
        let queries = self.take(&question.queries)?;
        let allow = question.allow.as_ref();
        (self.has(&question.exclude) && allow.is_none_or(|allow| self.has(allow))).then_some(())?;
        let may = |row: &u32| allow.is_none_or(|allow| allow.contains(row)) && !question.exclude.contains(row);
        let answer = |queries: &[Vec<f32>]| {
            let scored = (0..)
                .zip(&self.rows)
                .filter(|(row, _)| may(row))
                .filter_map(|(row, vector)| {
                    let vector = vector.as_ref()?;
                    let scores = queries.iter().map(|query| score(vector, query));
                    Some((row, scores.fold(f32::NEG_INFINITY, f32::max)))
                });
            best(scored, question.k)
                .into_iter()
                .map(|(row, score)| (row, score.to_bits()))
                .collect()
        };
        Some(match question.combine {
            Combine::Each => queries
                .iter()
                .map(|query| answer(std::slice::from_ref(query)))
                .collect(),
            Combine::Maximum if queries.is_empty() => vec![],
            Combine::Maximum => vec![answer(&queries)],
        })
    }
}

fn change(index: &mut VectorIndex, step: &Step, options: VectorIndexOptions) -> std::result::Result<(), KernelError> {
    match step {
        Step::Add(vectors) => index.add(vectors).map(|_| ()),
        Step::Replace(places, vectors) => index.replace(places, vectors).map(|_| ()),
        Step::Remove(places) => index.remove(places).map(|_| ()),
        Step::Search(_) => Ok(()),
        Step::Restore => {
            let mut rows = vec![f32::NAN; index.rows() * index.dimensions()];
            index.read_rows(0, &mut rows)?;
            let removed = index.removed().to_vec();
            *index = VectorIndex::restore(index.dimensions(), &rows, options)?;
            index.remove(&removed).map(|_| ())
        }
    }
}

/// What an index answers, or the refusal; `expected` tells how many answers there are to be.
fn answer(
    index: &VectorIndex,
    question: &Question,
    expected: &[Answer],
    scratch: &mut SearchScratch,
) -> std::result::Result<Vec<Answer>, KernelError> {
    let needed: usize = expected.iter().map(Vec::len).sum();
    let room = needed.saturating_add_signed(question.spare.into());
    let (mut ids, mut scores) = (vec![u32::MAX; room], vec![f32::NAN; room]);
    let each = index.search(question.search(), scratch, &mut ids, &mut scores)?;
    assert!(
        ids[needed..].iter().all(|&id| id == u32::MAX),
        "written behind the answer"
    );
    assert!(
        scores[needed..].iter().all(|score| score.is_nan()),
        "written behind the answer"
    );
    let range = |query: usize| query * each..(query + 1) * each;
    let of = |query| range(query).map(|at| (ids[at], scores[at].to_bits())).collect();
    Ok((0..expected.len()).map(of).collect())
}

/// What a step is to do.
struct Expected {
    is_taken: bool,
    rows: usize,
    size: usize,
    /// Nothing where there is no search, or it is to be refused.
    answers: Option<Vec<Answer>>,
}

impl Plain {
    /// What each step does to an index; nothing where the index is to be refused.
    fn run(case: &Case) -> Option<Vec<Expected>> {
        let mut plain = Self {
            dimensions: case.dimensions,
            is_cosine: case.similarity == Similarity::Cosine,
            rows: Vec::new(),
        };
        plain.rows = plain.take(&case.vectors)?.into_iter().map(Some).collect();
        let expect = |step: &Step| Expected {
            is_taken: plain.change(step).is_some(),
            rows: plain.rows.len(),
            size: plain.rows.iter().flatten().count(),
            answers: match step {
                Step::Search(question) => plain.answer(question),
                _ => None,
            },
        };
        Some(case.steps.iter().map(expect).collect())
    }
}

fn run(case: &Case, expected: Option<&[Expected]>, options: VectorIndexOptions) {
    let index = VectorIndex::with_options(case.dimensions, &case.vectors, options);
    assert_eq!(index.is_ok(), expected.is_some(), "{options:?}: {:?}", index.err());
    let (Ok(mut index), Some(expected)) = (index, expected) else {
        return;
    };
    let mut scratch = SearchScratch::default();
    for (step, expected) in case.steps.iter().zip(expected) {
        let changed = change(&mut index, step, options);
        assert_eq!(changed.is_ok(), expected.is_taken, "{options:?}: {changed:?}");
        assert_eq!((index.rows(), index.size()), (expected.rows, expected.size));
        if let Step::Search(question) = step {
            let answers = expected.answers.as_ref();
            let got = answer(&index, question, answers.map_or(&[], Vec::as_slice), &mut scratch);
            let has_room = |answers: &&Vec<Answer>| question.spare >= 0 || answers.iter().all(Vec::is_empty);
            match answers.filter(has_room) {
                Some(answers) => assert_eq!(got.as_ref(), Ok(answers), "{options:?}"),
                None => assert!(got.is_err(), "{options:?}: {got:?}, but the search is to be refused"),
            }
        }
    }
}

fuzz_target!(|case: Case| {
    let expected = Plain::run(&case);
    for simd in Simd::supported() {
        for precision in [Precision::Float32, Precision::Int8] {
            let options = VectorIndexOptions {
                precision,
                similarity: case.similarity,
                ..VectorIndexOptions::new(simd)
            };
            run(&case, expected.as_deref(), options);
        }
    }
});
