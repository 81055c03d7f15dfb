//! The beam search finds what its definition finds, with an order of calls that its links allow.
#![no_main]

use std::ops::Range;

use libfuzzer_sys::arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use setwise_fuzz::deficit_case::{GraphCase, QuestionCase};
use setwise_fuzz::plain_deficit_search::{Found, Plain};
use setwise_kernels::deficit_search::{DeficitAnswer, DeficitScratch, DeficitSearch};

/// Graphs, and questions about each; all are answered in the same memory.
#[derive(Debug)]
struct Cases(Vec<(GraphCase, Vec<QuestionCase>)>);

impl<'a> Arbitrary<'a> for Cases {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let mut cases = Vec::new();
        for _ in 0..input.int_in_range(1..=2)? {
            let graph = GraphCase::read(input)?;
            let questions = input.int_in_range(1..=3)?;
            let questions = (0..questions)
                .map(|_| QuestionCase::read(input, &graph))
                .collect::<Result<_>>()?;
            cases.push((graph, questions));
        }
        Ok(Self(cases))
    }
}

/// Results in the form of the plain ones, and the tools of each in the order of calls.
fn unpack(answer: &DeficitAnswer) -> Vec<(Found, Vec<u32>)> {
    let (words, numbers) = (answer.words(), answer.numbers());
    let (counts, mut rest) = words.split_at(4);
    let [count, tools, missing, links] = [0, 1, 2, 3].map(|at| counts[at] as usize);
    let mut column = |length: usize| {
        let (column, behind) = rest.split_at(length);
        rest = behind;
        column
    };
    let terminals = column(count);
    let (tool_ends, called, steps) = (column(count + 1), column(tools), column(tools));
    let (missing_ends, lacking) = (column(count + 1), column(missing));
    let (link_ends, inputs, supporters) = (column(count + 1), column(links), column(links));
    assert!(rest.is_empty());
    assert_eq!(numbers.len(), count + tools);
    let range = |ends: &[u32], at: usize| -> Range<usize> { ends[at] as usize..ends[at + 1] as usize };
    let result = |at: usize| {
        let own = range(tool_ends, at);
        let mut added: Vec<usize> = own.clone().collect();
        added.sort_by_key(|&tool| steps[tool]);
        assert!(
            added.iter().zip(0..).all(|(&tool, step)| steps[tool] == step),
            "steps are numbered"
        );
        assert_eq!(called[own.end - 1], terminals[at], "the terminal is called last");
        let (lacking, inputs) = (&lacking[range(missing_ends, at)], &inputs[range(link_ends, at)]);
        assert!(lacking.is_sorted_by(|left, right| left < right) && inputs.is_sorted_by(|left, right| left < right));
        let found = Found {
            tools: added.iter().map(|&tool| called[tool]).collect(),
            supports: added.iter().map(|&tool| numbers[count + tool].to_bits()).collect(),
            missing: lacking.iter().copied().collect(),
            links: inputs
                .iter()
                .copied()
                .zip(supporters[range(link_ends, at)].iter().copied())
                .collect(),
            total: numbers[at].to_bits(),
        };
        (found, called[own].to_vec())
    };
    (0..count).map(result).collect()
}

fuzz_target!(|cases: Cases| {
    let mut scratch = DeficitScratch::default();
    for (graph, questions) in &cases.0 {
        let search = DeficitSearch::new(&graph.inputs, graph.producers());
        assert_eq!(search.is_ok(), graph.is_valid(), "{:?}", search.err());
        let Ok(search) = search else { continue };
        for question in questions {
            let answer = search.search(question.query(), &mut scratch);
            assert_eq!(answer.is_ok(), question.is_valid(graph), "{:?}", answer.err());
            let Ok(answer) = answer else { continue };
            let plain = Plain::new(graph, question);
            let expected = plain.answer();
            let orders: Vec<Vec<u32>> = expected.iter().map(|found| plain.call_order(found)).collect();
            assert_eq!(unpack(answer), expected.into_iter().zip(orders).collect::<Vec<_>>());
        }
    }
});
