"""What the papers print, entered as data: Table III of the strided-interval paper (ASE), the figures of the multi-interval paper (PARTI) as far as
its text gives numbers, and KLEE's CPU seconds for twelve sorts.

Queries are satisfiability questions that reached the solver, both sides of a branch counted. Seconds were measured on the authors' machines.
"""
from collections import namedtuple

Row = namedtuple("Row", "paths o1_s o1 o2_s o2 parti_s parti baseline_s baseline")

TABLE_3 = {
    "bubble_sort_1": Row(300, 32.86, 0, 33.50, 0, 32.49, 0, 206.39, 67350),
    "bubble_sort_3": Row(55445, 670.84, 637821, 588.35, 559587, 779.11, 728766, 1207.21, 1135634),
    "bubble_sort_all": Row(40320, 244.69, 233087, 65.14, 91796, 255.90, 234958, 249.14, 234958),
    "heap_sort_1": Row(275, 3.22, 0, 3.20, 0, 3.11, 0, 7.11, 2340),
    "heap_sort_3": Row(39286, 93.41, 104524, 95.68, 105620, 140.81, 162096, 437.36, 518822),
    "heap_sort_all": Row(135423, 1188.13, 960034, 982.57, 830632, 1202.91, 964444, 1180.73, 964444),
    "insertion_sort_1": Row(300, 26.23, 0, 26.32, 0, 25.53, 0, 204.87, 67350),
    "insertion_sort_3": Row(55445, 1391.06, 1420769, 1208.43, 1249913, 1575.29, 1575736, 2830.64, 2860000),
    "insertion_sort_all": Row(40320, 73.21, 80057, 5.22, 4878, 75.33, 80638, 74.35, 80638),
    "merge_sort_1": Row(300, 0.91, 0, 0.91, 0, 0.88, 0, 1.93, 896),
    "merge_sort_3": Row(55445, 40.14, 29460, 23.73, 14125, 45.12, 34746, 149.79, 147400),
    "merge_sort_all": Row(40320, 71.36, 78750, 58.94, 63238, 77.01, 80638, 76.84, 80638),
    "quick_sort_1": Row(300, 19.73, 0, 19.94, 0, 19.84, 0, 18.55, 598),
    "quick_sort_3": Row(49675, 274.33, 205666, 212.65, 162382, 304.82, 230898, 558.60, 446606),
    "quick_sort_all": Row(40320, 109.53, 78800, 15.36, 9757, 111.27, 80638, 109.93, 80638),
    "selection_sort_1": Row(300, 16.60, 0, 16.49, 0, 16.10, 0, 2697.72, 1192300),
    "selection_sort_3": Row(60535, 3288.82, 2913602, 2658.36, 2480695, 3411.95, 3030568, 4358.47, 3828538),
    "selection_sort_all": Row(101773, 623.13, 521344, 403.23, 351101, 629.13, 526350, 625.52, 526350),
    "dijkstra": Row(11632, 775.70, 88726, 724.14, 83034, 790.76, 89990, 862.19, 99564),
    "kruskal": Row(7129, 746.51, 711343, 678.89, 658255, 794.07, 738072, 830.87, 789714),
    "bellman-ford": Row(326, 760.89, 91752, 766.24, 91752, 763.01, 91752, 836.81, 102876),
    "binary_search_all": Row(4001, 0.12, 0, 0.11, 0, 904.50, 8000, 905.90, 8000),
    "linear_find_all": Row(1001, 0.04, 0, 0.04, 0, 101.71, 2000, 102.66, 2000),
    "is_permutation": Row(96499, 1483.62, 1622733, 532.04, 794099, 1649.28, 1716634, 1620.05, 1716634),
    "gcd": Row(401, 272.69, 3183, 269.13, 3183, 266.32, 3188, 279.13, 3192),
    "loop_invgen": Row(4098, 401.34, 22859, 262.02, 17369, 580.93, 29846, 775.26, 34440),
    "min_max_all": Row(19683, 128.90, 72067, 129.89, 74362, 139.27, 77706, 137.76, 77706),
    "dirname": Row(65535, 2.05, 0, 2.06, 0, 2.01, 0, 326.42, 815764),
    "fibonacci": Row(21, 0.20, 0, 0.19, 0, 0.19, 0, 32.68, 206554),
    "half": Row(1002, 0.03, 0, 0.03, 0, 81.73, 8006, 81.36, 8010),
    "outer_product": Row(15625, 0.36, 0, 0.36, 0, 189.72, 140616, 186.51, 140616),
}

# The paper gives neither size nor source of these: ours have a path count within a factor of two, and core calls are compared per path.
FREE_CHOICE = ["dijkstra", "kruskal", "bellman-ford", "gcd", "loop_invgen", "half"]

# Mean reduction of time against the baseline that the paper's abstract claims for O2, in per cent.
ASE_REDUCTION = 59.84

# PARTI's figures show speed-ups over Z3 alone; its text gives these lower and upper ends (None: not said).
SPEEDUP = {
    "objects": (200, None),  # Figure 3: "well above a factor of 200x for all array types"
    "one": (10, 50),  # Figure 6: "approx. 10x to 50x"
    "two": (1.5, 10),  # Figure 7: "approx. 1.5x to 10x"
}

# KLEE 3.3-pre with STP in process, CPU seconds: the range over six sorts.
KLEE = {"one": (0.22, 0.41), "all": (8.5, 28.4)}

# Why a subject of ours may differ from the paper's, shown beside its figures.
NOTES = {
    "fibonacci": "Recursion that asks n == 0, then n == 1, for n from 0 to 20. Their baseline has 44 queries more than such a tree has questions times two.",
    "is_permutation": "Each number must occur equally often in both arrays of six; half of their baseline's queries is exactly our number of questions.",
    "gcd": "By subtraction, numbers from 0 to 25: a path for each pair without a common divisor and two for zeroes, which gives their count exactly.",
    "loop_invgen": "The paper names a family of programs, not one: ours is two loops with two symbolic bounds.",
    "dijkstra": "Complete directed graph of 6 vertices, 10 of 30 lengths symbolic; the paper gives neither.",
    "kruskal": "Five vertices, nine edges, all lengths symbolic: comparisons between inputs, nothing else. The paper's graph is unknown.",
    "bellman-ford": "Six vertices, 5 of 30 lengths symbolic. Distances are sums of inputs, compared with sums of inputs.",
    "half": "Half of a number up to 2,000 by counting, with products by constants.",
    "outer_product": "Six symbolic numbers times 1 to 6, compared with 6: five outcomes a row, 18 questions a row, as their count of queries implies.",
    "dirname": "Up to 15 bytes, each a slash or not, in one pass: the paper's count. How often its source looks at a byte again is unknown.",
}
