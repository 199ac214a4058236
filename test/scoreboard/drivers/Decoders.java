// Decoders.java: Java's CharsetDecoder. driver.hpp describes questions and answers.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

public class Decoders {
  static final Map<String, String> NAMES = Map.of(
      "utf-8 keep", "UTF-8", "utf-16le keep", "UTF-16LE", "utf-16be keep", "UTF-16BE", "utf-32le keep", "UTF-32LE", "utf-32be keep",
      "UTF-32BE", "utf-16 strip", "UTF-16", "utf-32 strip", "UTF-32");

  /** The name of the character set in Java, which is null if Java lacks it. */
  static String nameOf(String encoding, String signature) {
    String name = NAMES.get(encoding + " " + signature);
    return name == null && signature.equals("keep") && Charset.isSupported(encoding) ? encoding : name;
  }

  /** What decode leaves of a piece stays in the buffer and is followed by the next, as its documentation says. */
  static String answer(String mode, String name, String[] pieces) {
    if (name == null) return "n/a";
    CodingErrorAction action = mode.equals("strict") ? CodingErrorAction.REPORT
        : mode.equals("skip") ? CodingErrorAction.IGNORE : CodingErrorAction.REPLACE;
    CharsetDecoder decoder = Charset.forName(name).newDecoder().onMalformedInput(action).onUnmappableCharacter(action);
    CharBuffer out = CharBuffer.allocate(1024);
    ByteBuffer in = ByteBuffer.allocate(1024);
    String errors = "";
    int before = 0;
    for (int i = 0; i <= pieces.length && errors.isEmpty(); ++i) {
      boolean last = i == pieces.length;
      if (!last) in.put(HexFormat.of().parseHex(pieces[i]));
      in.flip();
      CoderResult result = decoder.decode(in, out, last);
      if (result.isError()) {
        errors = (before + in.position()) + ":" + result.length() + ",";
      } else if (last) {
        decoder.flush(out);
      }
      before += in.position();
      in.compact();
    }
    StringBuilder hex = new StringBuilder();
    out.flip().toString().codePoints().forEach(c -> append(hex, c));
    return hex + "|" + errors;
  }

  /** A lone surrogate is shown as its three bytes. */
  static void append(StringBuilder hex, int c) {
    byte[] bytes = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE
        ? new byte[] {(byte) (0xE0 | c >> 12), (byte) (0x80 | c >> 6 & 0x3F), (byte) (0x80 | c & 0x3F)}
        : Character.toString(c).getBytes(StandardCharsets.UTF_8);
    hex.append(HexFormat.of().formatHex(bytes));
  }

  public static void main(String[] arguments) throws Exception {
    BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    PrintStream answers = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
    for (String line; (line = questions.readLine()) != null;) {
      if (line.equals("version")) {
        answers.println(Runtime.version());
        continue;
      }
      String[] words = line.split(" ", -1);
      String bars = words[3];
      String[] pieces = bars.isEmpty() ? new String[0] : bars.substring(0, bars.length() - 1).split("\\|", -1);
      answers.println(answer(words[0], nameOf(words[1], words[2]), pieces));
    }
  }
}
