//! Lists as callers hand them over, now and then wrong.

use libfuzzer_sys::arbitrary::{Result, Unstructured};

/// Yes once in so many times; no when the input is used up.
pub fn one_in(input: &mut Unstructured, times: u16) -> Result<bool> {
    Ok(input.int_in_range(1..=times)? == times)
}

/// Up to `usual`, now and then up to `most`.
pub fn count(input: &mut Unstructured, usual: usize, most: usize) -> Result<usize> {
    let most = if one_in(input, 8)? { most } else { usual };
    input.int_in_range(0..=most)
}

/// Up to `most` ordinals below `bound`, in any order, doubles among them; now and then one is not below it.
pub fn ordinals(input: &mut Unstructured, bound: usize, most: usize) -> Result<Vec<u32>> {
    let count = input.int_in_range(0..=most)?;
    let mut ordinals = Vec::new();
    for _ in 0..count {
        if one_in(input, 200)? {
            ordinals.push(*input.choose(&[bound as u32, u32::MAX])?);
        } else if bound > 0 {
            ordinals.push(input.choose_index(bound)? as u32);
        }
    }
    Ok(ordinals)
}

/// Now and then makes a list one shorter or longer than it has to be.
pub fn spoil<T: Copy + Default>(input: &mut Unstructured, list: &mut Vec<T>) -> Result<()> {
    if one_in(input, 100)? && (input.arbitrary()? || list.pop().is_none()) {
        list.push(T::default());
    }
    Ok(())
}
