/* Plays and thinks about positions from standard input and prints what comes of it: the same program,
   built for another processor, has to print the same.  A line is: shifs detained pushes early_end pot,
   four masks, four coins, side, left, made. */

#include "../../engine/sorcel_engine/engine.c"
#include <stdio.h>

int main(void) {
  static int32_t weights[WEIGHTS];
  Rules r;
  Position p;
  unsigned side, left, made;
  unsigned long long m[4];
  for (int i = 0; i < WEIGHTS; i++) weights[i] = (int)(mixed(i) % 101) - 50;
  while (scanf("%d %d %d %d %d %llu %llu %llu %llu %d %d %d %d %u %u %u", &r.shifs, &r.detained,
               &r.placement_pushes, &r.early_end, &r.pot, &m[0], &m[1], &m[2], &m[3], &p.coins[0], &p.coins[1],
               &p.coins[2], &p.coins[3], &side, &left, &made) == 16) {
    Engine *e = sorcel_new(12, &r, weights);
    int32_t actions[MAX_ACTIONS], line[MAX_PLY + 2], length, score;
    for (int i = 0; i < 4; i++) p.pieces[i] = m[i];
    p.side = side, p.left = left, p.made = made;
    int n = sorcel_actions(e, &p, actions);
    for (int i = 0; i < n; i++) {
      Position q;
      sorcel_play(e, &p, actions[i], &q);
      printf("%d %llx ", actions[i], (unsigned long long)q.key);
    }
    sorcel_begin(e, &p, &p, 0, 3000, side ? 20 : 0, 7, 0, 0);
    printf("value %d win %d", sorcel_value(e, &p), sorcel_win(e, 1000, line));
    for (int depth = 1; depth < 6 && n && sorcel_deepen(e, depth, line, &length, &score); depth++)
      printf(" %d:%d:%d", depth, score, length ? line[0] : -1);
    printf(" nodes %llu\n", (unsigned long long)sorcel_nodes(e));
    sorcel_free(e);
  }
  return 0;
}
