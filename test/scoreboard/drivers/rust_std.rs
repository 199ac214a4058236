// rust_std.rs: Rust's std::str::from_utf8, fed by pieces as the documentation of Utf8Error says: if the error has no
// length, the sequence may go on in the next piece. driver.hpp describes questions and answers.
use std::io::{self, BufRead, Write};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{:02x}", byte)).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
}

fn answer(mode: &str, name: &str, pieces: &[Vec<u8>]) -> String {
    if name != "utf-8 keep" {
        return "n/a".to_string();
    }
    let (mut output, mut errors, mut left, mut offset) = (Vec::new(), String::new(), Vec::new(), 0);
    for number in 0..=pieces.len() {
        let last = number == pieces.len();
        if !last {
            left.extend_from_slice(&pieces[number]);
        }
        while let Err(error) = std::str::from_utf8(&left) {
            let good = error.valid_up_to();
            output.extend_from_slice(&left[..good]);
            offset += good;
            left.drain(..good);
            let size = match error.error_len() {
                None if !last => break,
                None => left.len(),
                Some(size) => size,
            };
            errors += &format!("{}:{},", offset, size);
            if mode == "strict" {
                return hex(&output) + "|" + &errors;
            }
            if mode == "replace" {
                output.extend_from_slice("\u{FFFD}".as_bytes());
            }
            offset += size;
            left.drain(..size);
        }
        if let Ok(text) = std::str::from_utf8(&left) {
            output.extend_from_slice(text.as_bytes());
            offset += left.len();
            left.clear();
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
        println!("{}", answer(words[0], &format!("{} {}", words[1], words[2]), &pieces));
        io::stdout().flush().unwrap();
    }
}
