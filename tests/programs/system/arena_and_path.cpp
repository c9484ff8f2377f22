// SPDX-License-Identifier: Apache-2.0
// What recipe has written again of the C++ library does what the library's does: std::pmr::monotonic_buffer_resource, also as a base and
// by its virtual functions, with buffers that it gets and gives back; std::filesystem::path, given another's value; std::allocator<char>.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

namespace pmr = std::pmr;

static long taken, given;

struct Upstream : pmr::memory_resource {
    void *do_allocate(std::size_t bytes, std::size_t alignment) override {
        taken++;
        return pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void do_deallocate(void *block, std::size_t bytes, std::size_t alignment) override {
        given++;
        pmr::new_delete_resource()->deallocate(block, bytes, alignment);
    }
    bool do_is_equal(const pmr::memory_resource &other) const noexcept override { return this == &other; }
};

struct Counting : pmr::monotonic_buffer_resource {
    using monotonic_buffer_resource::monotonic_buffer_resource;
    int calls = 0;
    void *do_allocate(std::size_t bytes, std::size_t alignment) override {
        calls++;
        return monotonic_buffer_resource::do_allocate(bytes, alignment);
    }
};

static void fill(pmr::memory_resource &arena, int n) {
    for (int i = 0; i < n; i++)
        for (std::size_t alignment = 1; alignment <= 64; alignment *= 2) {
            auto *block = (unsigned char *)arena.allocate(1 + (std::size_t)i % 50, alignment);
            if ((std::uintptr_t)block % alignment)
                std::puts("not aligned");
            std::memset(block, i, 1 + (std::size_t)i % 50);
        }
}

static void arenas() {
    Upstream upstream;
    {
        alignas(64) std::byte space[1024];
        pmr::monotonic_buffer_resource given_space(space, sizeof space, &upstream), other(&upstream);
        auto *first = (std::byte *)given_space.allocate(16);
        std::printf("%d\n", first >= space && first < space + sizeof space);
        std::printf("%d %d\n", (void *)given_space.allocate(0, 1) != given_space.allocate(0, 1) || taken, given_space.is_equal(given_space));
        std::printf("%d %ld\n", given_space.is_equal(other), taken);
        fill(given_space, 100);
        std::printf("%d\n", taken > 0 && !given);
        given_space.release();
        std::printf("%d\n", taken == given);
        auto *again = (std::byte *)given_space.allocate(16);
        std::printf("%d\n", again >= space && again < space + sizeof space);
        pmr::vector<pmr::string> words(&other);
        for (int i = 0; i < 50; i++)
            words.emplace_back("a word that is too long for a string's own room");
        std::printf("%zu\n", words.size() + words.back().size());
    }
    std::printf("%d\n", taken == given);
    std::unique_ptr<pmr::memory_resource> by_base(new pmr::monotonic_buffer_resource(100, &upstream));
    fill(*by_base, 20);
    std::printf("%d\n", dynamic_cast<pmr::monotonic_buffer_resource *>(by_base.get()) != nullptr);
    by_base.reset();
    std::printf("%d\n", taken == given);
    {
        Counting counting(&upstream);
        fill(counting, 10);
        std::printf("%d\n", counting.calls);
    }
    std::printf("%d\n", taken == given);
    pmr::monotonic_buffer_resource none(pmr::null_memory_resource());
    try {
        (void)none.allocate(8);
    } catch (const std::bad_alloc &) {
        std::puts("no memory");
    }
}

static void print(const std::filesystem::path &path) {
    std::printf("%s:", path.c_str());
    for (const auto &part : path)
        std::printf(" %s", part.c_str());
    std::puts("");
}

static void paths() {
    std::filesystem::path path, name = "name", shorter = "/usr/lib", longer = "/a/directory/with/a/name/that/is/long/and/a/file.txt", none;
    path = name;
    print(path);
    path = longer;
    print(path);
    auto &same = path;
    path = same;
    print(path);
    path = shorter;
    print(path);
    path = none;
    print(path);
    path = longer;
    path /= shorter.filename();
    print(path);
    longer = path;
    print(longer);
    std::printf("%s %s\n", longer.extension().c_str(), longer.parent_path().filename().c_str());
}

int main() {
    arenas();
    paths();
    std::allocator<char> one, other(one);
    std::string text(20, 'x', other);
    std::printf("%s %d\n", text.c_str(), text.get_allocator() == one);
}
