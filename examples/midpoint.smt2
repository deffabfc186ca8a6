; The midpoint bug of binary search: with 0 <= low <= high, can (low + high) / 2 be negative?
(set-logic QF_BV)
(declare-const low (_ BitVec 32))
(declare-const high (_ BitVec 32))
(define-fun middle () (_ BitVec 32) (bvsdiv (bvadd low high) (_ bv2 32)))
(assert (bvsle (_ bv0 32) low))
(assert (bvsle low high))
(assert (bvslt middle (_ bv0 32)))
(check-sat)
