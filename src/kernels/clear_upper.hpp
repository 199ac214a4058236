// clear_upper.hpp: kernels that leave the wide registers clear. To be included inside the region of an instruction set with AVX.
//
// Behind a function that leaves their upper halves in use every instruction of the older kind waits. Compilers see to it
// (vzeroupper), but g++ 12 forgets it in functions that call others of the same file.
namespace utfilter::detail {
namespace {

/// call() is the kernel, and then the upper halves are clear.
template <auto Kernel>
struct clear_upper;

template <class Result, class... Arguments, Result (*Kernel)(Arguments...) noexcept>
struct clear_upper<Kernel> {
  static Result call(Arguments... arguments) noexcept {
    const Result result = Kernel(arguments...);
    _mm256_zeroupper();
    return result;
  }
};

}  // namespace
}  // namespace utfilter::detail
