// go_decoders.go bufio|reader|writer: Go's bufio.Reader.ReadRune, which decodes by unicode/utf8, and the decoders of
// golang.org/x/text in a transform.Reader and a transform.Writer. driver.hpp describes questions and answers.
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"
)

// textVersion is the version of golang.org/x/text. The package does not contain its version, so the linker sets this.
var textVersion string

// pieces is an io.Reader that returns one piece in each call. It leaves empty pieces out: readers should not return 0
// bytes without an error.
type pieces struct{ left [][]byte }

func (p *pieces) Read(to []byte) (int, error) {
	for len(p.left) > 0 && len(p.left[0]) == 0 {
		p.left = p.left[1:]
	}
	if len(p.left) == 0 {
		return 0, io.EOF
	}
	n := copy(to, p.left[0])
	p.left[0] = p.left[0][n:]
	return n, nil
}

func answerOf(output []byte, errors string) string { return hex.EncodeToString(output) + "|" + errors }

// byBufio reports an error for each U+FFFD of size 1.
func byBufio(mode, name string, parts [][]byte) string {
	if name != "utf-8 keep" || mode != "replace" {
		return "n/a"
	}
	reader := bufio.NewReader(&pieces{parts})
	var output []byte
	errors := ""
	for offset := 0; ; {
		r, size, err := reader.ReadRune()
		if err != nil {
			return answerOf(output, errors)
		}
		if r == utf8.RuneError && size == 1 {
			errors += fmt.Sprintf("%d:,", offset)
		}
		offset += size
		output = utf8.AppendRune(output, r)
	}
}

func decoderOf(mode, name string) transform.Transformer {
	decoders := map[string]encoding.Encoding{
		"utf-8 keep":        unicode.UTF8,
		"utf-8 strip":       unicode.UTF8BOM,
		"utf-16le keep":     unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
		"utf-16be keep":     unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
		"utf-16 strip":      unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
		"utf-32le keep":     utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
		"utf-32be keep":     utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
		"utf-32 strip":      utf32.UTF32(utf32.BigEndian, utf32.UseBOM),
	}
	if mode == "strict" && name == "utf-8 keep" {
		return encoding.UTF8Validator
	}
	if mode != "replace" {
		return nil
	}
	if decoder, known := decoders[name]; known {
		return decoder.NewDecoder().Transformer
	}
	if label := strings.TrimSuffix(name, " keep"); label != name {
		if decoder := legacy(label); decoder != nil {
			return decoder.NewDecoder().Transformer
		}
	}
	return nil
}

// legacy returns the encoding with that name: the WHATWG's, or if that is another encoding, IANA's.
func legacy(label string) encoding.Encoding {
	if found, err := htmlindex.Get(label); err == nil {
		if name, err := htmlindex.Name(found); err == nil && name == label {
			return found
		}
	}
	if found, err := ianaindex.IANA.Encoding(label); err == nil {
		return found
	}
	return nil
}

func byReader(mode, name string, parts [][]byte) string {
	decoder := decoderOf(mode, name)
	if decoder == nil {
		return "n/a"
	}
	output, err := io.ReadAll(transform.NewReader(&pieces{parts}, decoder))
	if err != nil {
		return answerOf(output, "told")
	}
	return answerOf(output, "")
}

func byWriter(mode, name string, parts [][]byte) string {
	decoder := decoderOf(mode, name)
	if decoder == nil {
		return "n/a"
	}
	var output bytes.Buffer
	writer := transform.NewWriter(&output, decoder)
	for _, part := range parts {
		if _, err := writer.Write(part); err != nil {
			return answerOf(output.Bytes(), "told")
		}
	}
	if err := writer.Close(); err != nil {
		return answerOf(output.Bytes(), "told")
	}
	return answerOf(output.Bytes(), "")
}

func main() {
	answer := map[string]func(string, string, [][]byte) string{"bufio": byBufio, "reader": byReader, "writer": byWriter}[os.Args[1]]
	for questions := bufio.NewScanner(os.Stdin); questions.Scan(); {
		if questions.Text() == "version" {
			fmt.Println(strings.TrimSpace(runtime.Version() + " " + textVersion))
			continue
		}
		words := strings.Split(questions.Text(), " ")
		bars := strings.Split(words[3], "|")
		var parts [][]byte
		for _, bar := range bars[:len(bars)-1] {
			part, _ := hex.DecodeString(bar)
			parts = append(parts, part)
		}
		fmt.Println(answer(words[0], words[1]+" "+words[2], parts))
	}
}
