; Seed 003, Figure 2 and Table 2 (the column 'Encoding with Optimization'), by hand: all linearisations of the trace.
; Events as in tests/golden/figures/003-fig2.txt: the paper's e4' is e10 here (the wake), the paper's e10 is e11.
(declare-const e0 Int)
(declare-const e1 Int)
(declare-const e2 Int)
(declare-const e3 Int)
(declare-const e4 Int)
(declare-const e5 Int)
(declare-const e6 Int)
(declare-const e7 Int)
(declare-const e8 Int)
(declare-const e9 Int)
(declare-const e10 Int)
(declare-const e11 Int)
(assert (distinct e0 e1 e2 e3 e4 e5 e6 e7 e8 e9 e10 e11))
; partial order
(assert (< e0 e1 e2 e3 e4 e10 e11))
(assert (< e5 e6 e7 e8 e9))
(assert (< e0 e5))
; write-read consistency
(assert (or (< e6 e1) (< e3 e6)))
(assert (or (< e9 e1) (< e3 e9)))
; e2
(assert (or (< e2 e5) (< e8 e2)))
; e4
(assert (and (or (< e5 e2) (< e4 e5)) (or (< e8 e2) (< e4 e8))))
; e4'
(assert (or (and (< e4 e10) (or (< e5 e4) (< e10 e5)) (or (< e8 e4) (< e10 e8))) (and (< e8 e10) (< e4 e8))))
(assert (and (< e7 e10) (< e4 e7)))
; e5
(assert (or (< e5 e2) (< e11 e5) (and (< e4 e5) (< e5 e10) (< e5 e11))))
; e7
(assert (and (or (< e2 e5) (< e7 e2)) (or (< e4 e5) (< e7 e4)) (or (< e10 e5) (< e7 e10)) (or (< e11 e5) (< e7 e11))))
; e8
(assert (and (or (< e2 e5) (< e8 e2)) (or (< e4 e5) (< e8 e4)) (or (< e10 e5) (< e8 e10)) (or (< e11 e5) (< e8 e11))))
; e10
(assert (and (or (< e5 e10) (< e11 e5)) (or (< e8 e10) (< e11 e8))))
(check-sat)
