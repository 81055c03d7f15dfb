use super::candidates::Arena;
use super::graph::reserve;
use crate::KernelError;

/// How many numbers stand before the columns.
const HEADER: usize = 4;

/// Results as columns, best first, packed into two lists.
#[derive(Debug, Default)]
pub struct DeficitAnswer {
    words: Vec<u32>,
    numbers: Vec<f64>,
    /// What one result is put together from.
    tools: Vec<(u32, u32)>,
    links: Vec<(u32, u32)>,
    supports: Vec<f64>,
}

impl DeficitAnswer {
    /// Counts of results, tools, missing inputs and links; then the columns: terminals; ends of the results' tools with
    /// a 0 before them, tools in call order, the step that added each; ends and missing inputs; ends, linked inputs,
    /// the tool of each link.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The total of each result, then for each tool the Ω with which it was added (0 for a terminal).
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
            + (self.numbers.capacity() + self.supports.capacity()) * size_of::<f64>()
            + (self.tools.capacity() + self.links.capacity()) * size_of::<(u32, u32)>()
    }

    pub(crate) fn write(&mut self, arena: &Arena, results: &[u32]) -> Result<(), KernelError> {
        let count = results.len();
        let (mut tools, mut missing, mut links) = (0, 0, 0);
        for &result in results {
            tools += arena.tools(result).len();
            missing += arena.missing(result).len();
            arena.for_each_link(result, |_, _| links += 1);
        }
        let length = HEADER + count + 3 * (count + 1) + 2 * tools + missing + 2 * links;
        self.words.clear();
        self.numbers.clear();
        reserve(&mut self.words, length)?;
        reserve(&mut self.numbers, count + tools)?;
        self.words
            .extend([count as u32, tools as u32, missing as u32, links as u32]);
        self.words.extend(results.iter().map(|&result| arena.tools(result)[0]));
        self.words.resize(length, 0);
        self.numbers
            .extend(results.iter().map(|&result| arena.get(result).total));

        let columns = &mut self.words[HEADER + count..];
        let (tool_ends, columns) = columns.split_at_mut(count + 1);
        let (tool_column, columns) = columns.split_at_mut(tools);
        let (step_column, columns) = columns.split_at_mut(tools);
        let (missing_ends, columns) = columns.split_at_mut(count + 1);
        let (missing_column, columns) = columns.split_at_mut(missing);
        let (link_ends, columns) = columns.split_at_mut(count + 1);
        let (input_column, supporter_column) = columns.split_at_mut(links);
        let (mut tool_end, mut missing_end, mut link_end) = (0, 0, 0);
        for (position, &result) in results.iter().enumerate() {
            self.supports.clear();
            self.supports
                .extend(arena.ancestry(result).map(|ancestor| arena.get(ancestor).support));
            self.supports.reverse();
            call_order(arena, result, &mut self.tools);
            for &(tool, step) in &self.tools {
                tool_column[tool_end] = tool;
                step_column[tool_end] = step;
                self.numbers.push(self.supports[step as usize]);
                tool_end += 1;
            }
            let lacking = arena.missing(result);
            missing_column[missing_end..][..lacking.len()].copy_from_slice(lacking);
            missing_end += lacking.len();
            self.links.clear();
            arena.for_each_link(result, |input, tool| self.links.push((input, tool)));
            self.links.sort_unstable();
            for &(input, supporter) in &self.links {
                input_column[link_end] = input;
                supporter_column[link_end] = supporter;
                link_end += 1;
            }
            tool_ends[position + 1] = tool_end as u32;
            missing_ends[position + 1] = missing_end as u32;
            link_ends[position + 1] = link_end as u32;
        }
        Ok(())
    }
}

/// Tools and their steps, each behind all that it depends on, of those that could be next the lowest: the terminal is
/// last.
fn call_order(arena: &Arena, candidate: u32, order: &mut Vec<(u32, u32)>) {
    order.clear();
    let (tools, dependents) = (arena.tools(candidate), arena.dependents(candidate));
    let mut placed = 0_u32;
    for _ in tools {
        let next = (0..tools.len())
            .filter(|&step| placed >> step & 1 == 0)
            .filter(|&step| {
                // Nothing that is still to be placed has this one among its dependents.
                (0..tools.len()).all(|other| placed >> other & 1 == 1 || dependents[other] >> step & 1 == 0)
            })
            .min_by_key(|&step| tools[step]);
        // Links never make a cycle, so that there is always one.
        if let Some(step) = next {
            placed |= 1 << step;
            order.push((tools[step], step as u32));
        }
    }
}
