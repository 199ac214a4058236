// replay.cpp: runs a fuzz target, without libFuzzer, over files and over all files of directories.
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) try {
  namespace fs = std::filesystem;
  std::set<fs::path> files;
  for (const fs::path& path : std::vector<fs::path>(argv + 1, argv + argc)) {
    if (fs::is_directory(path))
      files.insert(fs::directory_iterator(path), {});
    else
      files.insert(path);
  }
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::vector<char> bytes(std::istreambuf_iterator<char>(in), {});
    if (!in) {
      std::cerr << "cannot read " << file << '\n';
      return 2;
    }
    std::cout << file.filename().string() << std::endl;  // if the target aborts, the last name is that of the input
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  std::cout << argv[0] << ": " << files.size() << " cases, 0 failed" << std::endl;
  return files.empty() ? 2 : 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
