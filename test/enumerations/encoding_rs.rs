// encoding_rs.rs: the crate encoding_rs as C functions, for encoding_rs_test.cpp.
//
// The label of an encoding is one of the WHATWG Encoding Standard. All pointers must be valid for the sizes after them.
// The room must be larger than the result.
use encoding_rs::{DecoderResult, EncoderResult, Encoding};
use std::slice::{from_raw_parts, from_raw_parts_mut};

unsafe fn encoding_of(label: *const u8, label_size: usize) -> &'static Encoding {
    Encoding::for_label(from_raw_parts(label, label_size)).expect("a label")
}

/// Decodes a whole text to UTF-8. For each error it writes the byte FF, and the offset and the size of the ill-formed
/// subsequence in two bytes and in one. Returns the number of bytes written.
#[no_mangle]
pub unsafe extern "C" fn encoding_rs_decode(
    label: *const u8, label_size: usize, text: *const u8, size: usize, out: *mut u8, room: usize,
) -> usize {
    let text = from_raw_parts(text, size);
    let out = from_raw_parts_mut(out, room);
    let mut decoder = encoding_of(label, label_size).new_decoder_without_bom_handling();
    let (mut at, mut written) = (0, 0);
    loop {
        let (end, read, more) =
            decoder.decode_to_utf8_without_replacement(&text[at..], &mut out[written..], true);
        at += read;
        written += more;
        match end {
            DecoderResult::InputEmpty => return written,
            DecoderResult::OutputFull => panic!("the room is too small"),
            DecoderResult::Malformed(wrong, after) => {
                let size = wrong as usize;
                // Of two escape sequences of ISO-2022-JP with nothing between them, encoding_rs calls the first one
                // ill-formed, but only when it has read the second. utfilter has passed the first one by then.
                let end = if (wrong, after) == (3, 3) { at } else { at - after as usize };
                let begin = end - size;
                out[written..written + 4].copy_from_slice(&[0xFF, (begin >> 8) as u8, begin as u8, size as u8]);
                written += 4;
            }
        }
    }
}

/// Encodes a whole text, which must be well-formed UTF-8. For each character that the encoding lacks it writes a question
/// mark, and at the end the number of these characters, in one byte. Returns the number of bytes written.
#[no_mangle]
pub unsafe extern "C" fn encoding_rs_encode(
    label: *const u8, label_size: usize, text: *const u8, size: usize, out: *mut u8, room: usize,
) -> usize {
    let text = std::str::from_utf8(from_raw_parts(text, size)).expect("well-formed UTF-8");
    let out = from_raw_parts_mut(out, room);
    let mut encoder = encoding_of(label, label_size).new_encoder();
    let (mut at, mut written, mut lacking) = (0, 0, 0u8);
    loop {
        let (end, read, more) =
            encoder.encode_from_utf8_without_replacement(&text[at..], &mut out[written..], true);
        at += read;
        written += more;
        match end {
            EncoderResult::InputEmpty => {
                out[written] = lacking;
                return written + 1;
            }
            EncoderResult::OutputFull => panic!("the room is too small"),
            EncoderResult::Unmappable(_) => {
                out[written] = b'?';
                written += 1;
                lacking = lacking.wrapping_add(1);
            }
        }
    }
}
