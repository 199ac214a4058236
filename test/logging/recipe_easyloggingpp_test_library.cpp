// recipe_easyloggingpp_test_library.cpp: easylogging++ itself, whose only source file each program compiles.
#include <easylogging++.cc>
