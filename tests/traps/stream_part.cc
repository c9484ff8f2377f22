// SPDX-License-Identifier: Apache-2.0
// A class of which an std::ostream is a part: what comes behind that part's first 8 bytes is the program's, and may be
// used while another thread writes to the stream.
// twin: whole
#include <atomic>
#include <mutex>
#include <ostream>
#include <sstream>
#include <thread>

struct counted : std::ostream {
    std::atomic<long> lines{0}, words{0}, letters{0}, errors{0};
    std::mutex lock;
    explicit counted(std::streambuf *to) : std::ostream(to) {}
};

static std::stringbuf buffer;
static counted part(&buffer);
static std::ostringstream whole;
static long seen;

static void write_line(int n) {
#ifdef TWIN
    whole << n;
#endif
    std::lock_guard<std::mutex> guard(part.lock);
    part << n << '\n';
    part.lines++;
}

static void look() {
#ifdef TWIN
    whole << 2;
#endif
    seen = part.lines + part.words + part.letters + part.errors;
}

int main() {
    std::thread writer(write_line, 1), reader(look);
    writer.join();
    reader.join();
    return seen > 1;
}
