// SPDX-License-Identifier: Apache-2.0
// Gives cout another buffer.
#include <ext/stdio_filebuf.h>
#include <iostream>

void lead_cout_to(int fd);
void lead_cout_to(int fd) { std::cout.rdbuf(new __gnu_cxx::stdio_filebuf<char>(fd, std::ios::out)); }
