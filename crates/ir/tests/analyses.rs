//! The analyses against their definitions, on random graphs; and on graphs deep enough to overflow a stack.

mod generator;

use generator::{edges, graph, program};
use std::collections::{BTreeMap, BTreeSet};
use strata_ir::*;
use strata_term::Random;

const GRAPHS: u64 = 5000;

fn block(index: usize) -> BlockId {
    BlockId(index as u32)
}

/// What can be reached from the roots without entering `without`.
fn reach(edges: &[Vec<usize>], roots: &[usize], without: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut work: Vec<usize> = roots.to_vec();
    while let Some(at) = work.pop() {
        if Some(at) != without && !std::mem::replace(&mut seen[at], true) {
            work.extend(&edges[at]);
        }
    }
    seen
}

fn reversed(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut back = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        targets.iter().for_each(|to| back[*to].push(from));
    }
    back
}

#[test]
fn graphs_have_the_edges_of_their_terminators() {
    for seed in 0..GRAPHS {
        let edges = edges(&mut Random(seed));
        let cfg = Cfg::new(&graph(&edges));
        assert_eq!(cfg.len(), edges.len());
        let back = reversed(&edges);
        let reached = reach(&edges, &[0], None);
        for at in 0..edges.len() {
            let set = |blocks: &[BlockId]| blocks.iter().map(|block| block.index()).collect::<BTreeSet<_>>();
            assert_eq!(set(cfg.successors(block(at))), edges[at].iter().copied().collect());
            assert_eq!(set(cfg.predecessors(block(at))), back[at].iter().copied().collect());
            assert_eq!(cfg.successors(block(at)).len(), set(cfg.successors(block(at))).len());
            assert_eq!(cfg.predecessors(block(at)).len(), set(cfg.predecessors(block(at))).len());
            assert_eq!(cfg.is_reachable(block(at)), reached[at]);
            assert_eq!(cfg.position(block(at)).map(|p| cfg.reverse_post_order()[p]), reached[at].then(|| block(at)));
        }
        check_order(&cfg, &edges, seed);
    }
}

/// In a reverse post-order, an edge goes back only within a cycle.
fn check_order(cfg: &Cfg, edges: &[Vec<usize>], seed: u64) {
    assert_eq!(cfg.reverse_post_order().first(), Some(&BlockId(0)));
    for from in cfg.reverse_post_order() {
        for to in cfg.successors(*from) {
            let cyclic = reach(edges, &[to.index()], None)[from.index()];
            assert!(cfg.position(*from) < cfg.position(*to) || cyclic, "seed {seed}");
        }
    }
}

/// `a` dominates `b` when without `a`, `b` is no longer reached.
fn check_tree(tree: &Dominators, edges: &[Vec<usize>], roots: &[usize], seed: u64) {
    let reached = reach(edges, roots, None);
    let dominates: Vec<Vec<bool>> = (0..edges.len())
        .map(|a| {
            let rest = reach(edges, roots, Some(a));
            (0..edges.len()).map(|b| reached[a] && reached[b] && !rest[b]).collect()
        })
        .collect();
    for b in 0..edges.len() {
        assert_eq!(tree.contains(block(b)), reached[b], "seed {seed}");
        for (a, dominated) in dominates.iter().enumerate() {
            assert_eq!(tree.dominates(block(a), block(b)), dominated[b], "seed {seed}: {a} {b}");
        }
        // The immediate one is that other dominator which all other dominators dominate.
        let others: Vec<usize> = (0..edges.len()).filter(|a| *a != b && dominates[*a][b]).collect();
        let closest = others.iter().copied().find(|a| others.iter().all(|other| dominates[*other][*a]));
        assert_eq!(tree.immediate(block(b)), closest.map(block), "seed {seed}: {b}");
    }
}

#[test]
fn dominators_are_what_removal_cuts_off() {
    for seed in 0..GRAPHS {
        let edges = edges(&mut Random(seed));
        check_tree(&Dominators::new(&Cfg::new(&graph(&edges))), &edges, &[0], seed);
    }
}

#[test]
fn post_dominators_are_dominators_of_the_reversed_graph() {
    for seed in 0..GRAPHS {
        let edges = edges(&mut Random(seed));
        let ends: Vec<usize> = (0..edges.len()).filter(|at| edges[*at].is_empty()).collect();
        check_tree(&Dominators::post(&Cfg::new(&graph(&edges))), &reversed(&edges), &ends, seed);
    }
}

fn loops(edges: &[Vec<usize>]) -> (Cfg, Loops) {
    let cfg = Cfg::new(&graph(edges));
    let loops = Loops::new(&cfg, &Dominators::new(&cfg));
    (cfg, loops)
}

/// By definition: for each header, what reaches a latch without going through the header.
fn natural_loops(edges: &[Vec<usize>]) -> BTreeMap<usize, BTreeSet<usize>> {
    let back = reversed(edges);
    let reached = reach(edges, &[0], None);
    let mut found: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for header in (0..edges.len()).filter(|at| reached[*at]) {
        let rest = reach(edges, &[0], Some(header));
        let latches: Vec<usize> = back[header].iter().copied().filter(|at| reached[*at] && !rest[*at]).collect();
        if !latches.is_empty() {
            let body = reach(&back, &latches, Some(header));
            let inside = (0..edges.len()).filter(|at| reached[*at] && body[*at]);
            found.insert(header, inside.chain([header]).collect());
        }
    }
    found
}

/// Reducible: once the edges to dominators are gone, no cycle remains.
fn is_reducible(edges: &[Vec<usize>]) -> bool {
    let reached = reach(edges, &[0], None);
    let mut forward = edges.to_vec();
    for header in 0..edges.len() {
        let rest = reach(edges, &[0], Some(header));
        for from in 0..edges.len() {
            forward[from].retain(|to| reached[from] && (*to != header || rest[from]));
        }
    }
    (0..edges.len()).all(|at| !reach(&forward, &forward[at], None)[at])
}

#[test]
fn loops_are_what_reaches_back_to_their_header() {
    let (mut nested, mut irreducible) = (0, 0);
    for seed in 0..GRAPHS {
        let edges = edges(&mut Random(seed));
        let (cfg, loops) = loops(&edges);
        let expected = natural_loops(&edges);
        let set = |index| loops.blocks(index).iter().map(|block| block.index()).collect::<BTreeSet<_>>();
        let found: BTreeMap<usize, BTreeSet<usize>> =
            loops.all().iter().enumerate().map(|(index, found)| (found.header.index(), set(index))).collect();
        assert_eq!(found, expected, "seed {seed}");
        assert_eq!(loops.all().len(), expected.len());
        for (index, found) in loops.all().iter().enumerate() {
            assert_eq!(loops.blocks(index).first(), Some(&found.header));
            assert_eq!(loops.blocks(index).len(), set(index).len());
            assert!(found.latches.iter().all(|latch| cfg.successors(*latch).contains(&found.header)));
            let around = (0..loops.all().len()).filter(|other| *other != index && set(*other).is_superset(&set(index)));
            assert_eq!(found.parent, around.clone().min_by_key(|other| set(*other).len()), "seed {seed}");
            assert_eq!(found.depth as usize, around.count() + 1);
            assert!(found.parent.is_none_or(|parent| parent < index));
            nested += usize::from(found.depth > 1);
        }
        for at in 0..edges.len() {
            let around = |index: &usize| set(*index).contains(&at);
            let all: Vec<usize> = (0..loops.all().len()).filter(around).collect();
            assert!((0..loops.all().len()).all(|index| loops.contains(index, block(at)) == all.contains(&index)));
            assert_eq!(loops.innermost(block(at)), all.iter().copied().min_by_key(|index| set(*index).len()));
            assert_eq!(loops.depth(block(at)) as usize, all.len());
        }
        assert_eq!(loops.irreducible().is_empty(), is_reducible(&edges), "seed {seed}");
        irreducible += usize::from(!loops.irreducible().is_empty());
    }
    assert!(nested > 100 && irreducible > 100, "{nested} {irreducible}");
}

#[test]
fn loops_of_known_shapes() {
    let headers = |edges: &[Vec<usize>]| {
        let (_, loops) = loops(edges);
        let list: Vec<(u32, u32, Option<usize>)> =
            loops.all().iter().map(|l| (l.header.0, l.depth, l.parent)).collect();
        (list, loops.irreducible().to_vec())
    };
    // for (…) for (…) x; after it, while (…) y;
    let nest = [vec![1], vec![2, 4], vec![3, 1], vec![2], vec![5, 6], vec![4], vec![]];
    assert_eq!(headers(&nest), (vec![(1, 1, None), (2, 2, Some(0)), (4, 1, None)], vec![]));
    let (_, found) = loops(&nest);
    assert_eq!(found.blocks(0), [block(1), block(2), block(3)]);
    assert_eq!(found.blocks(1), [block(2), block(3)]);
    assert_eq!(found.blocks(2), [block(4), block(5)]);
    // do x; while (…), two of them with one header (continue).
    assert_eq!(headers(&[vec![0, 1], vec![0, 2], vec![]]), (vec![(0, 1, None)], vec![]));
    // A jump into a loop.
    assert_eq!(headers(&[vec![1, 2], vec![2], vec![1, 3], vec![]]), (vec![], vec![(block(2), block(1))]));
    assert_eq!(headers(&[vec![]]), (vec![], vec![]));
    assert_eq!(headers(&[]), (vec![], vec![]));
    // A loop that nothing reaches is none.
    assert_eq!(headers(&[vec![], vec![1]]), (vec![], vec![]));
}

/// By definition: some path reads the register before it assigns it.
fn is_live(function: &Function, reg: Reg, start: (usize, usize)) -> bool {
    let (mut work, mut seen) = (vec![start], BTreeSet::new());
    while let Some((at, index)) = work.pop() {
        if !seen.insert((at, index)) {
            continue;
        }
        match function.blocks[at].instructions.get(index) {
            None => {
                let last = function.blocks[at].instructions.last().unwrap();
                work.extend(last.targets().map(|target| (target.index(), 0)));
            }
            Some(instruction) if instruction.reads().any(|operand| *operand == Operand::Reg(reg)) => return true,
            Some(instruction) if instruction.writes().any(|written| written == reg) => {}
            Some(_) => work.push((at, index + 1)),
        }
    }
    false
}

#[test]
fn live_registers_have_a_path_to_a_read() {
    let mut live_at_borders = 0;
    for seed in 0..1500 {
        for function in &program(&mut Random(seed)).functions {
            let liveness = Liveness::new(function, &Cfg::new(function));
            let registers = || (0..function.registers.len() as u32).map(Reg);
            for (at, body) in function.blocks.iter().enumerate() {
                let expect =
                    |index| registers().filter(|reg| is_live(function, *reg, (at, index))).collect::<BTreeSet<_>>();
                let end = body.instructions.len();
                assert_eq!(liveness.live_in(block(at)).iter().collect::<BTreeSet<_>>(), expect(0), "seed {seed}");
                assert_eq!(liveness.live_out(block(at)).iter().collect::<BTreeSet<_>>(), expect(end), "seed {seed}");
                assert_eq!(liveness.live_in(block(at)).len(), expect(0).len());
                assert_eq!(liveness.live_in(block(at)).is_empty(), expect(0).is_empty());
                assert!(registers().all(|reg| liveness.live_in(block(at)).contains(reg) == expect(0).contains(&reg)));
                for index in 0..=end {
                    assert_eq!(liveness.live_before(function, block(at), index), expect(index), "seed {seed}");
                }
                let mut visited = 0;
                liveness.visit(function, block(at), |index, live| {
                    assert_eq!(*live, expect(index + 1), "seed {seed}");
                    visited += 1;
                });
                assert_eq!(visited, end);
                live_at_borders += expect(end).len();
            }
        }
    }
    assert!(live_at_borders > 10_000, "{live_at_borders}");
}

const DEEP: usize = 100_000;

fn analyse(edges: &[Vec<usize>]) -> (Cfg, Dominators, Dominators, Loops, Liveness) {
    let function = graph(edges);
    let cfg = Cfg::new(&function);
    let (dominators, post) = (Dominators::new(&cfg), Dominators::post(&cfg));
    let (loops, liveness) = (Loops::new(&cfg, &dominators), Liveness::new(&function, &cfg));
    (cfg, dominators, post, loops, liveness)
}

/// Shapes on which a recursive walk overflows the stack, or a quadratic one does not come back.
#[test]
fn deep_graphs() {
    let last = DEEP - 1;
    let chain: Vec<Vec<usize>> = (0..DEEP).map(|at| if at == last { vec![] } else { vec![at + 1] }).collect();
    let (cfg, dominators, post, loops, _) = analyse(&chain);
    assert_eq!(cfg.reverse_post_order().len(), DEEP);
    assert!(dominators.dominates(block(0), block(last)) && post.dominates(block(last), block(0)));
    assert!(loops.all().is_empty());

    // Every block of the chain can leave to one error exit.
    let exits: Vec<Vec<usize>> = (0..DEEP).map(|at| if at == last { vec![] } else { vec![at + 1, last] }).collect();
    let (_, dominators, post, _, liveness) = analyse(&exits);
    assert_eq!(dominators.immediate(block(last)), Some(block(0)));
    assert_eq!(post.immediate(block(7)), Some(block(last)));
    assert!(liveness.live_in(block(0)).contains(Reg(0)));

    // Two chains from the entry that meet in one block, and a ladder between them.
    let half = DEEP / 2;
    let ladder: Vec<Vec<usize>> = (0..DEEP)
        .map(|at| {
            if at == 0 {
                vec![1, half]
            } else if at == half - 1 || at == last {
                vec![0]
            } else {
                vec![at + 1, (at + half) % DEEP]
            }
        })
        .collect();
    let (_, dominators, _, loops, _) = analyse(&ladder);
    assert_eq!(dominators.immediate(block(last - 1)), Some(block(0)));
    assert_eq!(loops.all()[0].header, block(0));

    // A nest as deep as the function: block i goes on or back to DEEP - i.
    let nest: Vec<Vec<usize>> = (0..DEEP)
        .map(|at| {
            if at < half {
                vec![at + 1]
            } else if at == last {
                vec![]
            } else {
                vec![at + 1, DEEP - 1 - at]
            }
        })
        .collect();
    let (_, _, _, loops, _) = analyse(&nest);
    assert_eq!(loops.all().len(), half - 1);
    assert_eq!(loops.depth(block(half)) as usize, half - 1);
    assert_eq!(loops.blocks(0).len(), DEEP - 2);
}

/// Many registers, each used in its own block: only those that cross a border take room.
#[test]
fn many_registers_take_little_room() {
    let chain: Vec<Vec<usize>> = (0..DEEP).map(|at| if at + 1 == DEEP { vec![] } else { vec![at + 1] }).collect();
    let mut function = graph(&chain);
    function.registers = vec![1; DEEP];
    for (at, body) in function.blocks.iter_mut().enumerate() {
        let (to, from) = (Reg(at as u32), Operand::Const(Constant::Undefined(1)));
        body.instructions.insert(0, Instruction::Copy { to, from });
        body.instructions.insert(1, Instruction::Copy { to, from: Operand::Reg(to) });
    }
    let end = Instruction::Copy { to: Reg(9), from: Operand::Reg(Reg(3)) };
    function.blocks[DEEP - 1].instructions.insert(0, end);
    let liveness = Liveness::new(&function, &Cfg::new(&function));
    assert!(liveness.live_out(block(3)).contains(Reg(3)) && !liveness.live_in(block(3)).contains(Reg(3)));
    assert_eq!(liveness.live_out(block(DEEP / 2)).len(), 1);
}
