//! Rows `x - y <= c`, as a graph: bounds by shortest paths, and cycles that no values satisfy.
//!
//! With the upper bounds as distances from one source, an edge that still shortens a way after as many rounds as there are variables is on a cycle of negative length: its
//! rows add up to `0 <= c` with `c < 0`. Propagation alone would walk round that cycle through the whole range of the variables.

use super::{Conflict, Interval, Relation, Row, Work};

/// `left - right <= most`.
struct Edge {
    left: usize,
    right: usize,
    most: i128,
}

fn edges(rows: &[Row]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for row in rows {
        let [(first, a), (second, b)] = row.terms[..] else { continue };
        let (left, right) = match (a, b) {
            (1, -1) => (first, second),
            (-1, 1) => (second, first),
            _ => continue,
        };
        let constant = if a == 1 { row.constant } else { -row.constant };
        match row.relation {
            Relation::AtMost => edges.push(Edge { left, right, most: row.constant }),
            Relation::Equal => {
                edges.push(Edge { left: first, right: second, most: constant });
                edges.push(Edge { left: second, right: first, most: -constant });
            }
            Relation::Apart => {}
        }
    }
    edges
}

/// Narrows bounds by all chains of differences.
pub fn narrow(rows: &[Row], bounds: &mut [Interval], work: &mut Work) -> Result<(), Conflict> {
    let edges = edges(rows);
    if edges.is_empty() {
        return Ok(());
    }
    // A way has no more edges than there are variables on some edge.
    let most = bounds.len().min(2 * edges.len());
    for round in 0..=most {
        let mut changed = false;
        if !work.take(edges.len()) {
            return Ok(());
        }
        for edge in &edges {
            if let Some(most) = bounds[edge.right].most.checked_add(edge.most)
                && most < bounds[edge.left].most
            {
                bounds[edge.left].most = most;
                changed = true;
            }
            if let Some(least) = bounds[edge.left].least.checked_sub(edge.most)
                && least > bounds[edge.right].least
            {
                bounds[edge.right].least = least;
                changed = true;
            }
        }
        if bounds.iter().any(|bound| bound.least > bound.most) || changed && round == most {
            return Err(Conflict);
        }
        if !changed {
            break;
        }
    }
    Ok(())
}
