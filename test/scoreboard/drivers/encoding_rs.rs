// encoding_rs.rs: the decoders of the crate encoding_rs, to UTF-8. driver.hpp describes questions and answers.
use encoding_rs::{DecoderResult, Encoding};
use std::io::{self, BufRead, Write};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{:02x}", byte)).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

fn answer(mode: &str, encoding: &str, signature: &str, pieces: &[Vec<u8>]) -> String {
    // A label may mean another encoding: "iso-8859-1" means windows-1252.
    let named = Encoding::for_label(encoding.as_bytes()).filter(|found| found.name().eq_ignore_ascii_case(encoding));
    let mut decoder = match (named, signature) {
        (Some(found), "keep") => found.new_decoder_without_bom_handling(),
        (Some(found), "strip") => found.new_decoder_with_bom_removal(),
        (None, "strip") if encoding == "detect" => encoding_rs::UTF_8.new_decoder(),
        _ => return "n/a".to_string(),
    };
    let (mut output, mut errors, mut consumed) = (Vec::new(), String::new(), 0);
    for number in 0..=pieces.len() {
        let last = number == pieces.len();
        let mut piece: &[u8] = if last { &[] } else { &pieces[number] };
        loop {
            let mut room = [0; 64];
            let (result, read, written) = decoder.decode_to_utf8_without_replacement(piece, &mut room, last);
            output.extend_from_slice(&room[..written]);
            consumed += read;
            piece = &piece[read..];
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(size, after) => {
                    errors += &format!("{}:{},", consumed - (size + after) as usize, size);
                    match mode {
                        "strict" => return hex(&output) + "|" + &errors,
                        "replace" => output.extend_from_slice("\u{FFFD}".as_bytes()),
                        _ => {}
                    }
                }
            }
        }
    }
    hex(&output) + "|" + &errors
}

fn main() {
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        if line == "version" {
            println!("{}", env!("TRIED_VERSION"));
            continue;
        }
        let words: Vec<&str> = line.split(' ').collect();
        let mut pieces: Vec<Vec<u8>> = words[3].split('|').map(bytes).collect();
        pieces.pop();
        println!("{}", answer(words[0], words[1], words[2], &pieces));
        io::stdout().flush().unwrap();
    }
}
