//! Terms a million deep are read, printed and dropped on a small stack.

use super::assertions;
use crate::store::Term;
use crate::text::smtlib::{Sharing, print_query};
use crate::walk::post_order;

const DEPTH: usize = 1_000_000;

/// Runs on a stack that recursion over a term would exhaust.
fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(test).expect("a thread");
    thread.join().expect("the test passes");
}

const DECLARE: &str = "(declare-fun x () (_ BitVec 8))(declare-fun y () (_ BitVec 8))\n";

#[test]
fn nested_applications() {
    on_small_stack(|| {
        let script = format!("{DECLARE}(assert (= y {}x{}))", "(bvudiv y ".repeat(DEPTH), ")".repeat(DEPTH));
        let read = assertions(&script);
        assert!(post_order(&read).len() > DEPTH);
        for sharing in [Sharing::Let, Sharing::Define] {
            assert_eq!(assertions(&print_query(&read, sharing)), read);
        }
    });
}

#[test]
fn nested_lets() {
    on_small_stack(|| {
        let lets = "(let ((x (bvudiv y x))) ".repeat(DEPTH);
        let read = assertions(&format!("{DECLARE}(assert {lets}(= x y){})", ")".repeat(DEPTH)));
        assert!(post_order(&read).len() > DEPTH);
        let inward = "(let ((x ".repeat(DEPTH);
        let outward = ")) (bvudiv y x))".repeat(DEPTH);
        assert_eq!(assertions(&format!("{DECLARE}(assert (= {inward}x{outward} y))")), read);
    });
}

#[test]
fn nested_annotations_and_broken_nests() {
    on_small_stack(|| {
        let script = format!("{DECLARE}(assert {}(= x y){})", "(! ".repeat(DEPTH), " :weight 1)".repeat(DEPTH));
        assert_eq!(assertions(&script), [Term::symbol("x", 8).eq(&Term::symbol("y", 8))]);
        for open in ["(", "((", "(let ((x ", "(assert (not ", "(set-info :a (", "(declare-fun x () (Array "] {
            assert!(super::commands(&open.repeat(DEPTH)).is_err());
        }
    });
}

/// Each level uses the one below twice: as a tree it would not fit into any memory.
#[test]
fn a_dag_is_not_a_tree() {
    on_small_stack(|| {
        let levels = 20_000;
        let (mut term, x) = (Term::symbol("y", 8), Term::symbol("x", 8));
        for _ in 0..levels {
            term = term.udiv(&x.urem(&term));
        }
        let root = [term.eq(&x)];
        for sharing in [Sharing::Let, Sharing::Define] {
            let text = print_query(&root, sharing);
            assert!(text.len() < 80 * levels, "{} bytes", text.len());
            assert_eq!(assertions(&text), root);
        }
    });
}
