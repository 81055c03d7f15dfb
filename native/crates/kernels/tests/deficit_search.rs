//! The beam search against its definition with sets and maps, and against trying every set.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use setwise_kernels::KernelError;
use setwise_kernels::deficit_search::{
    DeficitAnswer, DeficitLimits, DeficitQuery, DeficitScratch, DeficitSearch, LARGEST_BEAM, MOST_TOOLS, Producers,
};

/// A graph and a question, with everything in ordered sets and maps.
#[derive(Debug, Clone)]
struct Case {
    /// Required inputs of each tool.
    inputs: Vec<Vec<u32>>,
    /// Weights of the producers of each input.
    support: Vec<BTreeMap<u32, f32>>,
    terminals: Vec<u32>,
    grounded: BTreeSet<u32>,
    allow: Option<BTreeSet<u32>>,
    exclude: BTreeSet<u32>,
    relevance: Option<Vec<f32>>,
    limits: DeficitLimits,
}

#[derive(Debug, Clone, PartialEq)]
struct Plain {
    /// In the order in which they were added.
    tools: Vec<u32>,
    supports: Vec<f64>,
    missing: BTreeSet<u32>,
    links: BTreeMap<u32, u32>,
    total: f64,
}

/// Ordered by what makes one result better than another.
type Rank = (usize, usize, Reverse<u64>, BTreeSet<u32>, BTreeSet<u32>, u32);

impl Plain {
    fn set(&self) -> BTreeSet<u32> {
        self.tools.iter().copied().collect()
    }

    /// Totals are never negative, so that their bits are in order.
    fn rank(&self) -> Rank {
        (
            self.missing.len(),
            self.tools.len(),
            Reverse(self.total.to_bits()),
            self.set(),
            self.missing.clone(),
            self.tools[0],
        )
    }
}

impl Case {
    fn owner(&self, input: u32) -> u32 {
        self.inputs.iter().position(|own| own.contains(&input)).unwrap() as u32
    }

    /// Whether `tool` needs `other`, through any number of links.
    fn depends(&self, links: &BTreeMap<u32, u32>, tool: u32, other: u32) -> bool {
        tool == other
            || self.inputs[tool as usize]
                .iter()
                .filter_map(|input| links.get(input))
                .any(|&supporter| self.depends(links, supporter, other))
    }

    fn may_be_added(&self, tool: u32) -> bool {
        !self.exclude.contains(&tool) && self.allow.as_ref().is_none_or(|allow| allow.contains(&tool))
    }

    fn omega(&self, tool: u32, missing: &BTreeSet<u32>) -> f64 {
        let sum: f64 = missing
            .iter()
            .filter_map(|&input| self.support[input as usize].get(&tool))
            .map(|&weight| f64::from(weight))
            .sum();
        self.relevance
            .as_ref()
            .map_or(sum, |relevance| sum * f64::from(relevance[tool as usize]))
    }

    fn add(&self, parent: &Plain, tool: u32, omega: f64) -> Plain {
        let mut child = parent.clone();
        child.tools.push(tool);
        child.supports.push(omega);
        child.total += omega;
        for &input in &parent.missing {
            if self.support[input as usize].contains_key(&tool) {
                child.missing.remove(&input);
                child.links.insert(input, tool);
            }
        }
        for &input in &self.inputs[tool as usize] {
            if self.grounded.contains(&input) {
                continue;
            }
            let supporter = parent
                .tools
                .iter()
                .filter(|&&chosen| !self.depends(&child.links, chosen, tool))
                .filter_map(|&chosen| Some((self.support[input as usize].get(&chosen)?, chosen)))
                .min_by_key(|&(weight, chosen)| (Reverse(weight.to_bits()), chosen));
            match supporter {
                Some((_, chosen)) => _ = child.links.insert(input, chosen),
                None => _ = child.missing.insert(input),
            }
        }
        child
    }

    fn children(&self, parent: &Plain) -> Vec<Plain> {
        let mut tools: Vec<(Reverse<u64>, u32)> = (0..self.inputs.len() as u32)
            .filter(|&tool| self.may_be_added(tool) && !parent.tools.contains(&tool))
            .map(|tool| (Reverse(self.omega(tool, &parent.missing).to_bits()), tool))
            .filter(|(omega, _)| f64::from_bits(omega.0) > 0.0)
            .collect();
        tools.sort_unstable();
        tools.truncate(self.limits.producers as usize);
        tools
            .into_iter()
            .map(|(omega, tool)| self.add(parent, tool, f64::from_bits(omega.0)))
            .collect()
    }

    fn search_from(&self, terminal: u32) -> Vec<Plain> {
        let missing: BTreeSet<u32> = self.inputs[terminal as usize]
            .iter()
            .copied()
            .filter(|input| !self.grounded.contains(input))
            .collect();
        let mut beam = vec![Plain {
            tools: vec![terminal],
            supports: vec![0.0],
            missing,
            links: BTreeMap::new(),
            total: 0.0,
        }];
        let (mut complete, mut partial) = (Vec::new(), Vec::new());
        for _ in 0..=self.limits.depth.min(self.limits.max_tools - 1) {
            let (done, open): (Vec<_>, Vec<_>) = beam.into_iter().partition(|candidate| candidate.missing.is_empty());
            complete.extend(done);
            let open = best_distinct(
                open,
                |plain| (plain.set(), plain.missing.clone()),
                self.limits.beam as usize,
            );
            beam = open.iter().flat_map(|parent| self.children(parent)).collect();
            partial.extend(open);
        }
        let results = if complete.is_empty() { partial } else { complete };
        best_distinct(results, Plain::set, self.limits.count as usize)
    }

    fn answer(&self) -> Vec<Plain> {
        let terminals: BTreeSet<u32> = self.terminals.iter().copied().collect();
        let mut results: Vec<Plain> = terminals
            .into_iter()
            .flat_map(|terminal| self.search_from(terminal))
            .collect();
        results.sort_by_key(Plain::rank);
        results.truncate(self.limits.count as usize);
        results
    }

    fn graph(&self) -> (Vec<u32>, Vec<u32>, Vec<u32>, Vec<f32>) {
        let mut inputs = vec![0];
        inputs.extend(self.inputs.iter().scan(0, |end, own| {
            *end += own.len() as u32;
            Some(*end)
        }));
        let (mut offsets, mut tools, mut weights) = (vec![0], Vec::new(), Vec::new());
        for row in &self.support {
            for (&tool, &weight) in row {
                tools.push(tool);
                weights.push(weight);
            }
            offsets.push(tools.len() as u32);
        }
        (inputs, offsets, tools, weights)
    }

    fn search(&self, scratch: &mut DeficitScratch) -> Vec<Plain> {
        let (inputs, offsets, tools, weights) = self.graph();
        let producers = Producers {
            offsets: &offsets,
            tools: &tools,
            weights: &weights,
        };
        let search = DeficitSearch::new(&inputs, producers).unwrap();
        let list = |set: &BTreeSet<u32>| set.iter().copied().collect::<Vec<_>>();
        let (grounded, exclude) = (list(&self.grounded), list(&self.exclude));
        let allow = self.allow.as_ref().map(list);
        let query = DeficitQuery {
            terminals: &self.terminals,
            grounded: &grounded,
            allow: allow.as_deref(),
            exclude: &exclude,
            relevance: self.relevance.as_deref(),
            limits: self.limits,
        };
        unpack(search.search(query, scratch).unwrap())
    }
}

/// The best `count`, of those with an equal key the better one, of equals the first.
fn best_distinct<Key: Ord>(mut all: Vec<Plain>, key: impl Fn(&Plain) -> Key, count: usize) -> Vec<Plain> {
    all.sort_by_key(Plain::rank);
    let mut seen = BTreeSet::new();
    all.retain(|plain| seen.insert(key(plain)));
    all.truncate(count);
    all
}

/// Results in the form of the plain ones; checks the columns and the order of calls on the way.
fn unpack(answer: &DeficitAnswer) -> Vec<Plain> {
    let (words, numbers) = (answer.words(), answer.numbers());
    let [count, tools, missing, links] = [0, 1, 2, 3].map(|position| words[position] as usize);
    let mut rest = &words[4..];
    let mut column = |length: usize| {
        let (column, behind) = rest.split_at(length);
        rest = behind;
        column
    };
    let terminals = column(count);
    let (tool_ends, tool_column, steps) = (column(count + 1), column(tools), column(tools));
    let (missing_ends, missing_column) = (column(count + 1), column(missing));
    let (link_ends, link_inputs, link_tools) = (column(count + 1), column(links), column(links));
    assert!(rest.is_empty());
    assert_eq!(numbers.len(), count + tools);
    (0..count)
        .map(|result| {
            let range = |ends: &[u32]| ends[result] as usize..ends[result + 1] as usize;
            let called = &tool_column[range(tool_ends)];
            assert_eq!(called.last(), Some(&terminals[result]));
            let mut added: Vec<(u32, u32, f64)> = range(tool_ends)
                .map(|at| (steps[at], tool_column[at], numbers[count + at]))
                .collect();
            added.sort_by_key(|&(step, ..)| step);
            let inputs = &link_inputs[range(link_ends)];
            assert!(inputs.is_sorted_by(|left, right| left < right));
            Plain {
                tools: added.iter().map(|&(_, tool, _)| tool).collect(),
                supports: added.iter().map(|&(.., support)| support).collect(),
                missing: missing_column[range(missing_ends)].iter().copied().collect(),
                links: inputs
                    .iter()
                    .copied()
                    .zip(link_tools[range(link_ends)].iter().copied())
                    .collect(),
                total: numbers[result],
            }
        })
        .collect()
}

/// The tools of every result in the order of calls.
fn call_orders(answer: &DeficitAnswer) -> Vec<Vec<u32>> {
    let words = answer.words();
    let (count, tools) = (words[0] as usize, words[1] as usize);
    let ends = &words[4 + count..][..=count];
    let column = &words[4 + 2 * count + 1..][..tools];
    ends.windows(2)
        .map(|pair| column[pair[0] as usize..pair[1] as usize].to_vec())
        .collect()
}

fn weight() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => prop::sample::select(vec![1.0_f32, 0.5, 0.25]),
        2 => 0.01_f32..1.0,
        1 => prop::sample::select(vec![f32::MIN_POSITIVE, f32::from_bits(1), 1e30, 0.1]),
    ]
}

fn limits() -> impl Strategy<Value = DeficitLimits> {
    (1_u32..6, 1_u32..5, 0_u32..6, 1_u32..7, 0_u32..7).prop_map(|(beam, producers, depth, max_tools, count)| {
        DeficitLimits {
            beam,
            producers,
            depth,
            max_tools,
            count,
        }
    })
}

/// Graphs of a few tools with many cycles.
fn case(tools: std::ops::Range<usize>, widest: usize) -> impl Strategy<Value = Case> {
    (prop::collection::vec(0..=widest, tools), limits()).prop_flat_map(|(counts, limits)| {
        let (tools, nodes) = (counts.len() as u32, counts.iter().sum::<usize>());
        let inputs: Vec<Vec<u32>> = counts
            .iter()
            .scan(0, |start, &count| {
                *start += count as u32;
                Some((*start - count as u32..*start).collect())
            })
            .collect();
        let row = prop::collection::btree_map(0..tools, weight(), 0..4.min(tools as usize + 1));
        (
            prop::collection::vec(row, nodes),
            prop::collection::vec(0..tools, 0..4),
            prop::collection::btree_set(0..nodes.max(1) as u32, 0..=nodes / 3),
            prop::option::weighted(0.3, prop::collection::btree_set(0..tools, 0..=tools as usize)),
            prop::collection::btree_set(0..tools, 0..=1),
            prop::option::weighted(
                0.4,
                prop::collection::vec(prop_oneof![weight(), Just(0.0_f32), Just(-0.0_f32)], tools as usize),
            ),
        )
            .prop_map(
                move |(mut support, terminals, mut grounded, allow, exclude, relevance)| {
                    for (tool, own) in inputs.iter().enumerate() {
                        for &input in own {
                            support[input as usize].remove(&(tool as u32));
                        }
                    }
                    grounded.retain(|&input| (input as usize) < nodes);
                    Case {
                        inputs: inputs.clone(),
                        support,
                        terminals,
                        grounded,
                        allow,
                        exclude,
                        relevance,
                        limits,
                    }
                },
            )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn the_answer_is_the_definition_to_the_last_bit(case in case(1..9, 4)) {
        prop_assert_eq!(case.search(&mut DeficitScratch::default()), case.answer());
    }

    #[test]
    fn tools_with_more_inputs_than_bits_in_a_word_are_no_exception(case in case(2..5, 80)) {
        prop_assert_eq!(case.search(&mut DeficitScratch::default()), case.answer());
    }

    #[test]
    fn memory_that_was_used_before_changes_nothing(cases in prop::collection::vec(case(1..7, 4), 2..5)) {
        let mut scratch = DeficitScratch::default();
        for case in &cases {
            prop_assert_eq!(case.search(&mut scratch), case.search(&mut DeficitScratch::default()));
        }
    }

    #[test]
    fn with_all_producers_and_an_endless_beam_every_smallest_set_is_found(mut case in case(1..7, 3)) {
        // Every set of tools that can be linked without a cycle, as the smallest of its kind.
        case.limits = DeficitLimits { beam: LARGEST_BEAM, producers: LARGEST_BEAM, depth: 31, max_tools: MOST_TOOLS, count: LARGEST_BEAM };
        case.relevance = None;
        for terminal in 0..case.inputs.len() as u32 {
            case.terminals = vec![terminal];
            let found = case.search(&mut DeficitScratch::default());
            let complete: BTreeSet<BTreeSet<u32>> =
                found.iter().filter(|result| result.missing.is_empty()).map(Plain::set).collect();
            let feasible: Vec<BTreeSet<u32>> = subsets(&case, terminal).filter(|set| can_be_linked(&case, set)).collect();
            for set in &complete {
                prop_assert!(feasible.contains(set), "{:?} cannot be linked", set);
            }
            for set in feasible.iter().filter(|set| !feasible.iter().any(|other| other != *set && other.is_subset(set))) {
                prop_assert!(complete.contains(set), "{:?} was not found", set);
            }
        }
    }
}

/// All sets with the terminal and tools that may be added.
fn subsets(case: &Case, terminal: u32) -> impl Iterator<Item = BTreeSet<u32>> {
    let others: Vec<u32> = (0..case.inputs.len() as u32)
        .filter(|&tool| tool != terminal && case.may_be_added(tool))
        .collect();
    (0..1_u32 << others.len()).map(move |bits| {
        let chosen = others.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
        chosen.map(|(_, &tool)| tool).chain([terminal]).collect()
    })
}

/// Whether the tools can be called in some order, each after tools that support what it needs: tries to call them one
/// by one, which finds an order where there is one, since a call never takes anything away.
fn can_be_linked(case: &Case, set: &BTreeSet<u32>) -> bool {
    let mut called = BTreeSet::new();
    loop {
        let next = set.difference(&called).find(|&&tool| {
            case.inputs[tool as usize].iter().all(|input| {
                case.grounded.contains(input)
                    || case.support[*input as usize]
                        .keys()
                        .any(|supporter| called.contains(supporter))
            })
        });
        match next {
            Some(&tool) => _ = called.insert(tool),
            None => return called.len() == set.len(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_result_is_called_in_an_order_that_its_links_allow(case in case(1..9, 4)) {
        let (inputs, offsets, tools, weights) = case.graph();
        let producers = Producers { offsets: &offsets, tools: &tools, weights: &weights };
        let search = DeficitSearch::new(&inputs, producers).unwrap();
        let grounded: Vec<u32> = case.grounded.iter().copied().collect();
        let query = DeficitQuery {
            terminals: &case.terminals,
            grounded: &grounded,
            allow: None,
            exclude: &[],
            relevance: None,
            limits: case.limits,
        };
        let mut scratch = DeficitScratch::default();
        let answer = search.search(query, &mut scratch).unwrap();
        for (order, result) in call_orders(answer).iter().zip(unpack(answer)) {
            prop_assert!(order.len() <= case.limits.max_tools as usize && order.len() <= case.limits.depth as usize + 1);
            for (at, tool) in order.iter().enumerate() {
                for input in &case.inputs[*tool as usize] {
                    // Given, missing, or from a tool called before: one of the three.
                    let linked = result.links.get(input);
                    prop_assert!(linked.is_none_or(|supporter| order[..at].contains(supporter)));
                    let ways = [case.grounded.contains(input), result.missing.contains(input), linked.is_some()];
                    prop_assert_eq!(ways.iter().filter(|way| **way).count(), 1);
                }
            }
            let owners: BTreeSet<u32> = result.links.keys().map(|&input| case.owner(input)).collect();
            prop_assert!(owners.iter().all(|owner| order.contains(owner)));
        }
    }
}

/// Tool 0 needs inputs 0 and 1, tool 1 needs 2, tool 2 needs nothing; 1 makes 0, 2 makes 1 and 2, 0 makes 2 (a cycle).
const INPUTS: [u32; 4] = [0, 2, 3, 3];
const PRODUCERS: Producers<'_> = Producers {
    offsets: &[0, 1, 2, 4],
    tools: &[1, 2, 2, 0],
    weights: &[1.0, 0.5, 0.5, 1.0],
};
const QUERY: DeficitQuery<'_> = DeficitQuery {
    terminals: &[0],
    grounded: &[],
    allow: None,
    exclude: &[],
    relevance: None,
    limits: DeficitLimits {
        beam: 5,
        producers: 3,
        depth: 4,
        max_tools: 8,
        count: 5,
    },
};

#[test]
fn a_terminal_with_a_cycle_behind_it_is_completed_without_it() {
    let search = DeficitSearch::new(&INPUTS, PRODUCERS).unwrap();
    let mut scratch = DeficitScratch::default();
    let answer = search.search(QUERY, &mut scratch).unwrap();
    // Step 1: tool 1 for input 0 (Ω = 1) leaves 1 and adds 2; tool 2 for input 1 (Ω = 0.5) leaves 0.
    // Step 2: from {0, 2}, tool 1 for input 0; its input 2 is linked to 2, which does not depend on it: total 0.5 + 1.
    // From {0, 1}, tool 2 for 1 and 2: total 1 + (0.5 + 0.5). The same tools: the larger total stays.
    assert_eq!(call_orders(answer), [[2, 1, 0]]);
    assert_eq!(answer.numbers(), [2.0, 1.0, 1.0, 0.0]);
    let results = unpack(answer);
    assert_eq!(results[0].tools, [0, 1, 2]);
    assert_eq!(results[0].links, BTreeMap::from([(0, 1), (1, 2), (2, 2)]));
}

#[test]
fn a_tool_named_twice_counts_once_and_no_tool_makes_its_own_inputs() {
    // Input 0 of tool 0 is made by tool 1 (0.25 and 0.75) and by tool 0 itself; weight 0 of tool 2 is none.
    let producers = Producers {
        offsets: &[0, 4],
        tools: &[1, 0, 1, 2],
        weights: &[0.25, 1.0, 0.75, 0.0],
    };
    let search = DeficitSearch::new(&[0, 1, 1, 1], producers).unwrap();
    let mut scratch = DeficitScratch::default();
    let answer = search.search(QUERY, &mut scratch).unwrap();
    assert_eq!(call_orders(answer), [[1, 0]]);
    assert_eq!(answer.numbers(), [0.75, 0.75, 0.0]);
}

#[test]
fn candidates_with_the_same_tools_that_miss_different_inputs_are_both_kept() {
    // Found by the property above when one candidate a set of tools was kept. Tool 1 needs inputs 1 and 2 of tool 0 and
    // 3 of tool 2; 0 needs 0 of 3; 3 needs 8 of 2; 2 needs 4 of 4, and 5 of 0 or of 4. Whether 5 is linked to 0 (which
    // closes the way 0, 3, 2, 0) depends on the order in which tools are added.
    let producers = Producers {
        offsets: &[0, 1, 2, 3, 4, 5, 7, 8, 9, 10],
        tools: &[3, 0, 0, 2, 4, 0, 4, 0, 0, 2],
        weights: &[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 1.0, 1.0, 1.0],
    };
    let search = DeficitSearch::new(&[0, 1, 4, 7, 9, 9], producers).unwrap();
    let query = DeficitQuery {
        terminals: &[1],
        grounded: &[6, 7],
        limits: DeficitLimits {
            beam: LARGEST_BEAM,
            ..QUERY.limits
        },
        ..QUERY
    };
    let mut scratch = DeficitScratch::default();
    let answer = search.search(query, &mut scratch).unwrap();
    assert_eq!(call_orders(answer), [[4, 2, 3, 0, 1]]);
}

#[test]
fn what_nothing_makes_stays_missing_by_name() {
    let search = DeficitSearch::new(&INPUTS, PRODUCERS).unwrap();
    let mut scratch = DeficitScratch::default();
    let query = DeficitQuery { exclude: &[2], ..QUERY };
    let results = unpack(search.search(query, &mut scratch).unwrap());
    // {0, 1} misses 1 and 2, {0} alone 0 and 1: equally many, and fewer tools are better.
    let missing: Vec<_> = results
        .iter()
        .map(|result| (result.tools.as_slice(), &result.missing))
        .collect();
    assert_eq!(
        missing,
        [
            (&[0][..], &BTreeSet::from([0, 1])),
            (&[0, 1][..], &BTreeSet::from([1, 2]))
        ]
    );
}

#[test]
fn refuses_graphs_that_are_none() {
    let make = |inputs: &[u32], offsets: &[u32], tools: &[u32], weights: &[f32]| {
        let producers = Producers {
            offsets,
            tools,
            weights,
        };
        DeficitSearch::new(inputs, producers).unwrap_err()
    };
    let refused = |error: KernelError, text: &str| {
        assert_eq!((error.code(), error.to_string().as_str()), ("invalid-argument", text));
    };
    refused(
        make(&[], &[0], &[], &[]),
        "inputs: expected offsets that start at 0 and never fall, got none.",
    );
    refused(
        make(&[1], &[0], &[], &[]),
        "inputs: expected offsets that start at 0 and never fall, got 1 at position 0.",
    );
    refused(
        make(&[0, 2, 1], &[0], &[], &[]),
        "inputs: expected offsets that start at 0 and never fall, got 1 at position 2.",
    );
    refused(
        make(&[0, 1], &[0], &[], &[]),
        "producers.offsets: expected a length of 2, got 1.",
    );
    refused(
        make(&[0, 1], &[0, 2], &[0], &[1.0]),
        "producers.tools: expected a length of 2, got 1.",
    );
    refused(
        make(&[0, 1], &[0, 1], &[0], &[]),
        "producers.weights: expected a length of 1, got 0.",
    );
    refused(
        make(&[0, 1], &[0, 1], &[1], &[1.0]),
        "producers.tools: expected ordinals, got 1; there are 1 tools.",
    );
    refused(
        make(&[0, 1], &[0, 1], &[0], &[f32::NAN]),
        "producers.weights: the number at position 0 is NaN or infinite; every number must be finite.",
    );
    refused(
        make(&[0, 1], &[0, 1], &[0], &[-0.5]),
        "producers.weights: expected numbers of 0 or more, got a negative one at position 0.",
    );
}

#[test]
fn refuses_queries_that_name_what_there_is_not() {
    let search = DeficitSearch::new(&INPUTS, PRODUCERS).unwrap();
    let mut scratch = DeficitScratch::default();
    let mut refused = |query: DeficitQuery<'_>, what: &str| {
        let error = search.search(query, &mut scratch).unwrap_err();
        assert!(error.to_string().starts_with(what), "{error}");
    };
    refused(
        DeficitQuery {
            terminals: &[3],
            ..QUERY
        },
        "terminals: expected ordinals, got 3; there are 3 tools",
    );
    refused(
        DeficitQuery {
            grounded: &[3],
            ..QUERY
        },
        "grounded: expected ordinals, got 3; there are 3 inputs",
    );
    refused(
        DeficitQuery {
            allow: Some(&[9]),
            ..QUERY
        },
        "allow: ",
    );
    refused(DeficitQuery { exclude: &[9], ..QUERY }, "exclude: ");
    refused(
        DeficitQuery {
            relevance: Some(&[1.0]),
            ..QUERY
        },
        "relevance: expected a length of 3",
    );
    refused(
        DeficitQuery {
            relevance: Some(&[1.0, 1.0, f32::INFINITY]),
            ..QUERY
        },
        "relevance: the number at position 2",
    );
    refused(
        DeficitQuery {
            relevance: Some(&[1.0, -1.0, 1.0]),
            ..QUERY
        },
        "relevance: expected numbers of 0 or more",
    );
    for limits in [
        DeficitLimits {
            beam: 0,
            ..QUERY.limits
        },
        DeficitLimits {
            beam: LARGEST_BEAM + 1,
            ..QUERY.limits
        },
        DeficitLimits {
            producers: 0,
            ..QUERY.limits
        },
        DeficitLimits {
            max_tools: MOST_TOOLS + 1,
            ..QUERY.limits
        },
        DeficitLimits {
            count: LARGEST_BEAM + 1,
            ..QUERY.limits
        },
    ] {
        refused(DeficitQuery { limits, ..QUERY }, "");
    }
    let none = DeficitQuery {
        terminals: &[],
        ..QUERY
    };
    assert_eq!(search.search(none, &mut scratch).unwrap().words()[0], 0);
}
