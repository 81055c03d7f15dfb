//! Lists of ordinals and of numbers as callers hand them over, now and then wrong.

use libfuzzer_sys::arbitrary::{Result, Unstructured};

/// Up to `most` ordinals below `bound`, in any order, doubles among them; now and then one is not below it.
pub fn ordinals(input: &mut Unstructured, bound: usize, most: usize) -> Result<Vec<u32>> {
    let count = input.int_in_range(0..=most)?;
    let mut ordinals = Vec::new();
    for _ in 0..count {
        ordinals.push(if bound == 0 || input.ratio(1_u8, 100)? {
            *input.choose(&[bound as u32, u32::MAX])?
        } else {
            input.choose_index(bound)? as u32
        });
    }
    Ok(ordinals)
}

/// Now and then makes a list one shorter or longer than it has to be.
pub fn spoil<T: Copy + Default>(input: &mut Unstructured, list: &mut Vec<T>) -> Result<()> {
    if input.ratio(1_u8, 60)? {
        if input.arbitrary()? {
            list.pop();
        } else {
            list.push(T::default());
        }
    }
    Ok(())
}
