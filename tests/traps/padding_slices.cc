// SPDX-License-Identifier: Apache-2.0
// A class keeps its flag in the tail padding of its base, whose members are of a base of its own. Copies of the base are made
// from what is known as an object of the derived class: in containers, by functions of the library, with new, aligned further
// than its members, of a class that nothing here constructs. The flag is another's all the while. In the twin what is copied is written meanwhile, too.
// twin: job
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

struct Timed {
    long at = 1;
};
struct Result : Timed {
    Result() {}
    int status = 0;
};
struct Job : Result {
    std::atomic<bool> cancelled{false}; // in the padding of Result
};
static_assert(sizeof(Job) == sizeof(Result), "the flag is in the padding");
struct Longer : Result {
    std::atomic<bool> cancelled{false};
    long weight = 3;
};
struct alignas(16) Wide {
    Wide() {}
    int status = 7;
};
struct WideJob : Wide {
    std::atomic<bool> cancelled{false};
};
static_assert(sizeof(WideJob) == sizeof(Wide), "the flag is in the padding");
struct Raw : Timed {
    Raw();
    int status;
};
struct RawJob : Raw {
    RawJob();
    char flag;
};
static_assert(sizeof(RawJob) == sizeof(Raw), "the flag is in the padding");

static std::mutex lock;
static std::vector<Result> history;
static Job job;
static Longer longer;
static WideJob wide;
static RawJob *const raw = static_cast<RawJob *>(std::calloc(1, sizeof(RawJob)));
static long sum;

__attribute__((noinline)) static Result *fresh(const Job *from) { return new Result(*from); }
__attribute__((noinline)) static Result *fresh_of(const Longer &from) { return new Result(from); }
__attribute__((noinline)) static Wide *fresh_wide(const WideJob &from) { return new Wide(from); }
__attribute__((noinline)) static Raw *fresh_raw(const RawJob *from) { return new Raw(*from); }

static void cancel() {
    job.cancelled = true;
    longer.cancelled = true;
    wide.cancelled = true;
    raw->flag = 1;
#ifdef TWIN
    job.status = 5;
#endif
}

int main() {
    std::thread thread(cancel);
    {
        std::lock_guard<std::mutex> hold(lock);
        history.emplace_back(job);
        history.emplace_back(longer);
    }
    std::shared_ptr<Result> shared = std::make_shared<Result>(job);
    std::optional<Result> perhaps(job), other;
    other = longer;
    std::unique_ptr<Result> one(fresh(&job)), two(fresh_of(longer));
    std::unique_ptr<Wide> three(fresh_wide(wide));
    std::unique_ptr<Raw> four(fresh_raw(raw));
    Result copy = job;
    auto by_value = [copy] { return copy.at; };
    Result results[2] = {job, longer};
    sum += shared->at + perhaps->at + other->at + one->at + two->at + three->status + four->status + by_value() + results[1].at;
    thread.join();
    std::printf("%ld\n", sum);
    return 0;
}
