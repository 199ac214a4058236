// cjk_encoding_rs.rs: the decoders and encoders of the crate encoding_rs, for cjk_sources.py, which compiles this program.
//
//     cjk_encoding_rs decode LABEL   for each line of hexadecimal bytes: their text, or "-" for an error
//     cjk_encoding_rs encode LABEL   for each character that the encoding has: its code point and its bytes
use encoding_rs::{DecoderResult, EncoderResult, Encoding};
use std::io::{self, BufRead, BufWriter, Write};

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

fn decode(encoding: &'static Encoding, bytes: &[u8]) -> Option<String> {
    let mut text = String::with_capacity(4 * bytes.len() + 16);
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (result, _) = decoder.decode_to_string_without_replacement(bytes, &mut text, true);
    if result == DecoderResult::InputEmpty { Some(text) } else { None }
}

fn encode(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    let mut room = [0; 64];
    let (result, _, size) = encoding.new_encoder().encode_from_utf8_without_replacement(text, &mut room, true);
    if result == EncoderResult::InputEmpty { Some(room[..size].to_vec()) } else { None }
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let encoding = Encoding::for_label(arguments[2].as_bytes()).expect("a label");
    let mut output = BufWriter::new(io::stdout());
    if arguments[1] == "decode" {
        for line in io::stdin().lock().lines() {
            match decode(encoding, &bytes(&line?)) {
                Some(text) => writeln!(output, "{}", text)?,
                None => writeln!(output, "-")?,
            }
        }
    } else {
        for character in '\0'..=char::MAX {
            if let Some(encoded) = encode(encoding, character.encode_utf8(&mut [0; 4])) {
                write!(output, "{:X} ", character as u32)?;
                for byte in encoded {
                    write!(output, "{:02X}", byte)?;
                }
                writeln!(output)?;
            }
        }
    }
    output.flush()
}
