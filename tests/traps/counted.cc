// SPDX-License-Identifier: Apache-2.0
// The library counts who has the text of an exception, and who has a locale with its facets. Who lets go of one last frees it:
// after all that the others have done with it. In the twin a thread writes, after it has let go, what the facet looks at when it
// ends.
// twin: seen
#include <cstdio>
#include <locale>
#include <memory>
#include <pthread.h>
#include <sstream>
#include <stdexcept>

static int seen[2], sum, letters[2];

struct comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    ~comma() override { sum = seen[0] + seen[1]; }
};

struct job {
    int number;
    std::runtime_error error;
    std::locale locale;
};

static void *work(void *arg) {
    std::unique_ptr<job> own(static_cast<job *>(arg));
    const int number = own->number;
    letters[number] = own->error.what()[0];
    {
        std::ostringstream out;
        out.imbue(own->locale);
        out << 1.5;
        seen[number] = out.str()[1] == ',';
    }
    own.reset();
#ifdef TWIN
    seen[number] = 3;
#endif
    return nullptr;
}

int main() {
    pthread_t threads[2];
    {
        std::runtime_error error("text that is counted");
        std::locale locale(std::locale::classic(), new comma);
        for (int i = 0; i < 2; i++) {
            job *one = new job{i, error, locale};
            pthread_create(&threads[i], nullptr, work, one);
        }
    }
    for (pthread_t thread : threads)
        pthread_join(thread, nullptr);
    std::printf("%d %c\n", sum, letters[0]);
    return 0;
}
