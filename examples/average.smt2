; The average without overflow: (x & y) + ((x ^ y) >> 1) is (x + y) >> 1 computed in one bit more. No counterexample.
(set-logic QF_BV)
(declare-const x (_ BitVec 64))
(declare-const y (_ BitVec 64))
(define-fun clever () (_ BitVec 64) (bvadd (bvand x y) (bvlshr (bvxor x y) (_ bv1 64))))
(define-fun wide () (_ BitVec 65) (bvadd ((_ zero_extend 1) x) ((_ zero_extend 1) y)))
(assert (distinct clever ((_ extract 64 1) wide)))
(check-sat)
