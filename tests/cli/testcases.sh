#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Which case of a test program a race was found in: by the functions that gtest and Catch2 make of cases, whose names these
# programs have, too; by the command line of a process that runs one case; and, where gtest is there, of it itself.
. "$(dirname "$0")/lib.bash"
ulimit -v unlimited

# build_cases NAME [FLAGS…]: the C++ program on standard input.
build_cases() {
    local name=$1
    shift
    cat >"$name.cpp"
    "$RECIPE" c++ -g -O1 -pthread "$name.cpp" -o "$name" "$@" || fail "$name.cpp is not compiled"
}

# tests_are NAMES COMMAND…: of the races of a run, each once, in the alphabet
tests_are() {
    local want=$1 names
    shift
    rm -rf dir
    run 1 run --format json --report report -o dir "$@"
    names=$(jq -r '[.races[] | .test // "none"] | unique | join(" ")' report)
    [ "$names" = "$want" ] || fail "$*: found in '$names', not in '$want'"
    jq -r --slurpfile schema "$RECIPE_SOURCE_DIR/docs/report.schema.json" --argjson strict true \
        -f "$RECIPE_SOURCE_DIR/tests/cli/schema.jq" report >wrong
    silent wrong
}

build_cases like_gtest <<'CPP'
#include <thread>
static int direct, below, above, calm, across, late, outside;
template <class F> static void beside(F f) { std::thread t(f); t.join(); }
struct Test { virtual ~Test() = default; virtual void TestBody() = 0; };
struct Suite_Calm_Test : Test { void TestBody() override; };
void Suite_Calm_Test::TestBody() { beside([] { calm++; }); calm++; }
struct Suite_Direct_Test : Test { void TestBody() override; };
void Suite_Direct_Test::TestBody() { std::thread t([] { direct++; }); direct++; t.join(); }
namespace { // both threads are the case's, and neither has it in its stack; one of them is a thread's of it
struct Suite_Below_Test : Test { void TestBody() override; };
void Suite_Below_Test::TestBody() {
    std::thread t([] { std::thread u([] { below++; }); u.join(); }), v([] { below++; });
    t.join();
    v.join();
}
}
template <class T> struct Typed_Above_Test : Test { void TestBody() override; };
template <class T> void Typed_Above_Test<T>::TestBody() { std::thread t([] { above++; }); above++; t.join(); }
struct With_under_score_Test : Test { void TestBody() override; };
void With_under_score_Test::TestBody() { std::thread t([] { late++; }); late++; t.join(); }
static std::thread left; // one case leaves a thread behind, which meets another one
struct Leaves_One_Test : Test { void TestBody() override; };
void Leaves_One_Test::TestBody() { left = std::thread([] { across++; }); }
struct Meets_It_Test : Test { void TestBody() override; };
void Meets_It_Test::TestBody() { across++; left.join(); }
template <class T> static void go() { T test; static_cast<Test &>(test).TestBody(); }
int main() {
    go<Suite_Calm_Test>();
    go<Suite_Direct_Test>();
    go<Suite_Below_Test>();
    go<Typed_Above_Test<int>>();
    go<With_under_score_Test>();
    go<Leaves_One_Test>();
    go<Meets_It_Test>();
    std::thread t([] { outside++; });
    outside++;
    t.join();
}
CPP
tests_are "Leaves.One, Meets.It Suite.Below Suite.Direct Typed.Above With_under_score none" ./like_gtest
of() { jq -r "[.races[] | select(.variable | startswith(\"$1\")) | .test // \"none\"] | unique | join(\" \")" report; }
[ "$(of outside)" = none ] || fail "outside of all cases: $(of outside)"
[ "$(of below)" = Suite.Below ] || fail "below: $(of below)"
[ "$(of calm)" = "" ] || fail "calm is found"
run 1 report dir
says out "  In test: Suite.Direct" "  In test: Leaves.One, Meets.It"
run 1 report --format junit dir
says out 'classname="Suite.Below"' 'classname="./like_gtest"'
run 1 report --format html dir
says out '"test": "Suite.Below"'
# one case by the command line: the whole name, as only that knows it
tests_are "Some/Suite.All/0" ./like_gtest --gtest_color=no --gtest_filter=Some/Suite.All/0
for several in '*' Suite.A:Suite.B 'Suite.?' -Suite.A; do
    tests_are "Leaves.One, Meets.It Suite.Below Suite.Direct Typed.Above With_under_score none" ./like_gtest --gtest_filter="$several"
done

build_cases like_catch <<'CPP'
#include <thread>
static int three, two;
static void CATCH2_INTERNAL_TEST_0() { std::thread t([] { three++; }); three++; t.join(); }
static void ____C_A_T_C_H____T_E_S_T____4() { std::thread t([] { two++; }); two++; t.join(); }
int main() {
    CATCH2_INTERNAL_TEST_0();
    ____C_A_T_C_H____T_E_S_T____4();
}
CPP
tests_are "CATCH2_INTERNAL_TEST_0 of like_catch.cpp ____C_A_T_C_H____T_E_S_T____4 of like_catch.cpp" ./like_catch
tests_are "CATCH2_INTERNAL_TEST_0 of like_catch.cpp ____C_A_T_C_H____T_E_S_T____4 of like_catch.cpp" ./like_catch -r xml
tests_are "the queue grows" ./like_catch "the queue grows" -r xml
build plain <<'C'
#include <pthread.h>
static int x;
static void *f(void *p) { x++; return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    x++;
    return pthread_join(t, 0);
}
C
tests_are none ./plain "the queue grows"

# --- a whole suite by CTest: its names, and those of the cases within them ---
mkdir suite
cat >suite/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(suite NONE)
enable_testing()
add_test(NAME "adds $one" COMMAND "${CMAKE_SOURCE_DIR}/../plain" one)
add_test(NAME cases COMMAND "${CMAKE_SOURCE_DIR}/../like_catch")
add_test(NAME same COMMAND "${CMAKE_SOURCE_DIR}/../plain")
add_test(NAME again COMMAND "${CMAKE_SOURCE_DIR}/../plain")
CMAKE
(cd suite && cmake . >../out 2>&1) || fail "the suite is not configured: $(cat out)"
cd suite
tests_are 'adds $one cases: CATCH2_INTERNAL_TEST_0 of like_catch.cpp cases: ____C_A_T_C_H____T_E_S_T____4 of like_catch.cpp' \
    ctest -R 'adds|cases'
[ "$(jq -r .test dir/process.1/run.json)" = 'adds $one' ] || fail "run.json has another name"
run 1 report --format junit dir
says out 'classname="adds $one"' 'classname="cases: CATCH2'
tests_are none ctest -R 'same|again' # one command of two names
tests_are none ../plain one # not by CTest
cd ..

if [ -e /usr/include/gtest/gtest.h ]; then
    build_cases real -lgtest -lgtest_main <<'CPP'
#include <gtest/gtest.h>
#include <thread>
static int shared, calm;
TEST(Counter, Calm) { std::thread t([] { calm++; }); t.join(); EXPECT_EQ(++calm, 2); }
TEST(Counter, Races) { std::thread t([] { shared++; }), u([] { shared++; }); t.join(), u.join(); }
class Each : public ::testing::TestWithParam<int> {};
TEST_P(Each, Races) { std::thread t([] { shared++; }); shared++; t.join(); }
INSTANTIATE_TEST_SUITE_P(Some, Each, ::testing::Values(1));
CPP
    tests_are "Counter.Races Each.Races" ./real
    tests_are "Some/Each.Races/0" ./real --gtest_filter=Some/Each.Races/0
else
    echo "gtest is not here (tools/setup.sh gtest): it is not tried"
fi
