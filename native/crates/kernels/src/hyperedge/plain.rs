use super::best_sets::BestSets;
use super::problem::{LARGEST_SET, Problem};

/// Offers every set that may be answered, scored by the definition: what the fast searches are tested against.
pub fn enumerate_plainly(problem: &Problem, best: &mut BestSets) {
    if let Some(score) = problem.empty_score {
        best.offer(score, &[]);
    }
    let mut members = [0; LARGEST_SET];
    extend(problem, &mut members, 0, 0, best);
}

fn extend(problem: &Problem, members: &mut [u16; LARGEST_SET], size: usize, from: usize, best: &mut BestSets) {
    if size == problem.largest() {
        return;
    }
    for index in from..problem.candidates() {
        members[size] = index as u16;
        let set = &members[..=size];
        if problem.admits(set) {
            best.offer(problem.score(set), set);
        }
        extend(problem, members, size + 1, index + 1, best);
    }
}
