// node.js TextDecoder|StringDecoder: Node's decoders. driver.hpp describes questions and answers.
'use strict';
const fs = require('fs');
const { StringDecoder } = require('string_decoder');

// A string may hold a lone surrogate. It is shown as three bytes.
function bytesOf(text) {
  let hex = '';
  for (const character of text) {
    const value = character.codePointAt(0);
    hex += value >= 0xd800 && value <= 0xdfff
      ? Buffer.from([0xe0 | value >> 12, 0x80 | value >> 6 & 0x3f, 0x80 | value & 0x3f]).toString('hex')
      : Buffer.from(character, 'utf8').toString('hex');
  }
  return hex;
}

function byTextDecoder(mode, encoding, signature, pieces) {
  if (mode === 'skip') return 'n/a';
  let decoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: mode === 'strict', ignoreBOM: signature === 'keep' });
  } catch (error) {
    if (error.code !== 'ERR_ENCODING_NOT_SUPPORTED') throw error;
    return 'n/a';
  }
  if (decoder.encoding !== encoding) return 'n/a'; // the label of another encoding
  let output = '';
  try {
    for (const piece of pieces) output += decoder.decode(piece, { stream: true });
    output += decoder.decode();
  } catch (error) {
    if (error.code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    return bytesOf(output) + '|told';
  }
  return bytesOf(output) + '|';
}

function byStringDecoder(mode, encoding, signature, pieces) {
  const name = { 'utf-8': 'utf8', 'utf-16le': 'utf16le', 'iso-8859-1': 'latin1' }[encoding];
  if (mode !== 'replace' || signature !== 'keep' || name === undefined) return 'n/a';
  const decoder = new StringDecoder(name);
  let output = '';
  for (const piece of pieces) output += decoder.write(piece);
  return bytesOf(output + decoder.end()) + '|';
}

const answer = { TextDecoder: byTextDecoder, StringDecoder: byStringDecoder }[process.argv[2]];
const block = Buffer.alloc(65536);
for (let rest = ''; ;) {
  let size = 0;
  try {
    size = fs.readSync(0, block);
  } catch (error) {
    if (error.code !== 'EOF') throw error;
  }
  if (size === 0) break;
  const lines = (rest + block.toString('latin1', 0, size)).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const [mode, encoding, signature, hex] = line.split(' ');
    if (mode === 'version') {
      fs.writeSync(1, process.versions.node + '\n');
      continue;
    }
    const pieces = hex.split('|').slice(0, -1).map((piece) => Buffer.from(piece, 'hex'));
    fs.writeSync(1, answer(mode, encoding, signature, pieces) + '\n');
  }
}
