// precompiled.cpp: the only source file of the target that precompiles precompiled.hpp. CMake needs such a target.
