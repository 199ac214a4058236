// encoding_rs.rs: the crate encoding_rs as C functions, for others.cpp.
//
// Each function converts a whole text between UTF-8 and the encoding with a label of the WHATWG Encoding Standard. It
// returns the number of bytes written; 0 if the text is ill-formed, a character has no place in the encoding, or the
// room is too small. All pointers must be valid for the sizes after them.
use encoding_rs::{CoderResult, Encoding};
use std::slice::{from_raw_parts, from_raw_parts_mut};

fn result(end: CoderResult, written: usize, errors: bool) -> usize {
    if end == CoderResult::InputEmpty && !errors { written } else { 0 }
}

#[no_mangle]
pub unsafe extern "C" fn encoding_rs_to_utf8(
    label: *const u8, label_size: usize, text: *const u8, size: usize, out: *mut u8, room: usize,
) -> usize {
    let encoding = Encoding::for_label(from_raw_parts(label, label_size)).expect("a label");
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (end, _, written, errors) =
        decoder.decode_to_utf8(from_raw_parts(text, size), from_raw_parts_mut(out, room), true);
    result(end, written, errors)
}

/// The same, but writes U+FFFD for each error.
#[no_mangle]
pub unsafe extern "C" fn encoding_rs_repaired(
    label: *const u8, label_size: usize, text: *const u8, size: usize, out: *mut u8, room: usize,
) -> usize {
    let encoding = Encoding::for_label(from_raw_parts(label, label_size)).expect("a label");
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (end, _, written, _) = decoder.decode_to_utf8(from_raw_parts(text, size), from_raw_parts_mut(out, room), true);
    result(end, written, false)
}

/// Validates the text first, because encoding_rs takes well-formed text only.
#[no_mangle]
pub unsafe extern "C" fn encoding_rs_from_utf8(
    label: *const u8, label_size: usize, text: *const u8, size: usize, out: *mut u8, room: usize,
) -> usize {
    let encoding = Encoding::for_label(from_raw_parts(label, label_size)).expect("a label");
    match std::str::from_utf8(from_raw_parts(text, size)) {
        Ok(text) => {
            let mut encoder = encoding.new_encoder();
            let (end, _, written, errors) = encoder.encode_from_utf8(text, from_raw_parts_mut(out, room), true);
            result(end, written, errors)
        }
        Err(_) => 0,
    }
}
