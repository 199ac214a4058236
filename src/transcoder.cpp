// transcoder.cpp: the incremental codec: signature, carried sequence, bulk, one character at a time where that decides.
#include <utfilter/transcoder.hpp>

#include "forms.hpp"
#include "signature.hpp"

#include <algorithm>
#include <cstring>

namespace utfilter {

using detail::sequence;

/// Where a call of transform stands in its buffers.
struct transcoder::cursor {
  const char* in;
  const char* in_end;
  char*       out;
  char*       out_end;

  std::size_t left() const noexcept { return static_cast<std::size_t>(in_end - in); }
  std::size_t room() const noexcept { return static_cast<std::size_t>(out_end - out); }
};

namespace {

bool fixes_its_order(encoding e) noexcept {
  return e == encoding::utf16le || e == encoding::utf16be || e == encoding::utf32le || e == encoding::utf32be;
}

bool detects_by_signature(encoding e) noexcept {
  return e == encoding::detect || e == encoding::utf16 || e == encoding::utf32;
}

bool exists(encoding e) noexcept { return e == encoding::detect || detail::form_of(e) != nullptr; }

bool has_signature(encoding e) noexcept { return e == encoding::detect || !detail::signature_of(e).empty(); }

bool is_single_byte(encoding e) noexcept { return e == encoding::latin1 || e == encoding::windows1252; }

constexpr char32_t byte_order_mark = 0xFEFF;

/// utf16 and utf32 where no byte order mark says otherwise.
encoding big_endian_of(encoding e) noexcept {
  return e == encoding::utf16 ? encoding::utf16be : e == encoding::utf32 ? encoding::utf32be : e;
}

}  // namespace

//--------------------------------------------------------------------------- which combinations there are, and their plans

const char* transcoder::why_not_decoding(encoding from, bom b, encoding fallback) noexcept {
  if (!exists(from) || !exists(fallback)) return "there is no such encoding";
  if (fallback == encoding::detect) return "params::fallback must name an encoding, it cannot be detect";
  // bom::add writes one in front of any UTF-8. In CESU-8 an initial U+FEFF is a character, and there would be two.
  const bool looks_for_one = b == bom::strip || b == bom::require || b == bom::reject;
  if (!has_signature(from) && (looks_for_one || (b == bom::add && from == encoding::cesu8)))
    return "the encoding read has no byte order mark to strip, add, require or reject";
  return nullptr;
}

const char* transcoder::why_not_encoding(encoding to, bom b) noexcept {
  if (!exists(to)) return "there is no such encoding";
  if (to == encoding::detect) return "the encoding to write must be named, it cannot be detect";
  if (!has_signature(to) && b == bom::add) return "the encoding written has no byte order mark to add";
  return nullptr;
}

const char* transcoder::why_not_signature(bom b, encoding e) noexcept {
  if (!exists(e)) return "there is no such encoding";
  if (!has_signature(e)) return "the encoding has no byte order mark";
  if (b == bom::add && e == encoding::detect) return "bom::add must know whose byte order mark to add, it cannot detect";
  return nullptr;
}

/// What a policy does to a signature that is found or absent, where automatic strips or adds.
transcoder::signature_plan transcoder::plan_for(bom b, bool automatic_strips, bool automatic_adds) noexcept {
  const bool     automatic = b == bom::automatic || b == bom::require;
  signature_plan plan;
  plan.must_exist = b == bom::require;
  plan.must_not   = b == bom::reject;
  plan.add_absent = b == bom::add || (automatic && automatic_adds);
  plan.keep_found = b != bom::strip && !(automatic && automatic_strips);
  return plan;
}

/// The signature of text that is read. Where the label fixes the order U+FEFF is a character, unless the policy asks for it.
transcoder::signature_plan transcoder::plan_for_input(bom b, encoding from, encoding fallback) noexcept {
  const bool     a_character = fixes_its_order(from) && (b == bom::automatic || b == bom::keep);
  signature_plan plan        = plan_for(b, detects_by_signature(from), false);
  plan.candidates            = a_character ? detail::encoding_set{0} : detail::signatures_of(from);
  plan.decides               = detects_by_signature(from);
  plan.otherwise             = big_endian_of(from == encoding::detect ? fallback : from);
  return plan;
}

transcoder transcoder::decoding(encoding from, bom b, encoding fallback) noexcept {
  const auto* source = detects_by_signature(from) ? nullptr : detail::form_of(from);
  return {source, &detail::utf8_form, from, plan_for_input(b, from, fallback)};
}

transcoder transcoder::encoding_to(encoding to, bom b) noexcept {
  signature_plan plan = plan_for(b, is_single_byte(to), detects_by_signature(to));
  plan.candidates     = detail::signatures_of(encoding::utf8);
  // What a single byte cannot hold is dropped, unless it was asked for: then it is unmappable.
  if (is_single_byte(to) && b == bom::reject) plan.keep_found = false;
  return {&detail::utf8_form, detail::form_of(to), to, plan};
}

transcoder transcoder::signature_only(bom b, encoding e) noexcept {
  signature_plan plan = plan_for_input(b, e, encoding::detect);
  plan.passed         = e;
  return {&detail::octet_form, &detail::octet_form, e, plan};
}

//--------------------------------------------------------------------------------------------------------- the two phases

codec_progress transcoder::transform(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
  std::size_t consumed = 0, produced = 0;
  if (phase_ != phase::text || carried_ != 0) {
    cursor       at{in, in + size, out, out + room};
    codec_status status{};
    const bool   begun = begin_text(at, last, status);
    consumed           = size - at.left();
    produced           = room - at.room();
    if (!begun) return {consumed, produced, status};
  }
  codec_progress text = transform_text(in + consumed, size - consumed, out + produced, room - produced, last);
  text.consumed += consumed;
  text.produced += produced;
  return text;
}

/// The well-formed start of what is its own output; returns its bytes.
std::size_t transcoder::check(const char* in, std::size_t size, char* out) noexcept {
  const detail::run done = source_->to_utf8(in, size, out, size);
  advance(in, done);
  return done.consumed;
}

/// What comes before the bulk. False: return `status`.
bool transcoder::begin_text(cursor& at, bool last, codec_status& status) noexcept {
  if (phase_ == phase::signature && !read_signature(at, last, status)) return false;
  if (phase_ == phase::emission && !write_signature(at, status)) return false;
  return finish_carried(at, last, status);
}

UTFILTER_INLINE codec_progress transcoder::transform_text(const char* in, std::size_t size, char* out, std::size_t room, bool last) noexcept {
  const auto        bulk = target_ == &detail::utf8_form ? source_->to_utf8 : target_->from_utf8;
  const detail::run done = bulk(in, size, out, room);
  advance(in, done);
  codec_progress progress{done.consumed, done.produced, last ? codec_status::done : codec_status::need_input};
  if (done.consumed == size) return progress;

  // The kernel has gone as far as it can: what is next does not fit, is ill-formed or is cut off.
  const auto*       bytes = reinterpret_cast<const unsigned char*>(in + done.consumed);
  const std::size_t left  = size - done.consumed;
  const sequence    next  = source_->decode(bytes, left, last);
  switch (next.what) {
    case sequence::kind::incomplete:
      std::memcpy(carry_.data(), bytes, left);
      carried_          = static_cast<std::uint8_t>(left);
      progress.consumed = size;
      return progress;
    case sequence::kind::ill_formed: note_error(next.code, bytes, next.size, next.value); break;
    case sequence::kind::scalar:
      char unit[min_output];
      if (target_->encode(next.value, unit) != 0) return progress.status = codec_status::need_output, progress;
      note_error(errc::unmappable, bytes, next.size, next.value);
      break;
  }
  progress.consumed += next.size;
  return progress.status = codec_status::malformed, progress;
}

/// Withholds bytes until the earliest one that decides whether a signature stands here. False: return `status`.
bool transcoder::read_signature(cursor& at, bool last, codec_status& status) noexcept {
  using kind = detail::signature_match::kind;
  status     = codec_status::need_input;
  if (at.left() == 0 && !last) return false;

  const std::size_t carried_before = carried_;
  const auto        look           = [&]() noexcept {
    return detail::match_signature(plan_.candidates, carry_.data(), carried_, last && at.left() == 0);
  };
  auto match = look();
  for (; match.what == kind::undecided; match = look()) {
    if (at.left() == 0) return false;
    carry_[carried_++] = static_cast<unsigned char>(*at.in++);
  }

  signature_ = static_cast<std::uint8_t>(match.size);
  if (plan_.decides) {
    encoding_ = signature() ? match.found : plan_.otherwise;
    if (source_ == nullptr) source_ = detail::form_of(encoding_);
  }
  if (signature()) plan_.passed = match.found;
  phase_ = phase::emission;

  const bool missing    = plan_.must_exist && !signature();
  const bool unexpected = plan_.must_not && signature();
  if (missing) set_error(errc::missing_bom, nullptr, 0);
  if (unexpected) set_error(errc::unexpected_bom, carry_.data(), match.size);

  drop_carried(match.size);
  give_back(at, carried_ - std::min<std::size_t>(carried_, carried_before - std::min(carried_before, match.size)));
  status = codec_status::malformed;
  return !missing && !unexpected;
}

/// Writes the signature, if one is due. False: return `status`.
bool transcoder::write_signature(cursor& at, codec_status& status) noexcept {
  const bool  due = signature() ? plan_.keep_found : plan_.add_absent;
  char        bytes[min_output];
  std::size_t size = 0;
  if (due && target_ == &detail::octet_form)
    size = detail::signature_of(plan_.passed).copy(bytes, sizeof bytes);
  else if (due)
    size = target_->encode(byte_order_mark, bytes);

  status = codec_status::need_output;
  if (at.room() < size) return false;
  phase_ = phase::text;
  if (due && size == 0) {  // kept, and the target lacks it
    const std::string_view found = detail::signature_of(plan_.passed);
    set_error(errc::unmappable, found.data(), found.size(), byte_order_mark);
    status = codec_status::malformed;
  } else {
    at.out = std::copy(bytes, bytes + size, at.out);
  }
  position_.offset += signature_;
  return status != codec_status::malformed;
}

/// Decodes what is carried, taking bytes from the input one at a time until each sequence is decided. False: return `status`.
bool transcoder::finish_carried(cursor& at, bool last, codec_status& status) noexcept {
  std::size_t taken = 0;
  while (carried_ != 0) {
    const sequence next = source_->decode(carry_.data(), carried_, last && at.left() == 0);
    if (next.what == sequence::kind::incomplete) {
      status = codec_status::need_input;
      if (at.left() == 0) return false;
      carry_[carried_++] = static_cast<unsigned char>(*at.in++);
      ++taken;
      continue;
    }
    char              unit[min_output];
    const std::size_t size = next.what == sequence::kind::scalar ? target_->encode(next.value, unit) : 0;
    status                 = size > at.room() ? codec_status::need_output : codec_status::malformed;
    if (size > at.room()) return false;
    if (size != 0) {
      at.out = std::copy(unit, unit + size, at.out);
      const bool is_text = source_ != &detail::octet_form;
      advance(reinterpret_cast<const char*>(carry_.data()), {next.size, size, is_text, is_text && next.value == U'\n'});
    } else {
      note_error(next.what == sequence::kind::scalar ? errc::unmappable : next.code, carry_.data(), next.size, next.value);
    }
    drop_carried(next.size);
    give_back(at, std::min<std::size_t>(taken, carried_));
    taken = 0;
    if (size == 0) return false;
  }
  return true;
}

/// Moves the position over well-formed text.
void transcoder::advance(const char* bytes, const detail::run& passed) noexcept {
  position_.offset += passed.consumed;
  if (passed.line_feeds == 0) {
    position_.column += passed.characters;
    return;
  }
  const detail::line_end last = source_->last_line(bytes, passed.consumed);
  position_.line += passed.line_feeds;
  position_.column      = 1 + last.characters;
  position_.line_offset = position_.offset - last.bytes;
}

void transcoder::drop_carried(std::size_t n) noexcept {
  std::copy(carry_.begin() + static_cast<std::ptrdiff_t>(n), carry_.begin() + carried_, carry_.begin());
  carried_ = static_cast<std::uint8_t>(carried_ - n);
}

/// Returns the last n carried bytes, which came with this call, to the input, so that the kernel gets them.
void transcoder::give_back(cursor& at, std::size_t n) noexcept {
  at.in -= n;
  carried_ = static_cast<std::uint8_t>(carried_ - n);
}

std::size_t transcoder::encode(char32_t c, char* out) const noexcept { return target_->encode(c, out); }

bool transcoder::reads_utf8() const noexcept { return source_ == &detail::utf8_form; }

}  // namespace utfilter
