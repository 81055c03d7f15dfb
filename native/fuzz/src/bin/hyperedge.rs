//! The fast searches for sets find what plain enumeration finds, to the last bit, and the distribution that its scores make.
#![no_main]

use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use setwise_fuzz::lists::{count, spoil};
use setwise_fuzz::plain_distribution::{check, distribution_of};
use setwise_fuzz::set_case::{SetCase, max_size};
use setwise_kernels::Simd;
use setwise_kernels::hyperedge::{
    BestSets, BranchAndBoundScratch, Problem, RankedSet, SetSearch, enumerate_plainly, search_by_bounds,
};

/// More sets than a request has.
const ALL: usize = 5_000;

/// A request over a pool of at most 4,100 sets, and how many of them are asked for.
#[derive(Debug)]
struct Case {
    set: SetCase,
    count: usize,
    /// Where the distribution goes, if it is asked for.
    room: Option<Vec<f64>>,
}

/// Answered one behind the other in the same memory.
#[derive(Debug)]
struct Cases(Vec<Case>);

impl<'a> Arbitrary<'a> for Cases {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let cases = input.int_in_range(1..=2)?;
        (0..cases).map(|_| Case::read(input)).collect::<Result<_>>().map(Self)
    }
}

impl Case {
    fn read(input: &mut Unstructured) -> Result<Self> {
        let max_size = max_size(input)?;
        // Sets are looked at in blocks of eight pairs.
        let most = match max_size {
            0..4 => 26,
            4 => 18,
            5 => 14,
            _ => 12,
        };
        let pool = count(input, 8, most)?;
        let set = SetCase::read(input, pool, max_size, [1, 1])?;
        let mut room = vec![f64::NAN; set.logits.len() + max_size.min(9) + 2];
        spoil(input, &mut room)?;
        let room = if input.arbitrary()? { Some(room) } else { None };
        let count = count(input, 15, ALL)?;
        Ok(Self { set, count, room })
    }
}

/// Bits of F, and positions of the pool.
type Set = (u64, Vec<u32>);

fn sets(sets: &[RankedSet], problem: &Problem) -> Vec<Set> {
    let positions = |members: &[u16]| members.iter().map(|&index| problem.position(index)).collect();
    sets.iter()
        .map(|set| (set.score.to_bits(), positions(set.members())))
        .collect()
}

/// Sets, best first, and the distribution, if it is asked for.
type Found = (Vec<Set>, Vec<f64>);

/// Searches by one level; nothing where the request is refused.
fn search(simd: Simd, search: &mut SetSearch, case: &Case) -> Option<Found> {
    let mut distribution = case.room.clone().unwrap_or_default();
    let request = case.set.request();
    match case.room {
        None => search.search(simd, &request, case.count),
        Some(_) => search.weigh(simd, &request, case.count, &mut distribution),
    }
    .ok()?;
    let mut found = Vec::new();
    search.each_set(case.count, |score, positions| {
        found.push((score.to_bits(), positions.collect()));
    });
    Some((found, distribution))
}

fuzz_target!(|cases: Cases| {
    let (mut problem, mut best, mut bounds) = <(Problem, BestSets, BranchAndBoundScratch)>::default();
    let mut searches: Vec<(Simd, SetSearch)> = Simd::supported().map(|simd| (simd, SetSearch::default())).collect();
    for case in &cases.0 {
        let set = &case.set;
        let filled = problem.fill(&set.request());
        assert_eq!(filled.is_ok(), set.is_valid(), "{filled:?}");
        let has_room = case
            .room
            .as_ref()
            .is_none_or(|room| room.len() == set.max_size.saturating_add(set.logits.len() + 2));
        let found: Vec<_> = searches
            .iter_mut()
            .map(|(simd, kept)| (*simd, search(*simd, kept, case)))
            .collect();
        if filled.is_err() || !has_room {
            assert!(
                found.iter().all(|(_, found)| found.is_none()),
                "the request is to be refused"
            );
            continue;
        }
        let mut all = BestSets::default();
        all.restart(ALL);
        enumerate_plainly(&problem, &mut all);
        let all = sets(all.sorted(), &problem);
        let expected = &all[..case.count.min(all.len())];
        best.restart(case.count);
        assert!(search_by_bounds(&problem, &mut best, &mut bounds, u64::MAX));
        assert_eq!(sets(best.sorted(), &problem), expected, "branch and bound");
        for (simd, found) in &found {
            let Some((sets, distribution)) = found else {
                panic!("{simd:?} refuses")
            };
            assert_eq!(sets, expected, "{simd:?}");
            if case.room.is_some() {
                check(distribution, &distribution_of(&all, set), set);
            }
        }
        let bits = |(_, found): &(Simd, Option<Found>)| {
            let numbers = found.iter().flat_map(|(_, distribution)| distribution);
            numbers.map(|number| number.to_bits()).collect::<Vec<_>>()
        };
        assert!(
            found.iter().all(|level| bits(level) == bits(&found[0])),
            "every level has its own distribution"
        );
    }
});
