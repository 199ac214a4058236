# An overlay port that builds the source tree around it: vcpkg install utfilter --overlay-ports=packaging/vcpkg/ports
get_filename_component(source "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)

# Without the feature `filters` the port has utfilter::core and utfilter::streams, which need no Boost. The build finds the
# library of nfc by pkg-config. If a library is not found, the build fails.
vcpkg_check_features(OUT_FEATURE_OPTIONS features
  FEATURES tool UTFILTER_BUILD_UTFCAT icu UTFILTER_BUILD_ICU nfc UTFILTER_BUILD_NFC
  INVERTED_FEATURES filters CMAKE_DISABLE_FIND_PACKAGE_Boost)
vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(SOURCE_PATH "${source}" OPTIONS ${features}
  -DUTFILTER_REQUIRE_ALL=ON "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/utfilter)
vcpkg_fixup_pkgconfig()
if("tool" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES utfcat AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${source}/packaging/debian/copyright")  # no licence has been chosen yet
