; Is there a schedule that ends with these two, both next in their threads?
;   e5 T2 w y
;   e10 T1 w y
; Model mc. eN: the place of event N in the schedule; what is executed comes before 'race'.
(set-logic QF_IDL)
(declare-const race Int)
(declare-const e0 Int)
(declare-const e1 Int)
(declare-const e2 Int)
(declare-const e7 Int)
(declare-const e8 Int)
(declare-const e9 Int)
(declare-const e3 Int)
(declare-const e4 Int)
; order of T1
(assert (< e0 e1 e2 e7 e8 e9))
(assert (< e9 race))
; order of T2
(assert (< e3 e4))
(assert (< e4 race))
; e0 T1 acq mutex l: excludes the other's section (L1, L2)
(assert (< e2 e3))
; e3 T2 acq mutex l: excludes the other's section (L1, L2)
(assert (< e9 e3))
; e4 T2 r x: takes the bytes of a write
(assert (and (< e1 e4) (< e4 e8)))
(check-sat)
