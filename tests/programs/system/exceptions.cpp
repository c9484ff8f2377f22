// SPDX-License-Identifier: Apache-2.0
// Exceptions: through frames with objects, through qsort, rethrown, carried to another thread, out of constructors.
#include "check.h"

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static thread_local int alive;
struct counted {
    counted() { alive++; }
    counted(const counted &) { alive++; }
    ~counted() { alive--; }
};

struct picky : counted {
    std::vector<int> inside;
    explicit picky(int n) : inside(10, n) {
        if (n % 3 == 0)
            throw std::invalid_argument("picky " + std::to_string(n));
    }
};

static int dive(int n) {
    counted here;
    std::string text(static_cast<size_t>(n), 'x');
    if (n == 0)
        throw std::runtime_error("bottom");
    return dive(n - 1) + static_cast<int>(text.size());
}

static int compare(const void *a, const void *b) {
    counted here;
    int x = *static_cast<const int *>(a), y = *static_cast<const int *>(b);
    if (x == 13 || y == 13)
        throw 13;
    return x - y;
}

static int work() {
    int caught = 0;
    for (int i = 0; i < 20; i++) {
        try {
            dive(i);
        } catch (const std::exception &e) {
            CHECK(std::string(e.what()) == "bottom");
            caught++;
        }
        CHECK(alive == 0);
        try {
            picky p(i);
            auto q = std::make_unique<picky>(i + 1);
            caught += static_cast<int>(p.inside.size()) / 10;
        } catch (const std::invalid_argument &) {
            caught += 100;
        }
        CHECK(alive == 0);
    }
    int n[] = {5, 2, 13, 1, 9, 4};
    try {
        qsort(n, 6, sizeof *n, compare);
        CHECK(false);
    } catch (int x) {
        CHECK(x == 13 && alive == 0);
        caught++;
    }
    try {
        try {
            throw std::string("again");
        } catch (...) {
            counted here;
            throw;
        }
    } catch (const std::string &s) {
        CHECK(s == "again" && alive == 0);
        caught++;
    }
    std::map<std::string, std::vector<int>> m;
    for (int i = 0; i < 50; i++)
        m[std::to_string(i % 7)].push_back(i);
    try {
        m.at("nobody");
    } catch (const std::out_of_range &) {
        caught++;
    }
    return caught;
}

int main() {
    std::exception_ptr carried;
    int counts[3] = {};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([&, i] {
            counts[i] = work();
            if (i == 1) {
                try {
                    throw std::logic_error("from a thread");
                } catch (...) {
                    carried = std::current_exception();
                }
            }
        });
    for (auto &t : threads)
        t.join();
    try {
        std::rethrow_exception(carried);
    } catch (const std::logic_error &e) {
        printf("exceptions: %d %d %d, %s\n", counts[0], counts[1], counts[2], e.what());
    }
}
