//! The decision tree of some states: what their paths have in common, and where they part.
//!
//! A path is a list of constraints that forks share, so the tree is there already: links that
//! several paths hold are its inner nodes. Conditions and values are folded over it from the
//! leaves, so that a branch whose sides agree leaves no trace, and one whose sides differ is asked
//! once.
//!
//! Sound: the paths of the states exclude each other (each fork adds a condition to one side and
//! its negation to the other, and a state that was merged stands for a set of paths of its own).
//! So on each input that leads to one of the states, every fold gives what that state has.

use rustc_hash::FxHashMap;
use strata_query::Path;
use strata_term::Term;

struct Node {
    /// What must hold to get here from the node above.
    edge: Term,
    children: Vec<usize>,
    /// The state that ends here.
    leaf: Option<usize>,
}

/// Paths that exclude each other, as a tree. The root is what all have in common.
pub struct Tree {
    /// Each behind the one above it.
    nodes: Vec<Node>,
    base: Path,
}

impl Tree {
    /// The tree of some paths. None where two of them cannot be told apart, or one goes on where
    /// another ends.
    pub fn new(paths: &[&Path]) -> Option<Tree> {
        let base = paths.iter().map(|path| (*path).clone()).reduce(|a, b| a.common(&b))?;
        let mut tree = Tree { nodes: vec![Node { edge: Term::bool(true), children: Vec::new(), leaf: None }], base };
        // By the address of a link: the node that it leads to.
        let mut known: FxHashMap<usize, usize> = FxHashMap::default();
        for (leaf, path) in paths.iter().enumerate() {
            let fresh = path.len() - tree.base.len();
            let mut links: Vec<&Path> = path.prefixes().take(fresh).collect();
            links.reverse();
            let mut at = 0;
            for link in links {
                at = match known.get(&link.address()) {
                    Some(node) => *node,
                    None => {
                        let node = tree.nodes.len();
                        let edge = link.constraint()?.clone();
                        tree.nodes.push(Node { edge, children: Vec::new(), leaf: None });
                        tree.nodes[at].children.push(node);
                        known.insert(link.address(), node);
                        node
                    }
                };
            }
            if tree.nodes[at].leaf.replace(leaf).is_some() {
                return None;
            }
        }
        if tree.nodes.iter().any(|node| node.leaf.is_some() && !node.children.is_empty()) {
            return None;
        }
        Some(tree)
    }

    /// What all paths have in common.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// How many nodes there are: what a fold costs.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The condition, on top of what all have in common, under which one of the states is there.
    pub fn condition(&self) -> Term {
        let below = self.conditions();
        below.into_iter().next().unwrap_or_else(|| Term::bool(true))
    }

    /// For each node: what must hold below it.
    fn conditions(&self) -> Vec<Term> {
        let mut below = vec![Term::bool(true); self.nodes.len()];
        for at in (0..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            let all = |child: usize| self.nodes[child].edge.and(&below[child]);
            below[at] = match node.children[..] {
                [] => Term::bool(true),
                [one, two] if self.excludes(one, two) => Term::ite(&self.nodes[one].edge, &below[one], &below[two]),
                _ => node.children.iter().map(|child| all(*child)).fold(Term::bool(false), |any, c| any.or(&c)),
            };
        }
        below
    }

    /// Is the condition of one node the negation of the other's?
    fn excludes(&self, one: usize, two: usize) -> bool {
        self.nodes[one].edge.not() == self.nodes[two].edge
    }

    /// The term that has, on each state's path, that state's value. States without one may have
    /// any.
    pub fn choose(&self, values: &[Option<Term>]) -> Option<Term> {
        let mut conditions: Option<Vec<Term>> = None;
        let mut chosen: Vec<Option<Term>> = vec![None; self.nodes.len()];
        for at in (0..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            if let Some(leaf) = node.leaf {
                chosen[at] = values[leaf].clone();
                continue;
            }
            let mut sides = node.children.iter().filter_map(|child| Some((*child, chosen[*child].clone()?)));
            let Some((first, value)) = sides.next() else { continue };
            let others: Vec<(usize, Term)> = sides.filter(|(_, other)| *other != value).collect();
            chosen[at] = Some(match others.as_slice() {
                [] => value,
                [(second, other)] if node.children.len() == 2 && self.excludes(first, *second) => {
                    Term::ite(&self.nodes[first].edge, &value, other)
                }
                _ => {
                    let below = conditions.get_or_insert_with(|| self.conditions());
                    others.iter().fold(value, |rest, (child, other)| {
                        let here = self.nodes[*child].edge.and(&below[*child]);
                        Term::ite(&here, other, &rest)
                    })
                }
            });
        }
        chosen.swap_remove(0)
    }
}
