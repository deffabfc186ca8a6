// A maze that is solved by nobody who plays by its rules.
//
//     strata run examples/maze.c
//
// The input is a list of moves. A wall, a visited cell or a wrong letter ends the game; the goal is an assertion that fails, so the moves that
// reach it are the input of an error, shown in the card and kept as a test. The goal is walled in: look at the map, then at the moves that
// were found, then at `blocked`. `--emit-all-errors` shows every way instead of the first.
#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>

#define HEIGHT 9
#define WIDTH 15
#define MOVES 24

static char maze[HEIGHT][WIDTH + 1] = {
    "###############",
    "#@  #     #   #",
    "### # ### # # #",
    "#   #   #   # #",
    "# ##### ##### #",
    "#             #",
    "# ### #########",
    "#   #     # $ #",
    "###############",
};

static int blocked(int row, int column) {
  char cell = maze[row][column];
  if (cell == '#' && row == 6 && column > 10)
    return column != 12;
  return cell != ' ' && cell != '$';
}

static void show(void) {
  for (int row = 0; row < HEIGHT; row++)
    puts(maze[row]);
}

int main(void) {
  char moves[MOVES];
  klee_make_symbolic(moves, sizeof moves, "moves");
  int row = 1, column = 1;
  for (int i = 0; i < MOVES; i++) {
    int to_row = row, to_column = column;
    switch (moves[i]) {
    case 'n': to_row--; break;
    case 's': to_row++; break;
    case 'w': to_column--; break;
    case 'e': to_column++; break;
    default: return 1;
    }
    if (blocked(to_row, to_column))
      return 1;
    row = to_row;
    column = to_column;
    if (maze[row][column] == '$') {
      show();
      assert(0 && "the goal is reached");
    }
    maze[row][column] = '.';
  }
  return 0;
}
