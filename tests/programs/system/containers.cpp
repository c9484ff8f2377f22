// SPDX-License-Identifier: Apache-2.0
// Containers of the C++ library whose code is recorded in recipe's own words (src/stdcxx) do what they do natively: what is
// in them, in which order, in how many buckets, and trees are red-black ones after every step.
#include <cstdint>
#include <cstdio>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

static uint64_t state = 17;
static unsigned pick(unsigned below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

#ifdef __GLIBCXX__
// The height in black nodes; -1: it is no red-black tree.
static int height(std::_Rb_tree_node_base *n, std::_Rb_tree_node_base *parent) {
    if (!n)
        return 0;
    bool red = n->_M_color == std::_S_red;
    if (n->_M_parent != parent || (red && parent->_M_color == std::_S_red))
        return -1;
    int left = height(n->_M_left, n), right = height(n->_M_right, n);
    return left < 0 || left != right ? -1 : left + !red;
}

template <class Tree> static bool is_good(Tree &tree) {
    auto *header = const_cast<std::_Rb_tree_node_base *>(tree.end()._M_node), *root = header->_M_parent;
    if (!root)
        return header->_M_left == header && header->_M_right == header;
    auto *first = root, *last = root;
    while (first->_M_left)
        first = first->_M_left;
    while (last->_M_right)
        last = last->_M_right;
    if (root->_M_color != std::_S_black || header->_M_left != first || header->_M_right != last)
        return false;
    int left = height(root->_M_left, root), right = height(root->_M_right, root);
    return root->_M_parent == header && left >= 0 && left == right;
}
#else
template <class Tree> static bool is_good(Tree &) { return true; }
#endif

static bool trees() {
    std::map<int, int> map;
    std::multiset<int> set;
    for (int i = 0; i < 400; i++) {
        int key = (int)pick(60);
        if (pick(3) < 2)
            map[key] += i, set.insert(key);
        else {
            map.erase(key);
            auto found = set.find(key);
            if (found != set.end())
                set.erase(found);
        }
        if (!is_good(map) || !is_good(set))
            return false;
    }
    for (auto &entry : map)
        printf("%d:%d ", entry.first, entry.second);
    long sum = 0, place = 0;
    for (auto i = set.end(); i != set.begin();)
        sum += *--i * ++place;
    const auto &same = map;
    for (auto i = same.rbegin(); i != same.rend(); ++i)
        sum += i->first * ++place;
    printf("\n%ld %zu %zu\n", sum, map.size(), set.size());
    while (!map.empty()) {
        map.erase(pick(2) ? map.begin() : std::prev(map.end()));
        if (!is_good(map))
            return false;
    }
    map.emplace(1, 1);
    std::map<int, int> other{{2, 2}};
    other.merge(map);
    swap(map, other);
    auto node = map.extract(2);
    return node.mapped() == 2 && map.size() == 1 && other.empty() && is_good(map) && is_good(other);
}

static void show(const std::list<int> &list) {
    for (int n : list)
        printf("%d ", n);
    for (auto i = list.rbegin(); i != list.rend(); ++i)
        printf("%d ", *i);
    printf("(%zu)\n", list.size());
}

static void lists() {
    std::list<int> one{5, 1, 4}, other, third{9};
    show(one);
    swap(one, other);
    show(one), show(other);
    swap(one, third);
    show(one), show(third);
    swap(one, other);
    show(one), show(other);
    one.swap(one);
    one.splice(one.begin(), one, std::prev(one.end()));
    one.splice(one.end(), other);
    one.splice(one.begin(), one, one.begin());
    one.splice(one.begin(), one, std::next(one.begin()), one.end());
    show(one);
    for (int i = 0; i < 20; i++)
        one.insert(std::next(one.begin(), pick((unsigned)one.size())), (int)pick(30));
    one.reverse();
    show(one);
    one.sort();
    one.unique();
    one.remove_if([](int n) { return n % 3 == 0; });
    third.merge(one);
    third.reverse();
    show(third), show(one);
    one.reverse();
    show(one);
}

static void tables() {
    std::unordered_map<int, std::string> map;
    std::unordered_set<std::string> set;
    for (int i = 0; i < 300; i++) {
        map[(int)pick(1000)] += (char)('a' + i % 26);
        set.insert(std::to_string(pick(500)));
        if (i % 37 == 0)
            map.erase(map.begin()), printf("%zu %zu ", map.bucket_count(), set.bucket_count());
        if (i == 200)
            map.max_load_factor(3), set.max_load_factor(0.4f);
    }
    unsigned order = 0;
    for (auto &entry : map)
        order = order * 31 + (unsigned)entry.first;
    for (auto &text : set)
        order = order * 31 + (unsigned)text.size();
    std::unordered_set<int> reserved(100), copy = reserved, rows{1, 2, 3};
    reserved.reserve(1000);
    rows.insert({4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18});
    printf("%u %zu %zu %zu\n", order, reserved.bucket_count(), copy.bucket_count(), rows.bucket_count());
}

int main() {
    if (!trees())
        return 1;
    lists();
    tables();
    return 0;
}
