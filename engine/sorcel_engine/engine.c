/* The engine of Sorcel for the standard board: rules, values, search.

   Loaded by `sorcel_pi.engine.native` with ctypes; `sorcel_pi/engine/search.py` is the same search in
   Python, action for action and node for node, and the tests hold the two side by side.  Spaces are
   numbered as there: 0 to 60 by rows from a, west to east, so a set of spaces is one 64-bit word.

   Nothing is printed, no file is opened, no clock is read: who wants to stop a search sets `stop`. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif

typedef uint64_t u64;

enum { ABI = 1, SIDE = 5, N = 61, OFF = 61, MAX_ACTIONS = 128, MAX_PLY = 96, MAX_QUEUE = 10000 };
enum { LIGHT_SENTINEL, LIGHT_SHIF, DARK_SENTINEL, DARK_SHIF };

/* An action is origin + 64 * target; these stand for an origin where it is no step. */
enum { PLACE = 61, END = 62, PASS = 63 };

#define BIT(k) (1ULL << (k))
#define COUNT(m) __builtin_popcountll(m)
#define LOWEST(m) __builtin_ctzll(m)
#define FOR_EACH(k, m) \
  for (u64 rest_##k = (m); rest_##k; rest_##k &= rest_##k - 1) for (int k = LOWEST(rest_##k), once_##k = 1; once_##k; once_##k = 0)

typedef struct {
  u64 pieces[4];
  int32_t coins[4]; /* purse of Light, purse of Dark, pot, stake; without a pot all 0 */
  uint8_t side, left, made, loser; /* loser: 0 or 1, 2 for nobody */
  u64 key;
} Position;

typedef struct {
  int32_t shifs, detained, placement_pushes, early_end, pot;
} Rules;

/* -- geometry: made once --------------------------------------------------------------------------- */

static const int DQ[6] = {1, 0, -1, -1, 0, 1}, DR[6] = {0, 1, 1, 0, -1, -1}; /* clockwise from east */
static const signed char HOLE_QR[9][2] = {{0, 0}, {-4, 2}, {2, 2}, {-2, -2}, {4, -2}, {-2, 1}, {1, 1}, {-1, -1}, {2, -1}};

static unsigned char next_to[N][6], heading_of[N][N], distance[N][N];
static u64 adjacent[N], near2[N], ray_bit[N][6], HEXES, HOLES;
static u64 z_piece[4][N], z_side, z_left[128], z_made;
static int is_ready;

static u64 mixed(u64 x) { /* splitmix64 */
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ x >> 27) * 0x94D049BB133111EBULL;
  return x ^ x >> 31;
}

static void make_tables(void) {
  int at[9][9], q[N], r[N], n = 0;
  u64 seed = 1;
  memset(at, -1, sizeof at);
  for (int row = SIDE - 1; row > -SIDE; row--)
    for (int column = -4; column <= 4; column++)
      if (abs(column + row) <= 4) at[column + 4][row + 4] = n, q[n] = column, r[n] = row, n++;
  for (int i = 0; i < 9; i++) HOLES |= BIT(at[HOLE_QR[i][0] + 4][HOLE_QR[i][1] + 4]);
  HEXES = (BIT(N) - 1) & ~HOLES;
  for (int k = 0; k < N; k++)
    for (int d = 0; d < 6; d++) {
      int a = q[k] + DQ[d], b = r[k] + DR[d], other = abs(a) > 4 || abs(b) > 4 ? -1 : at[a + 4][b + 4];
      next_to[k][d] = other < 0 ? OFF : other;
      if (other < 0) continue;
      adjacent[k] |= ray_bit[k][d] = BIT(other);
      heading_of[k][other] = d;
    }
  for (int a = 0; a < N; a++)
    for (int b = 0; b < N; b++) {
      int dq = abs(q[a] - q[b]), dr = abs(r[a] - r[b]), ds = abs(q[a] + r[a] - q[b] - r[b]);
      int most = dq > dr ? dq : dr;
      distance[a][b] = ds > most ? ds : most;
      if (a != b && distance[a][b] <= 2) near2[a] |= BIT(b);
    }
  for (int piece = 0; piece < 4; piece++)
    for (int k = 0; k < N; k++) z_piece[piece][k] = mixed(seed++);
  z_side = mixed(seed++), z_made = mixed(seed++);
  for (int i = 0; i < 128; i++) z_left[i] = mixed(seed++);
  is_ready = 1;
}

static inline u64 around(u64 spaces) {
  u64 all = 0;
  for (; spaces; spaces &= spaces - 1) all |= adjacent[LOWEST(spaces)];
  return all;
}

static inline u64 linked(u64 anchors, u64 others) { /* those of `others` that a chain links to `anchors` */
  u64 front = anchors, left = others;
  while (front && left) {
    u64 reach = 0;
    for (; front; front &= front - 1) reach |= near2[LOWEST(front)];
    front = reach & left;
    left ^= front;
  }
  return others ^ left;
}

/* -- rules ----------------------------------------------------------------------------------------- */

static inline u64 in_play(const Position *p, int side) {
  return (p->pieces[2 * side] | p->pieces[2 * side + 1]) & HEXES;
}
static inline u64 occupied(const Position *p) {
  return p->pieces[0] | p->pieces[1] | p->pieces[2] | p->pieces[3];
}

static u64 key_of(const Position *p) {
  u64 key = z_left[p->left & 127] ^ (p->side ? z_side : 0) ^ (p->made ? z_made : 0);
  for (int piece = 0; piece < 4; piece++) FOR_EACH(k, p->pieces[piece]) key ^= z_piece[piece][k];
  if (p->coins[3]) key ^= mixed((u64)p->coins[0] << 40 ^ (u64)p->coins[1] << 20 ^ (u64)p->coins[3]);
  return key;
}

/* What piece keys change is worked out from the masks that differ; most steps change two bits. */
static inline void rekey(const Position *before, Position *p) {
  u64 key = before->key ^ z_left[before->left & 127] ^ z_left[p->left & 127];
  for (int piece = 0; piece < 4; piece++) {
    u64 changed = before->pieces[piece] ^ p->pieces[piece];
    for (; changed; changed &= changed - 1) key ^= z_piece[piece][LOWEST(changed)];
  }
  if (before->side != p->side) key ^= z_side;
  if (!before->made != !p->made) key ^= z_made;
  p->key = key;
  if (p->coins[3]) p->key = key_of(p);
}

static int who_lost(const Rules *rules, const Position *p) {
  int lost[2];
  for (int side = 0; side < 2; side++) {
    u64 sentinels = p->pieces[2 * side], shifs = p->pieces[2 * side + 1];
    lost[side] = !(sentinels & HEXES) || COUNT((sentinels | shifs) & HOLES) >= rules->detained;
  }
  if (lost[0] && lost[1]) return p->side ^ 1;
  return lost[0] ? 0 : lost[1] ? 1 : 2;
}

static int can_step(const Position *p, int side) {
  return (around(in_play(p, side)) & HEXES & ~occupied(p)) != 0;
}

static u64 spots(const Rules *rules, const Position *p, int side) {
  if (COUNT(p->pieces[2 * side + 1]) >= rules->shifs) return 0;
  if (rules->pot && p->coins[side] < p->coins[3]) return 0;
  return around(p->pieces[2 * side] & HEXES) & HEXES & ~occupied(p);
}

static int can_begin(const Rules *rules, const Position *p, int side) {
  if ((p->pieces[2 * side + 1] & HEXES) && can_step(p, side)) return 1;
  return spots(rules, p, side) != 0;
}

/* The order is that of the Python search: steps by origin and target, then the end of the turn or
   placements by space, then the pass.  Nothing when the game is over. */
static int list_actions(const Rules *rules, const Position *p, int *actions) {
  int n = 0;
  if (p->loser != 2) return 0;
  u64 empty = HEXES & ~occupied(p);
  if (p->left)
    FOR_EACH(origin, in_play(p, p->side))
      FOR_EACH(target, adjacent[origin] & empty) actions[n++] = origin | target << 6;
  if (p->made) {
    if (p->left && rules->early_end) actions[n++] = END;
    return n;
  }
  FOR_EACH(space, spots(rules, p, p->side)) actions[n++] = PLACE | space << 6;
  if (!n && can_begin(rules, p, p->side ^ 1)) actions[n++] = PASS;
  return n;
}

typedef struct { u64 light, dark, tall; } Pushed;

/* Moves the unbroken line of pieces that begins next to `from` in direction `d` one space on, the
   farthest first; puts the spaces where pieces still in play arrive into `arrived`, nearest first. */
static int push_line(Pushed *b, int from, int d, unsigned char *arrived) {
  int line[2 * SIDE], length = 0, n = 0, space = next_to[from][d];
  u64 in_the_way = (b->light | b->dark) & HEXES;
  while (space != OFF && (in_the_way >> space & 1)) line[length++] = space, space = next_to[space][d];
  u64 place = space == OFF ? 0 : BIT(space);
  if (place & HOLES) b->light &= ~place, b->dark &= ~place, b->tall &= ~place;
  for (int i = 1; i < length; i++) arrived[n++] = line[i];
  if (place & HEXES) arrived[n++] = space;
  for (int i = length - 1; i >= 0; i--) {
    u64 stand = BIT(line[i]), swap = stand | place;
    if (b->light & stand) b->light ^= swap; else b->dark ^= swap;
    if (b->tall & stand) b->tall ^= swap;
    place = stand;
  }
  return n;
}

/* All pushes after a piece entered `space` with `heading`.  An entry of the queue counts while its
   space still holds the number of that entry.  Returns 0 when it does not come to rest. */
static int settle(Position *p, int space, int heading) {
  static const int SOME = 256;
  unsigned char spaces_[256], headings_[256], arrived[2 * SIDE];
  unsigned char *spaces = spaces_, *headings = headings_, *more = 0;
  int stamp[N + 1], n = 0, ok = 1;
  for (int k = 0; k <= N; k++) stamp[k] = -1;
  Pushed b = {p->pieces[0] | p->pieces[1], p->pieces[2] | p->pieces[3], p->pieces[0] | p->pieces[2]};
  spaces[0] = space, headings[0] = heading, stamp[space] = n++;
  for (int i = 0; i < n && ok; i++) {
    int at = spaces[i];
    if (stamp[at] != i) continue;
    u64 foes = adjacent[at] & HEXES & (b.light >> at & 1 ? b.dark : b.light);
    for (int turn = 0; foes && turn < 6; turn++) {
      int d = (headings[i] + turn) % 6;
      if (!(ray_bit[at][d] & foes)) continue;
      stamp[next_to[at][d]] = -1;
      int came = push_line(&b, at, d, arrived);
      if (!more && n + came > SOME) { /* a long one: no such cascade is known */
        more = malloc(2 * (MAX_QUEUE + 16));
        if (!more) { ok = 0; break; }
        memcpy(more, spaces_, n), memcpy(more + MAX_QUEUE + 16, headings_, n);
        spaces = more, headings = more + MAX_QUEUE + 16;
      }
      if (n + came > MAX_QUEUE) { ok = 0; break; }
      for (int j = 0; j < came; j++) spaces[n] = arrived[j], headings[n] = d, stamp[arrived[j]] = n, n++;
    }
  }
  free(more);
  p->pieces[0] = b.light & b.tall, p->pieces[1] = b.light & ~b.tall;
  p->pieces[2] = b.dark & b.tall, p->pieces[3] = b.dark & ~b.tall;
  return ok;
}

static void connect(Position *p) { /* the proximity rule */
  for (int side = 0; side < 2; side++) {
    u64 shifs = p->pieces[2 * side + 1] & HEXES;
    p->pieces[2 * side + 1] ^= shifs ^ linked(p->pieces[2 * side] & HEXES, shifs);
  }
}

static void next_turn(Position *p) {
  p->side ^= 1, p->made = 0;
  p->left = COUNT(p->pieces[2 * p->side + 1] & HEXES);
}

static void pay_out(const Rules *rules, Position *p) {
  if (rules->pot) p->coins[p->loser ^ 1] += p->coins[2], p->coins[2] = 0;
}

static void play(const Rules *rules, const Position *before, int action, Position *p) {
  int origin = action & 63, target = action >> 6 & 63, side = before->side;
  *p = *before;
  if (origin < PLACE) {
    u64 swap = BIT(origin) | BIT(target);
    p->pieces[2 * side + !(p->pieces[2 * side] >> origin & 1)] ^= swap;
    if (adjacent[target] & in_play(p, side ^ 1)) settle(p, target, heading_of[origin][target]);
    connect(p);
    p->left--, p->made++;
    p->loser = who_lost(rules, p);
    if (p->loser != 2) pay_out(rules, p);
    else if (!p->left || !can_step(p, side)) next_turn(p);
  } else if (origin == PLACE) {
    if (rules->pot) p->coins[side] -= p->coins[3], p->coins[2] += p->coins[3];
    p->pieces[2 * side + 1] |= BIT(target);
    if (rules->placement_pushes && (adjacent[target] & in_play(p, side ^ 1))) settle(p, target, 0);
    connect(p);
    p->loser = who_lost(rules, p);
    if (p->loser != 2) pay_out(rules, p);
    else next_turn(p);
  } else next_turn(p);
  rekey(before, p);
}

/* -- values ---------------------------------------------------------------------------------------- */

/* Places in the list of weights; the names are those of sorcel_pi/engine/values.py. */
enum {
  W_BOTH, W_DETAINED, W_SHIFS = W_DETAINED + 2, W_RESERVE = W_SHIFS + 7, W_STEPS, W_BEGIN, W_DEPENDENT,
  W_APART, W_SENTINEL_NOW = W_APART + 4, W_SENTINEL_LATER = W_SENTINEL_NOW + 2,
  W_SHIF_NOW = W_SENTINEL_LATER + 2, W_SHIF_LATER, W_SENTINEL_AT, W_SHIF_AT = W_SENTINEL_AT + N, WEIGHTS = W_SHIF_AT + N
};

typedef struct { /* what is known of the pieces of one side, whatever the other does */
  u64 sentinels, shifs;  /* whose */
  u64 sentinel_danger, shif_danger; /* where a foe that enters pushes a piece out of play */
  u64 reach1, reach2; /* what its pieces can come to in one and in two steps */
  int value, known;
} Side;

enum { SIDE_BITS = 13, WIN = 30000, INFINITE = 32000 };
enum { EXACT, AT_LEAST, AT_MOST };
enum { TRIED_SIZE = 1 << 14 };

typedef struct { u64 key; int16_t score, depth; uint16_t action; uint8_t bound, generation; } Entry;

typedef struct {
  Rules rules;
  int32_t w[WEIGHTS];
  Side sides[2][1 << SIDE_BITS];
  Entry *table;
  u64 buckets;
  int generation;
  /* one think */
  Position root;
  u64 seed, limit, nodes, solve, tried[TRIED_SIZE];
  int noise, blind, penalty;
  volatile int32_t stop;
  int stopped;
  u64 *past;
  int past_count;
  u64 path[MAX_PLY + 2];
  int history[2][64 * 64], killers[MAX_PLY + 2][2];
  int line[MAX_PLY + 2][MAX_PLY + 2], line_length[MAX_PLY + 2];
} Engine;

static int noise_of(const Engine *e, int side, u64 sentinels, u64 shifs) {
  u64 h = (sentinels * 0x9E3779B97F4A7C15ULL) ^ (shifs * 0xC2B2AE3D27D4EB4FULL) ^ e->seed ^ (u64)side << 63;
  h = mixed(h);
  return ((int)(h & 1023) + (int)(h >> 10 & 1023) + (int)(h >> 20 & 1023) - 1535) * e->noise / 512;
}

static void know(const Engine *e, int side, Side *s) {
  const int32_t *w = e->w;
  u64 tall = s->sentinels & HEXES, small = s->shifs & HEXES;
  int held = COUNT((s->sentinels | s->shifs) & HOLES), count = COUNT(small), left = e->rules.detained - held;
  int value = COUNT(tall) == 2 ? w[W_BOTH] : 0;
  if (held && (left == 1 || left == 2)) value += w[W_DETAINED + 2 - left];
  value += count <= 6 ? w[W_SHIFS + count] : w[W_SHIFS + 6] + (count - 6) * (w[W_SHIFS + 6] - w[W_SHIFS + 5]);
  value += w[W_RESERVE] * (e->rules.shifs - COUNT(s->shifs));
  s->sentinel_danger = s->shif_danger = 0;
  FOR_EACH(k, tall) {
    value += w[W_SENTINEL_AT + (side ? N - 1 - k : k)];
    value += w[W_DEPENDENT] * COUNT(small ^ linked(tall ^ BIT(k), small));
    for (int d = 0; d < 6; d++) {
      int onto = next_to[k][d], from = next_to[k][(d + 3) % 6];
      if (from != OFF && (onto == OFF || (HOLES >> onto & 1))) s->sentinel_danger |= BIT(from);
    }
  }
  if (COUNT(tall) == 2) {
    int a = LOWEST(tall), b = LOWEST(tall & (tall - 1)), apart = (distance[a][b] - 1) / 2;
    value += w[W_APART + (apart > 3 ? 3 : apart)];
  }
  FOR_EACH(k, small) {
    value += w[W_SHIF_AT + (side ? N - 1 - k : k)];
    for (int d = 0; d < 6; d++) {
      int onto = next_to[k][d], from = next_to[k][(d + 3) % 6];
      if (from != OFF && onto != OFF && (HOLES >> onto & 1)) s->shif_danger |= BIT(from);
    }
  }
  s->reach1 = around(tall | small);
  s->reach2 = s->reach1 | around(s->reach1);
  s->value = value + (e->noise ? noise_of(e, side, s->sentinels, s->shifs) : 0);
  s->known = 1;
}

static inline const Side *side_of(Engine *e, int side, u64 sentinels, u64 shifs) {
  u64 h = (sentinels * 0x9E3779B97F4A7C15ULL ^ shifs * 0xC2B2AE3D27D4EB4FULL);
  Side *s = &e->sides[side][(h ^ h >> 29) >> (64 - SIDE_BITS - 20) & ((1 << SIDE_BITS) - 1)];
  if (!s->known || s->sentinels != sentinels || s->shifs != shifs) {
    s->sentinels = sentinels, s->shifs = shifs;
    know(e, side, s);
  }
  return s;
}

static int value_of(Engine *e, const Position *p) { /* for the side to act */
  const int32_t *w = e->w;
  int me = p->side, you = me ^ 1;
  const Side *mine = side_of(e, me, p->pieces[2 * me], p->pieces[2 * me + 1]);
  const Side *yours = side_of(e, you, p->pieces[2 * you], p->pieces[2 * you + 1]);
  u64 empty = HEXES & ~occupied(p);
  u64 near_me = mine->reach1 & empty, far_me = mine->reach2 & empty;
  u64 near_you = yours->reach1 & empty, far_you = yours->reach2 & empty;
  int v = mine->value - yours->value;
  v += COUNT(yours->sentinel_danger & near_me) * w[W_SENTINEL_NOW];
  v += COUNT(yours->sentinel_danger & far_me) * w[W_SENTINEL_NOW + 1];
  v += COUNT(yours->shif_danger & near_me) * w[W_SHIF_NOW];
  v -= COUNT(mine->sentinel_danger & near_you) * w[W_SENTINEL_LATER];
  v -= COUNT(mine->sentinel_danger & far_you) * w[W_SENTINEL_LATER + 1];
  v -= COUNT(mine->shif_danger & near_you) * w[W_SHIF_LATER];
  return v + (p->made ? w[W_STEPS] * p->left : w[W_BEGIN]);
}

/* -- search ---------------------------------------------------------------------------------------- */

/* What a capture takes from `side`: a Sentinel out of play counts most, a detained piece next. */
static inline int material(const Position *p, int side) {
  u64 sentinels = p->pieces[2 * side], shifs = p->pieces[2 * side + 1];
  return 8 * COUNT(sentinels & HEXES) - 4 * COUNT((sentinels | shifs) & HOLES) + COUNT(shifs & HEXES);
}

static inline int lost_or_won(const Position *p, int ply) { return p->loser == p->side ? ply - WIN : WIN - ply; }

static int quiesce(Engine *e, const Position *p, int alpha, int beta, int ply, int more) {
  e->nodes++;
  if (p->loser != 2) return lost_or_won(p, ply);
  int best = value_of(e, p), side = p->side;
  if (best >= beta || more <= 0 || ply >= MAX_PLY) return best;
  if (best > alpha) alpha = best;
  u64 hot = around(in_play(p, side ^ 1)) & HEXES & ~occupied(p);
  if (!hot) return best;
  int before = material(p, side ^ 1);
  Position child;
  FOR_EACH(origin, in_play(p, side))
    FOR_EACH(target, adjacent[origin] & hot) {
      play(&e->rules, p, origin | target << 6, &child);
      if (material(&child, side ^ 1) >= before) { e->nodes++; continue; }
      int v = child.side == side ? quiesce(e, &child, alpha, beta, ply + 1, more - 1)
                                 : -quiesce(e, &child, -beta, -alpha, ply + 1, 0);
      if (v > best) {
        best = v;
        if (v > alpha) alpha = v;
        if (v >= beta) return best;
      }
    }
  return best;
}

static Entry *bucket_of(const Engine *e, u64 key) { return &e->table[4 * (key % e->buckets)]; }

static const Entry *look_up(const Engine *e, u64 key) {
  const Entry *entry = bucket_of(e, key);
  for (int i = 0; i < 4; i++)
    if (entry[i].key == key && entry[i].generation) return &entry[i];
  return 0;
}

static void store(Engine *e, u64 key, int score, int depth, int bound, int action) {
  Entry *entry = bucket_of(e, key), *slot = 0;
  int least = 1 << 20;
  for (int i = 0; i < 4; i++) {
    if (entry[i].key == key || !entry[i].generation) { slot = &entry[i]; break; }
    int worth = entry[i].depth + (entry[i].generation == e->generation ? 256 : 0);
    if (worth < least) least = worth, slot = &entry[i];
  }
  *slot = (Entry){key, score, depth, action, bound, e->generation};
}

static int was_there(const Engine *e, u64 key, int ply) {
  for (int i = ply - 1; i >= 0; i--) if (e->path[i] == key) return 1;
  for (int i = 0; i < e->past_count; i++) if (e->past[i] == key) return 1;
  return 0;
}

static int search(Engine *e, const Position *p, int alpha, int beta, int depth, int ply);

static inline int below(Engine *e, const Position *child, int same, int alpha, int beta, int depth, int ply) {
  return same ? search(e, child, alpha, beta, depth, ply) : -search(e, child, -beta, -alpha, depth, ply);
}

static int rank_of(const Engine *e, const Position *p, int action, int known, int ply, u64 hot) {
  int origin = action & 63, target = action >> 6;
  if (action == known) return 1 << 30;
  if (origin == END) return p->left == 1 ? 2000 : 1 << 19;
  if (origin == PLACE) return 1 << 18;
  if (origin == PASS) return 0;
  int rank = e->history[p->side][action] + (hot >> target & 1 ? 1 << 20 : 0);
  return rank + (action == e->killers[ply][0] ? 1 << 22 : action == e->killers[ply][1] ? 1 << 21 : 0);
}

static void sort_actions(int *actions, int *ranks, int n) { /* falling, stable */
  for (int i = 1; i < n; i++) {
    int action = actions[i], rank = ranks[i], j = i;
    for (; j && ranks[j - 1] < rank; j--) actions[j] = actions[j - 1], ranks[j] = ranks[j - 1];
    actions[j] = action, ranks[j] = rank;
  }
}

static void remember_good(Engine *e, int side, int action, int depth, int ply) {
  if ((action & 63) < PLACE) {
    int *h = &e->history[side][action];
    *h += depth * depth;
    if (*h > 1 << 18) for (int i = 0; i < 64 * 64; i++) e->history[side][i] >>= 1;
  }
  if (action != e->killers[ply][0]) e->killers[ply][1] = e->killers[ply][0], e->killers[ply][0] = action;
}

static void remember_line(Engine *e, int action, int ply) {
  int n = e->line_length[ply + 1];
  e->line[ply][0] = action;
  memcpy(&e->line[ply][1], e->line[ply + 1], n * sizeof(int));
  e->line_length[ply] = n + 1;
}

static int search(Engine *e, const Position *p, int alpha, int beta, int depth, int ply) {
  e->line_length[ply] = 0;
  int side = p->side;
  if (e->blind && side != e->root.side) return quiesce(e, p, alpha, beta, ply, 0);
  if (depth <= 0 || ply >= MAX_PLY || p->loser != 2)
    return quiesce(e, p, alpha, beta, ply, p->left < 4 ? p->left : 4);
  e->nodes++;
  if (e->nodes >= e->limit || e->stop) { e->stopped = 1; return 0; }
  e->path[ply] = p->made ? 0 : p->key;
  if (ply && !p->made && was_there(e, p->key, ply)) return 0;
  int known = -1, wide = beta - alpha > 1, floor = alpha;
  const Entry *entry = look_up(e, p->key);
  if (entry) {
    int v = entry->score;
    known = entry->action;
    if (v > WIN - 500) v -= ply; else if (v < 500 - WIN) v += ply;
    if (!wide && entry->depth >= depth &&
        (entry->bound == EXACT || (entry->bound == AT_LEAST ? v >= beta : v <= alpha))) return v;
  }
  u64 hot = around(in_play(p, side ^ 1));
  int actions[MAX_ACTIONS], ranks[MAX_ACTIONS], n = list_actions(&e->rules, p, actions);
  if (!n) return 0; /* blocked */
  for (int i = 0; i < n; i++) ranks[i] = rank_of(e, p, actions[i], known, ply, hot);
  sort_actions(actions, ranks, n);
  int best = -INFINITE, chosen = actions[0], left = p->left;
  Position child;
  for (int i = 0; i < n; i++) {
    int action = actions[i], origin = action & 63, v, less = 0;
    int toll = !ply && origin == PLACE ? e->penalty : 0;
    int quiet = origin < PLACE && !(hot >> (action >> 6) & 1);
    play(&e->rules, p, action, &child);
    int deep = depth - (origin < PLACE ? 1 : origin == PLACE ? (left > 2 ? left : 2) : left > 1 ? left : 1);
    if (i >= 4 && depth >= 2) {
      less = quiet ? (i >= 12 ? 2 : 1) : i >= 12;
      if (wide && less > 1) less = 1;
    }
    int same = child.side == side, low = alpha + toll, high = beta + toll;
    if (!i) v = below(e, &child, same, low, high, deep, ply + 1);
    else {
      v = below(e, &child, same, low, low + 1, deep - less, ply + 1);
      if (less && v > low && !e->stopped) v = below(e, &child, same, low, low + 1, deep, ply + 1);
      if (v > low && v < high && !e->stopped && high - low > 1) v = below(e, &child, same, low, high, deep, ply + 1);
    }
    if (e->stopped) return best;
    v -= toll;
    if (v > best) {
      best = v, chosen = action;
      if (v > alpha) { alpha = v; remember_line(e, action, ply); }
      if (v >= beta) { remember_good(e, side, action, depth, ply); break; }
    }
  }
  int v = best > WIN - 500 ? best + ply : best < 500 - WIN ? best - ply : best;
  store(e, p->key, v, depth, best >= beta ? AT_LEAST : best <= floor ? AT_MOST : EXACT, chosen);
  return best;
}

/* -- a win in this turn ---------------------------------------------------------------------------- */

/* Tries turns made of walks: a piece goes over hexes beside no foe until it comes to one beside a foe,
   and so on with the same or another piece.  Of other quiet steps, which only help, there are at most
   so many.  Most wins have none, and a turn of five steps then takes some hundred nodes instead of a
   hundred thousand. */

enum { MAX_WALK = 64 };
typedef struct { Position p; int at, from; } Walk;

static int is_new(Engine *e, u64 key) { /* whether this position was not tried yet; full is "yes" */
  for (u64 i = key & (TRIED_SIZE - 1), n = 0; n < 64; n++, i = (i + 1) & (TRIED_SIZE - 1)) {
    if (e->tried[i] == key) return 0;
    if (!e->tried[i]) { e->tried[i] = key; return 1; }
  }
  return 1;
}

static int win_by_walks(Engine *e, const Position *p, int steps, int helpers, int ply);

/* The walks of the piece on `origin`: returns the length of the win from `ply` on, 0 if there is none. */
static int walks_of(Engine *e, const Position *p, int origin, int steps, int helpers, int ply) {
  Walk walk[MAX_WALK];
  int head = 0, tail = 0, side = p->side;
  u64 seen = BIT(origin), hot = around(in_play(p, side ^ 1)); /* walking moves no foe */
  unsigned char depth[MAX_WALK];
  walk[0].p = *p, walk[0].at = origin, walk[0].from = -1, depth[tail++] = 0;
  for (; head < tail; head++) {
    const Walk *w = &walk[head];
    int d = depth[head] + 1;
    u64 free_ = HEXES & ~occupied(&w->p);
    FOR_EACH(target, adjacent[w->at] & free_) {
      int is_hot = hot >> target & 1;
      if (!is_hot && (d >= steps || (seen >> target & 1) || tail >= MAX_WALK)) continue;
      Position child;
      if (++e->nodes >= e->solve || e->stop) { e->stopped = 1; return 0; }
      play(&e->rules, &w->p, w->at | target << 6, &child);
      int more = 0;
      if (is_hot && child.loser == 2 && child.side == side && d < steps && is_new(e, child.key + helpers))
        more = win_by_walks(e, &child, steps - d, helpers, ply + d);
      if (e->stopped) return 0;
      if (more || child.loser == (side ^ 1)) {
        int last = ply + d - 1;
        e->line[0][last] = w->at | target << 6;
        for (int i = head; walk[i].from >= 0; i = walk[i].from)
          e->line[0][--last] = walk[walk[i].from].at | walk[i].at << 6;
        return d + more;
      }
      if (!is_hot && child.loser == 2 && child.side == side && (in_play(&child, side) >> target & 1)) {
        seen |= BIT(target);
        walk[tail].p = child, walk[tail].at = target, walk[tail].from = head, depth[tail++] = d;
      }
    }
  }
  return 0;
}

/* Quiet steps of any piece, and what wins after one. */
static int helped(Engine *e, const Position *p, int steps, int helpers, int ply) {
  int side = p->side;
  u64 cold = HEXES & ~occupied(p) & ~around(in_play(p, side ^ 1));
  FOR_EACH(origin, in_play(p, side))
    FOR_EACH(target, adjacent[origin] & cold) {
      Position child;
      if (++e->nodes >= e->solve || e->stop) { e->stopped = 1; return 0; }
      play(&e->rules, p, origin | target << 6, &child);
      if (child.loser != 2 || child.side != side || !is_new(e, child.key + helpers - 1)) continue;
      int length = win_by_walks(e, &child, steps - 1, helpers - 1, ply + 1);
      if (e->stopped) return 0;
      if (length) { e->line[0][ply] = origin | target << 6; return length + 1; }
    }
  return 0;
}

static int win_by_walks(Engine *e, const Position *p, int steps, int helpers, int ply) {
  FOR_EACH(origin, in_play(p, p->side)) {
    int length = walks_of(e, p, origin, steps, helpers, ply);
    if (length || e->stopped) return length;
  }
  return helpers && steps > 1 ? helped(e, p, steps, helpers, ply) : 0;
}

/* -- for ctypes ------------------------------------------------------------------------------------ */

API int32_t sorcel_abi(void) { return ABI; }
API int32_t sorcel_weights(void) { return WEIGHTS; }

/* Returns a new engine with a table of 2^bits entries, or null when there is no memory for it. */
API Engine *sorcel_new(int32_t bits, const Rules *rules, const int32_t *weights) {
  if (!is_ready) make_tables();
  Engine *e = calloc(1, sizeof *e);
  if (!e) return 0;
  e->buckets = 1ULL << (bits - 2);
  e->table = calloc(4 * e->buckets, sizeof(Entry));
  if (!e->table) { free(e); return 0; }
  e->rules = *rules;
  memcpy(e->w, weights, sizeof e->w);
  return e;
}

API void sorcel_free(Engine *e) { free(e->past), free(e->table), free(e); }

API void sorcel_forget(Engine *e) {
  memset(e->table, 0, 4 * e->buckets * sizeof(Entry));
  memset(e->history, 0, sizeof e->history);
  e->generation = 0;
}

API void sorcel_stop(Engine *e) { e->stop = 1; }
API u64 sorcel_nodes(const Engine *e) { return e->nodes; }

static void complete(const Engine *e, Position *p) { p->loser = who_lost(&e->rules, p), p->key = key_of(p); }

/* Begins a think.  `past` are turn starts that count as draws when they come again. */
API int32_t sorcel_begin(Engine *e, const Position *root, const Position *past, int32_t past_count, u64 limit,
                         int32_t noise, u64 seed, int32_t blind, int32_t penalty) {
  e->root = *root;
  complete(e, &e->root);
  u64 *keys = malloc((past_count + 1) * sizeof *keys);
  if (!keys) return 0;
  for (int i = 0; i < past_count; i++) { Position p = past[i]; complete(e, &p), keys[i] = p.key; }
  free(e->past), e->past = keys, e->past_count = past_count;
  if (noise || e->noise) { memset(e->sides, 0, sizeof e->sides); }
  e->noise = noise, e->seed = seed, e->blind = blind, e->penalty = penalty;
  e->limit = limit, e->nodes = 0, e->stop = 0, e->stopped = 0;
  e->generation = e->generation % 255 + 1;
  memset(e->killers, -1, sizeof e->killers);
  for (int side = 0; side < 2; side++) for (int i = 0; i < 64 * 64; i++) e->history[side][i] >>= 2;
  return 1;
}

/* Looks for a win in the turn with at most `budget` nodes; writes it as `sorcel_deepen` does a line
   and returns its length, 0 if none was found. */
API int32_t sorcel_win(Engine *e, u64 budget, int32_t *line) {
  int length = 0;
  e->solve = budget;
  for (int helpers = 0; helpers < 3 && helpers < e->root.left && !length; helpers++)
    for (int steps = helpers + 1; steps <= e->root.left && !length && !e->stopped; steps++) {
      memset(e->tried, 0, sizeof e->tried);
      length = win_by_walks(e, &e->root, steps, helpers, 0);
    }
  if (!e->stop) e->stopped = 0;
  for (int i = 0; i < length; i++) line[i] = e->line[0][i];
  return length;
}

/* Searches to `depth`.  Writes the best line (up to 96 actions, its length into `length`, 0 if nothing
   was found before the stop) and the score; returns whether the depth was finished. */
API int32_t sorcel_deepen(Engine *e, int32_t depth, int32_t *line, int32_t *length, int32_t *score) {
  int v = search(e, &e->root, -INFINITE, INFINITE, depth, 0);
  *length = e->line_length[0];
  for (int i = 0; i < *length; i++) line[i] = e->line[0][i];
  *score = e->stopped && !*length ? -INFINITE : v;
  return !e->stopped;
}

API int32_t sorcel_value(Engine *e, const Position *p) { Position q = *p; complete(e, &q); return value_of(e, &q); }

/* The rules alone, for comparing them. */
API int32_t sorcel_actions(const Engine *e, const Position *p, int32_t *actions) {
  int list[MAX_ACTIONS];
  Position q = *p;
  complete(e, &q);
  int n = list_actions(&e->rules, &q, list);
  for (int i = 0; i < n; i++) actions[i] = list[i];
  return n;
}

API void sorcel_play(const Engine *e, const Position *p, int32_t action, Position *after) {
  Position q = *p;
  complete(e, &q);
  play(&e->rules, &q, action, after);
}

static u64 leaves(const Rules *rules, const Position *p, int depth) {
  int actions[MAX_ACTIONS], n;
  u64 sum = 0;
  Position child;
  if (!depth) return 1;
  n = list_actions(rules, p, actions);
  for (int i = 0; i < n; i++) { play(rules, p, actions[i], &child); sum += leaves(rules, &child, depth - 1); }
  return sum;
}

API u64 sorcel_perft(const Engine *e, const Position *p, int32_t depth) { /* every leaf is played */
  Position q = *p;
  complete(e, &q);
  return leaves(&e->rules, &q, depth);
}

/* -- all ends of a turn that win ------------------------------------------------------------------- */

enum { MOST_SEEN = 1 << 18 };
typedef struct { Position *rows; u64 size, count; } Set;

static int add(Set *s, const Position *p) { /* 1 new, 0 there already, -1 full */
  u64 i = p->key & (s->size - 1);
  for (; s->rows[i].key; i = (i + 1) & (s->size - 1)) if (s->rows[i].key == p->key) return 0;
  if (s->count >= s->size / 2) return -1;
  s->rows[i] = *p, s->count++;
  return 1;
}

/* Returns how many different layouts of pieces win for the side to act in this very turn (at most
   `most` are looked for), with the fewest actions that lead to one in `fewest`; -1 without memory or
   when the turn has more than a quarter of a million positions. */
API int32_t sorcel_wins(const Engine *e, const Position *p, int32_t most, int32_t *fewest) {
  Set seen = {calloc(2 * MOST_SEEN, sizeof(Position)), 2 * MOST_SEEN, 0};
  u64 *won = malloc((most + 1) * sizeof *won), head = 0, tail = 0, *queue = malloc(MOST_SEEN * sizeof *queue);
  unsigned char *plies = malloc(MOST_SEEN);
  int n = 0, actions[MAX_ACTIONS];
  Position q = *p, child;
  complete(e, &q);
  *fewest = 0;
  if (!seen.rows || !won || !queue || !plies) { n = -1; goto done; }
  add(&seen, &q);
  plies[tail] = 0, queue[tail++] = q.key;
  while (head < tail && n < most) {
    u64 i = queue[head] & (seen.size - 1);
    int ply = plies[head++];
    while (seen.rows[i].key != queue[head - 1]) i = (i + 1) & (seen.size - 1);
    Position here = seen.rows[i];
    int count = list_actions(&e->rules, &here, actions);
    for (int a = 0; a < count && n < most; a++) {
      play(&e->rules, &here, actions[a], &child);
      if (child.loser == (q.side ^ 1)) {
        u64 layout = 0;
        for (int piece = 0; piece < 4; piece++) layout = mixed(layout ^ child.pieces[piece]);
        int known = 0;
        for (int k = 0; k < n; k++) known |= won[k] == layout;
        if (!known) { won[n++] = layout; if (!*fewest) *fewest = ply + 1; }
      } else if (child.loser == 2 && child.side == q.side) {
        int fresh = add(&seen, &child);
        if (fresh < 0 || tail >= MOST_SEEN) { n = -1; goto done; }
        if (fresh) plies[tail] = ply + 1, queue[tail++] = child.key;
      }
    }
  }
done:
  free(seen.rows), free(won), free(queue), free(plies);
  return n;
}
