// SPDX-License-Identifier: Apache-2.0
// A player's name can be changed while the game runs. The getter locks, the setter does not.
#include <mutex>
#include <string>
#include <thread>

class Player {
  public:
    std::string name() const {
        std::lock_guard<std::mutex> held(lock);
        return name_; // race 1
    }
    void rename(const std::string &name) {
#ifdef TWIN
        std::lock_guard<std::mutex> held(lock);
#endif
        name_ = name; // race 2
    }
    void score(int points) {
        std::lock_guard<std::mutex> held(lock);
        points_ += points;
    }

  private:
    mutable std::mutex lock;
    std::string name_ = "nobody";
    int points_ = 0;
};

int main() {
    Player player;
    std::thread game([&] {
        player.score(10);
        if (player.name().size() != 6)
            player.score(-1);
        player.score(5);
    });
    std::thread menu([&] {
        player.score(1);
        player.rename("sirius");
    });
    game.join();
    menu.join();
    return player.name() != "sirius";
}
