// precompiled.cpp: a precompiled header must belong to a program: this file is the program of precompiled.hpp.
