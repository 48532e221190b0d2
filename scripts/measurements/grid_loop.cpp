// Random games of grid in plain C++: what scripts/measurements/bench compares the compiled kernel with.
//
// Reads 20 cards, eight numbers each in the order of catalog.card.ZONES, -1 where there is none, and the score; plays games
// 1 to the first argument under the seed in the second between two random players; prints the moves and points of all games
// together, which the kernel's must equal, and the processor
// seconds.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

struct Dice {
    uint64_t state;

    static uint64_t mix(uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

    uint64_t bits() { return mix(state += 0x9E3779B97F4A7C15u); }

    uint32_t below(uint32_t sides) {
        uint64_t product = (bits() >> 32) * sides;
        while (uint32_t(product) < (uint64_t(1) << 32) % sides) product = (bits() >> 32) * sides;
        return product >> 32;
    }

    static Dice fork(uint64_t seed, uint64_t number) { return {mix(mix(seed) + number * 0x9E3779B97F4A7C15u) >> 11}; }
};

struct Card {
    int numbers[8];
    int score;
};

struct Move {
    int source, target, zone, facing;
};

int main(int count, char **arguments) {
    if (count < 3) return 2;
    const long games = std::atol(arguments[1]);
    const uint64_t seed = std::strtoull(arguments[2], nullptr, 10);
    std::vector<Card> deck(20);
    for (Card &card : deck) {
        for (int &number : card.numbers)
            if (std::scanf("%d", &number) != 1) return 2;
        if (std::scanf("%d", &card.score) != 1) return 2;
    }
    // Zones row by row without the middle; moves sorted by the names of their cells, column before row.
    const int right[] = {-1, 0, 1, -1, 1, -1, 0, 1}, down[] = {-1, -1, -1, 0, 0, 1, 1, 1};
    std::vector<Move> moves;
    for (int source = 0; source < 9; source++)
        for (int target = 0; target < 9; target++)
            for (int zone = 0; zone < 8; zone++)
                if (source / 3 + right[zone] == target / 3 && source % 3 + down[zone] == target % 3)
                    moves.push_back({source % 3 * 3 + source / 3, target % 3 * 3 + target / 3, zone, 7 - zone});

    long plies = 0, points[2] = {0, 0};
    const std::clock_t start = std::clock();
    std::vector<int> legal;
    for (long game = 1; game <= games; game++) {
        Dice dice = Dice::fork(seed, game);
        std::vector<Card> cards = deck;
        for (int place = 0; place < 19; place++) std::swap(cards[place], cards[place + dice.below(20 - place)]);
        int seat = dice.below(2);
        const Card *grid[9];
        for (int cell = 0; cell < 9; cell++) grid[cell] = &cards[cell];
        int turned_up = 9;
        while (true) {
            legal.clear();
            for (int index = 0; index < int(moves.size()); index++) {
                const Move &move = moves[index];
                const Card *mover = grid[move.source], *other = grid[move.target];
                if (mover && other && mover->numbers[move.zone] > other->numbers[move.facing]) legal.push_back(index);
            }
            if (legal.empty()) break;
            const Move &move = moves[legal[dice.below(legal.size())]];
            points[seat] += grid[move.target]->score;
            grid[move.target] = grid[move.source];
            grid[move.source] = turned_up < 20 ? &cards[turned_up++] : nullptr;
            seat = 1 - seat;
            plies++;
        }
    }
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%ld %ld %ld %f\n", plies, points[0], points[1], seconds);
}
