// mpi_check: checks one big text file on many machines, as `utfcat --check` does on one.
//
//   mpirun -np N mpi_check FILE [ENCODING]      default: detect, a byte order mark decides
//
// Each rank checks the lines that begin in its N-th of the file's bytes, and sends the errors to rank 0 in batches. Rank 0
// prints them in the order of the file, so it receives those of one rank after the other: only then does it know how many
// lines are before that rank. A rank waits in MPI_Send until its batch is wanted. So the memory is bounded, also for a
// file that has nothing but errors. The exit status is that of utfcat.
#include <utfilter/byte_range.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/params.hpp>
#include <utfilter/range_streambuf.hpp>
#include <utfilter/stream.hpp>

#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace mpi = boost::mpi;

namespace {

constexpr std::size_t errors_in_batch = 4096;

/// What a rank sends. The last message of a rank has its report, or the reason why it failed.
struct message {
  std::vector<utfilter::error_info> errors;
  utfilter::stream_report report = {};
  std::string failure;
  bool last = false;

  template <class Archive>
  void serialize(Archive& archive, unsigned) {
    archive& errors& failure& last& report.bytes_in& report.lines& report.errors;
  }
};

/// Checks the lines of a range, and passes on messages, the last of them with `last` set.
template <class Deliver>
void check(const std::filesystem::path& path, utfilter::byte_range range, std::uint64_t size, utfilter::encoding from,
           Deliver deliver) {
  message found;
  try {
    utfilter::params repair = {};
    repair.on_error = utfilter::on_error::replace;  // goes on after an error
    repair.observer = [&](const utfilter::error_info& error) {
      found.errors.push_back(error);
      if (found.errors.size() < errors_in_batch) return;
      deliver(found);
      found.errors.clear();
    };
    utfilter::range_streambuf lines(path, range, from, repair);
    if (const std::uint64_t here = file_size(path); here != size)
      throw std::runtime_error(path.string() + ": has " + std::to_string(here) + " bytes, but " + std::to_string(size) +
                               " on rank 0");
    utfilter::istream in(lines, lines.params());
    std::vector<char> text(65536);
    while (in.read(text.data(), static_cast<std::streamsize>(text.size()))) continue;
    found.report = in.report();
    if (found.report.failure) std::rethrow_exception(found.report.failure);
  } catch (const std::exception& why) {
    found.failure = mpi::environment::processor_name() + ": " + why.what();
  }
  found.last = true;
  deliver(found);
}

/// Prints the messages of the ranks, in order, and makes the exit status. After a failure it prints nothing more, but
/// still takes the messages, so that the other ranks can end.
class printer {
 public:
  explicit printer(std::string file) : file_(std::move(file)) {}

  void print(int rank, const message& part) {
    if (failed_) return;
    for (const utfilter::error_info& error : part.errors)
      std::cout << file_ << ':' << all_.lines + error.line << ':' << error.column << ": byte " << error.offset << ": "
                << error.message() << '\n';
    if (part.last) all_ = merge(all_, part.report);
    if (!part.failure.empty()) fail(rank, part.failure);
    if (!std::cout.flush()) fail(0, mpi::environment::processor_name() + ": standard output cannot be written");
  }

  int status() const { return failed_ ? 2 : all_.errors != 0 ? 1 : 0; }

 private:
  void fail(int rank, const std::string& why) {
    if (!failed_) std::cerr << "mpi_check: rank " << rank << " on " << why << std::endl;
    failed_ = true;
  }

  std::string file_;
  utfilter::stream_report all_ = {};
  bool failed_ = false;
};

}  // namespace

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, utfilter::error_info& error, unsigned) {
  archive& error.code& error.offset& error.line& error.column& error.line_offset& error.size& error.code_point;
  for (unsigned char& byte : error.bytes) archive& byte;
}

}  // namespace boost::serialization

int main(int argc, char** argv) {
  const mpi::environment environment(argc, argv);
  const mpi::communicator world;
  const auto from = argc == 3 ? utfilter::encoding_from_name(argv[2]) : utfilter::encoding::detect;
  if (argc < 2 || argc > 3 || !from) {
    if (world.rank() == 0 && !from) std::cerr << "mpi_check: there is no encoding " << argv[2] << std::endl;
    if (world.rank() == 0 && from) std::cerr << "Usage: mpirun -np N mpi_check FILE [ENCODING]" << std::endl;
    return 2;
  }
  const std::filesystem::path path = argv[1];
  std::error_code ignored;  // if there is no such file, range_streambuf gives the reason
  std::uint64_t size = world.rank() == 0 ? file_size(path, ignored) : 0;
  broadcast(world, size, 0);
  const auto ranges = utfilter::split(size, static_cast<std::size_t>(world.size()));
  const utfilter::byte_range mine = ranges[static_cast<std::size_t>(world.rank())];

  if (world.rank() != 0) {
    check(path, mine, size, *from, [&](const message& part) { world.send(0, 0, part); });
    return 0;
  }
  printer out(path.string());
  check(path, mine, size, *from, [&](const message& part) { out.print(0, part); });
  for (int rank = 1; rank < world.size(); ++rank) {
    message part;
    do {
      world.recv(rank, 0, part);
      out.print(rank, part);
    } while (!part.last);
  }
  return out.status();
}
