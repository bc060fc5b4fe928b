//! Reading and writing the bytes of a state.
//!
//! The first word says how many words the state has (u32) and how many processes (u16).

use crate::program::code::Width;

/// The words of a state as bytes.
pub fn bytes(words: &[u64]) -> &[u8] {
    bytemuck::cast_slice(words)
}

/// The words of a state as bytes that can be written.
pub fn bytes_mut(words: &mut [u64]) -> &mut [u8] {
    bytemuck::cast_slice_mut(words)
}

/// The number of words of the state that starts at `words[0]`.
#[inline]
pub fn word_count(words: &[u64]) -> usize {
    words[0] as u32 as usize
}

/// The number of processes, from the header of a state.
#[inline]
pub fn process_count(bytes: &[u8]) -> usize {
    u16::from_le_bytes([bytes[4], bytes[5]]) as usize
}

/// Writes the numbers of words and of processes into the header. The rest of the first word stays as it is.
pub(super) fn set_header(bytes: &mut [u8], words: usize, processes: usize) {
    bytes[0..4].copy_from_slice(&(words as u32).to_le_bytes());
    bytes[4..6].copy_from_slice(&(processes as u16).to_le_bytes());
}

/// The byte at `at`.
#[inline(always)]
pub fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes[at]
}

/// The value of this width at byte `at`.
#[inline(always)]
pub fn load(bytes: &[u8], at: usize, width: Width) -> i32 {
    match width {
        Width::Bit | Width::U8 => byte(bytes, at) as i32,
        _ => load_wide(bytes, at, width),
    }
}

fn load_wide(bytes: &[u8], at: usize, width: Width) -> i32 {
    match (width, width.bytes()) {
        (Width::I16, _) => load_u16(bytes, at) as i16 as i32,
        (_, 1) => byte(bytes, at) as i32,
        (_, 2) => load_u16(bytes, at) as i32,
        _ => load_u32(bytes, at) as i32,
    }
}

/// Stores what is left of `value` in this width.
#[inline(always)]
pub fn store(bytes: &mut [u8], at: usize, width: Width, value: i32) {
    match width {
        Width::U8 => bytes[at] = value as u8,
        _ => store_other(bytes, at, width, value),
    }
}

fn store_other(bytes: &mut [u8], at: usize, width: Width, value: i32) {
    let value = width.truncate(value);
    match width.bytes() {
        1 => bytes[at] = value as u8,
        2 => bytes[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes()),
        _ => bytes[at..at + 4].copy_from_slice(&value.to_le_bytes()),
    }
}

#[inline(always)]
fn load_u16(bytes: &[u8], at: usize) -> u16 {
    let two: [u8; 2] = bytes[at..at + 2].try_into().expect("two bytes");
    u16::from_le_bytes(two)
}

#[inline(always)]
fn load_u32(bytes: &[u8], at: usize) -> u32 {
    let four: [u8; 4] = bytes[at..at + 4].try_into().expect("four bytes");
    u32::from_le_bytes(four)
}

/// As [`word_count`], from the bytes.
pub fn word_count_of(bytes: &[u8]) -> usize {
    load_u32(bytes, 0) as usize
}
