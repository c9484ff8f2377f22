// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <string>

std::ostream *open_descriptor(int fd) { return new std::ofstream("/dev/fd/" + std::to_string(fd)); }
