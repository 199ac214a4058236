# encoding_rs.cmake: the Rust crate encoding_rs, with which tests and the benchmark compare the library.

# utfilter_add_encoding_rs(NAME SOURCE): adds the target NAME: the C functions of SOURCE, a Rust file that uses the crate.
# Adds nothing if there is no Rust compiler, or not the crate's source as Debian's package librust-encoding-rs-dev has it.
function(utfilter_add_encoding_rs name source)
  find_program(RUSTC rustc PATHS /usr/bin NO_DEFAULT_PATH)
  file(GLOB encoding_rs /usr/share/cargo/registry/encoding_rs-*/src/lib.rs)
  file(GLOB cfg_if /usr/share/cargo/registry/cfg-if-*/src/lib.rs)
  if(NOT (RUSTC AND encoding_rs AND cfg_if))
    return()
  endif()
  set(rustc ${RUSTC} -C opt-level=3 -C panic=abort --edition 2018 --cap-lints allow)
  set(built ${CMAKE_CURRENT_BINARY_DIR}/lib${name}.a)
  add_custom_command(OUTPUT ${built}
    COMMAND ${rustc} --crate-type rlib --crate-name cfg_if ${cfg_if}
    COMMAND ${rustc} --crate-type rlib --crate-name encoding_rs --cfg "feature=\"alloc\"" --extern cfg_if=libcfg_if.rlib
      ${encoding_rs}
    COMMAND ${rustc} --crate-type staticlib --crate-name c_functions --extern encoding_rs=libencoding_rs.rlib -L .
      -o ${built} ${CMAKE_CURRENT_SOURCE_DIR}/${source}
    DEPENDS ${source} VERBATIM)
  add_custom_target(${name}_built DEPENDS ${built})
  add_library(${name} STATIC IMPORTED GLOBAL)
  set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${built} INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}")
  add_dependencies(${name} ${name}_built)
endfunction()
