// SPDX-License-Identifier: Apache-2.0
// A document is copied before it is changed, unless its count of users says that nobody else has it. That count is no lock.
#include <memory>
#include <mutex>
#include <string>
#include <thread>

struct Document {
    std::string text = "a text of more than fifteen letters";
    int version = 0;
};

static std::mutex lock;
static std::shared_ptr<Document> document = std::make_shared<Document>();

static void edit() {
    std::lock_guard<std::mutex> held(lock);
    if (document.use_count() > 1)
        document = std::make_shared<Document>(*document);
    document->version++; // race 1
}

static int view() {
    std::unique_lock<std::mutex> held(lock);
    Document *mine = document.get(); // a user whom nobody counts
#ifndef TWIN
    held.unlock();
#endif
    return mine->version; // race 2
}

int main() {
    int seen = 0;
    std::thread viewer([&] { seen = view(); }), editor(edit);
    viewer.join();
    editor.join();
    return seen > 1 || document->version != 1;
}
