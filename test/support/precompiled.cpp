// precompiled.cpp: precompiled.hpp needs a program to be compiled for.
