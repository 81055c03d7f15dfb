//! Deficit-oriented expansion as its definition reads, with ordered sets and maps.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::deficit_case::{GraphCase, QuestionCase};

/// A result.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// In the order in which they were added, the terminal first.
    pub tools: Vec<u32>,
    /// The bits of the Ω with which each was added.
    pub supports: Vec<u64>,
    /// Inputs that nothing brings.
    pub missing: BTreeSet<u32>,
    /// Inputs, and the tools that bring them.
    pub links: BTreeMap<u32, u32>,
    /// The bits of the sum of Ω, which is never negative, so that they are in its order.
    pub total: u64,
}

/// A valid question about a valid graph.
pub struct Plain<'a> {
    question: &'a QuestionCase,
    /// The inputs of each tool.
    inputs: Vec<BTreeSet<u32>>,
    /// ρ of each input.
    support: Vec<BTreeMap<u32, f32>>,
}

impl<'a> Plain<'a> {
    /// Takes a question about a graph.
    pub fn new(graph: &GraphCase, question: &'a QuestionCase) -> Self {
        let inputs: Vec<BTreeSet<u32>> = graph
            .inputs
            .windows(2)
            .map(|pair| (pair[0]..pair[1]).collect())
            .collect();
        let mut support = Vec::new();
        for (own, bounds) in graph.offsets.windows(2).enumerate() {
            let mut row = BTreeMap::new();
            for entry in bounds[0] as usize..bounds[1] as usize {
                let (tool, weight) = (graph.tools[entry], graph.weights[entry]);
                if weight > 0.0 && !inputs[tool as usize].contains(&(own as u32)) {
                    let strongest = row.entry(tool).or_insert(weight);
                    *strongest = weight.max(*strongest);
                }
            }
            support.push(row);
        }
        Self {
            question,
            inputs,
            support,
        }
    }

    /// The results, best first.
    pub fn answer(&self) -> Vec<Found> {
        let terminals: BTreeSet<u32> = self.question.terminals.iter().copied().collect();
        let mut all: Vec<Found> = terminals
            .into_iter()
            .flat_map(|terminal| self.search(terminal))
            .collect();
        all.sort_by_key(Found::rank);
        all.truncate(self.question.limits.count as usize);
        all
    }

    fn search(&self, terminal: u32) -> Vec<Found> {
        let limits = self.question.limits;
        let needed = self.inputs[terminal as usize].iter().copied();
        let mut beam = vec![Found {
            tools: vec![terminal],
            supports: vec![0],
            missing: needed.filter(|input| !self.question.grounded.contains(input)).collect(),
            links: BTreeMap::new(),
            total: 0,
        }];
        let (mut complete, mut kept) = (Vec::new(), Vec::new());
        for step in 0.. {
            let (done, open) = beam.into_iter().partition(|found| found.missing.is_empty());
            complete.extend::<Vec<Found>>(done);
            let open = best(open, |found| (found.set(), found.missing.clone()), limits.beam);
            let is_last = step == limits.depth.min(limits.max_tools - 1);
            beam = if is_last {
                vec![]
            } else {
                open.iter().flat_map(|parent| self.children(parent)).collect()
            };
            kept.extend(open);
            if beam.is_empty() {
                break;
            }
        }
        best(
            if complete.is_empty() { kept } else { complete },
            Found::set,
            limits.count,
        )
    }

    fn children(&self, parent: &Found) -> Vec<Found> {
        let question = self.question;
        let may_be_added = |tool: &u32| {
            !parent.tools.contains(tool)
                && !question.exclude.contains(tool)
                && question.allow.as_ref().is_none_or(|allow| allow.contains(tool))
        };
        let tools = (0..self.inputs.len() as u32).filter(may_be_added);
        let mut tools: Vec<(f64, u32)> = tools
            .map(|tool| (self.omega(tool, &parent.missing), tool))
            .filter(|&(omega, _)| omega > 0.0)
            .collect();
        tools.sort_by_key(|&(omega, tool)| (Reverse(omega.to_bits()), tool));
        tools.truncate(question.limits.producers as usize);
        tools
            .into_iter()
            .map(|(omega, tool)| self.child(parent, tool, omega))
            .collect()
    }

    fn omega(&self, tool: u32, missing: &BTreeSet<u32>) -> f64 {
        let weights = missing
            .iter()
            .filter_map(|&input| self.support[input as usize].get(&tool));
        let sum = weights.fold(0.0, |sum, &weight| sum + f64::from(weight));
        let factor = |relevance: &Vec<f32>| f64::from(relevance[tool as usize]);
        self.question.relevance.as_ref().map_or(1.0, factor) * sum
    }

    fn child(&self, parent: &Found, tool: u32, omega: f64) -> Found {
        let mut child = parent.clone();
        child.tools.push(tool);
        child.supports.push(omega.to_bits());
        child.total = (f64::from_bits(parent.total) + omega).to_bits();
        for &input in parent
            .missing
            .iter()
            .filter(|&&input| self.support[input as usize].contains_key(&tool))
        {
            child.missing.remove(&input);
            child.links.insert(input, tool);
        }
        for &input in self.inputs[tool as usize]
            .iter()
            .filter(|input| !self.question.grounded.contains(input))
        {
            let row = &self.support[input as usize];
            let can_bring = |chosen: &&u32| row.contains_key(chosen) && !self.depends(&child.links, **chosen, tool);
            let strongest = |chosen: &&u32| (Reverse(row[chosen].to_bits()), **chosen);
            match parent.tools.iter().filter(can_bring).min_by_key(strongest) {
                Some(&chosen) => _ = child.links.insert(input, chosen),
                None => _ = child.missing.insert(input),
            }
        }
        child
    }

    /// Whether `tool` is `other` or needs it through links.
    fn depends(&self, links: &BTreeMap<u32, u32>, tool: u32, other: u32) -> bool {
        let mut supporters = self.inputs[tool as usize].iter().filter_map(|input| links.get(input));
        tool == other || supporters.any(|&supporter| self.depends(links, supporter, other))
    }

    /// The tools of a result in the order of calls: of those that need nothing that is still to be called, the lowest.
    pub fn call_order(&self, found: &Found) -> Vec<u32> {
        let mut left = found.set();
        let mut order = Vec::new();
        while !left.is_empty() {
            let waits = |tool: &u32| {
                left.iter()
                    .any(|other| other != tool && self.depends(&found.links, *tool, *other))
            };
            let Some(next) = left.iter().copied().find(|tool| !waits(tool)) else {
                panic!("links make a cycle: {found:?}");
            };
            left.remove(&next);
            order.push(next);
        }
        order
    }
}

impl Found {
    fn set(&self) -> BTreeSet<u32> {
        self.tools.iter().copied().collect()
    }

    /// Better is less.
    fn rank(&self) -> impl Ord + use<> {
        let (missing, total) = (self.missing.clone(), Reverse(self.total));
        (
            missing.len(),
            self.tools.len(),
            total,
            self.set(),
            missing,
            self.tools[0],
        )
    }
}

/// The best so many, of those with an equal key the better one, of equals the first.
fn best<Key: Ord>(mut all: Vec<Found>, key: impl Fn(&Found) -> Key, count: u32) -> Vec<Found> {
    all.sort_by_key(Found::rank);
    let mut seen = BTreeSet::new();
    all.retain(|found| seen.insert(key(found)));
    all.truncate(count as usize);
    all
}
