// Whole games of grid solved in plain C++: what scripts/measurements/bench compares the compiled solver with.
//
// Reads 20 cards in the order of the deck, eight numbers each in the order of catalog.card.ZONES, -1 where there is none, and the
// score; the first nine lie on the grid. Prints what the game is worth to who starts, how many positions were looked at, and
// the processor seconds; ends with status 3 if these come to more than the argument.
//
// Fail-soft alpha-beta over the whole window, the move of the table first, then what takes most; masks say which kinds take
// which; a table of a fixed number of places, 512 MB, under exact keys, in which what comes later takes the place of what was there.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

struct Card {
    int numbers[8];
    int score;

    bool operator==(const Card &other) const {
        return score == other.score && std::equal(numbers, numbers + 8, other.numbers);
    }
};

struct Move {
    int source, target, zone;
};

struct Entry {
    uint64_t key;
    int16_t low, high;
    int8_t move;
};

constexpr int SIZE = 20, GRID = 9, UNKNOWN = 30000;
constexpr uint64_t PLACES = uint64_t(1) << 25;

std::vector<Move> moves;
std::vector<Entry> table(PLACES);
int deck[SIZE + 1], score[SIZE + 1];
uint8_t takes[SIZE + 1][SIZE + 1];  // a bit for each zone with whose number one kind takes another
long nodes = 0;
std::clock_t end;

int search(uint64_t cells, int turned_up, int alpha, int beta) {
    if (++nodes % (1 << 16) == 0 && std::clock() > end) std::exit(3);
    const uint64_t key = cells << 5 | turned_up;
    Entry &entry = table[key * 0x9E3779B97F4A7C15u >> 39];
    const bool known = entry.key == key;
    int first = -1;
    if (known) {
        if (entry.low >= beta || entry.low == entry.high) return entry.low;
        if (entry.high <= alpha) return entry.high;
        alpha = std::max(alpha, int(entry.low));
        beta = std::min(beta, int(entry.high));
        first = entry.move;
    }
    int kinds[GRID], ordered[40], count = 0;
    for (int cell = 0; cell < GRID; cell++) kinds[cell] = cells >> 5 * cell & 31;
    for (int number = 0; number < int(moves.size()); number++) {
        const Move &move = moves[number];
        if (!(takes[kinds[move.source]][kinds[move.target]] >> move.zone & 1)) continue;
        const int promise = (number == first ? 1 << 20 : score[kinds[move.target]]) << 6 | number;
        int place = count++;
        for (; place && ordered[place - 1] < promise; place--) ordered[place] = ordered[place - 1];
        ordered[place] = promise;
    }
    if (!count) return 0;
    const int card = deck[turned_up], after = card ? turned_up + 1 : turned_up;
    int best = -UNKNOWN, chosen = 0, reached = alpha;
    for (int place = 0; place < count && best < beta; place++) {
        const Move &move = moves[ordered[place] & 63];
        const uint64_t mover = kinds[move.source], taken = kinds[move.target];
        const uint64_t following = (cells ^ (mover ^ taken) << 5 * move.target ^ (mover ^ card) << 5 * move.source);
        const int value = score[taken] - search(following, after, score[taken] - beta, score[taken] - reached);
        if (value > best) best = value, chosen = ordered[place] & 63;
        reached = std::max(reached, best);
    }
    const int low = known ? entry.low : -UNKNOWN, high = known ? entry.high : UNKNOWN;
    Entry &place = table[key * 0x9E3779B97F4A7C15u >> 39];
    const bool kept = place.key == key;
    place = {key, int16_t(kept ? place.low : low), int16_t(kept ? place.high : high), int8_t(chosen)};
    if (best > alpha) place.low = best;
    if (best < beta) place.high = best;
    return best;
}

int main(int count, char **arguments) {
    if (count < 2) return 2;
    std::vector<Card> kinds(1);
    for (int place = 0; place < SIZE; place++) {
        Card card;
        for (int &number : card.numbers)
            if (std::scanf("%d", &number) != 1) return 2;
        if (std::scanf("%d", &card.score) != 1) return 2;
        deck[place] = std::find(kinds.begin() + 1, kinds.end(), card) - kinds.begin();
        if (deck[place] == int(kinds.size())) kinds.push_back(card);
    }
    const int right[] = {-1, 0, 1, -1, 1, -1, 0, 1}, down[] = {-1, -1, -1, 0, 0, 1, 1, 1};
    for (int source = 0; source < GRID; source++)
        for (int target = 0; target < GRID; target++)
            for (int zone = 0; zone < 8; zone++)
                if (source % 3 + right[zone] == target % 3 && source / 3 + down[zone] == target / 3)
                    moves.push_back({source, target, zone});
    for (size_t one = 1; one < kinds.size(); one++) {
        score[one] = kinds[one].score;
        for (size_t other = 1; other < kinds.size(); other++)
            for (int zone = 0; zone < 8; zone++)
                takes[one][other] |= (kinds[one].numbers[zone] > kinds[other].numbers[7 - zone]) << zone;
    }
    uint64_t cells = 0;
    for (int cell = 0; cell < GRID; cell++) cells |= uint64_t(deck[cell]) << 5 * cell;
    const std::clock_t start = std::clock();
    end = start + std::clock_t(std::atof(arguments[1]) * CLOCKS_PER_SEC);
    const int value = search(cells, GRID, -UNKNOWN, UNKNOWN);
    std::printf("%d %ld %f\n", value, nodes, double(std::clock() - start) / CLOCKS_PER_SEC);
}
