/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions through frames, callbacks and threads; destructors; virtual calls; strings, maps, thread-local objects. */
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::atomic<long> alive;
struct counted {
    long v;
    explicit counted(long x) : v(x) { alive++; }
    counted(const counted &o) : v(o.v) { alive++; }
    ~counted() { alive--; }
};

struct shape {
    virtual ~shape() = default;
    virtual double area() const = 0;
};
struct square : shape {
    double side;
    explicit square(double s) : side(s) {}
    double area() const override { return side * side; }
};
struct round : shape {
    double radius;
    explicit round(double r) : radius(r) {}
    double area() const override {
        if (radius > 8)
            throw std::out_of_range("too round: " + std::to_string(radius));
        return 3 * radius * radius;
    }
};

[[gnu::noinline]] static long climb(int n) {
    counted c(n);
    if (n == 0)
        throw c;
    if (n % 5 == 4)
        try {
            return climb(n - 1) + 1;
        } catch (const std::string &s) {
            return (long)s.size();
        }
    return climb(n - 1) + c.v;
}

static int compare(const void *a, const void *b) {
    if (*(const int *)a == 17)
        throw 17;
    return *(const int *)a - *(const int *)b;
}

static thread_local std::map<std::string, long> mine;
static std::mutex lock;
static std::vector<long> all;

static void work(int k) {
    for (int i = 0; i < 30; i++)
        mine["key " + std::to_string(i % 7 * k)] += i;
    long s = 0;
    for (auto &[name, value] : mine)
        s += value * (long)name.size();
    try {
        s += climb(k + 6);
    } catch (const counted &c) {
        s += 100 + c.v;
    }
    std::lock_guard<std::mutex> guard(lock);
    all.push_back(s);
}

int main() {
    long h = 0;
    try {
        climb(12);
    } catch (const counted &c) {
        h += c.v + 1;
    }
    int numbers[32];
    for (int i = 0; i < 32; i++)
        numbers[i] = (i * 13) % 32;
    try {
        qsort(numbers, 32, sizeof *numbers, compare);
    } catch (int n) {
        h += n;
    }
    std::vector<std::unique_ptr<shape>> shapes;
    for (int i = 0; i < 10; i++)
        if (i % 2)
            shapes.push_back(std::make_unique<square>(i));
        else
            shapes.push_back(std::make_unique<round>(i * 1.5));
    for (auto &s : shapes)
        try {
            h = h * 3 + (long)s->area();
        } catch (const std::exception &e) {
            h += (long)std::string(e.what()).size();
        }
    std::vector<std::thread> threads;
    for (int i = 1; i <= 3; i++)
        threads.emplace_back(work, i);
    for (auto &t : threads)
        t.join();
    long total = 0;
    for (long v : all)
        total += v;
    std::printf("%ld %ld %ld\n", h, total, alive.load());
    return 0;
}
