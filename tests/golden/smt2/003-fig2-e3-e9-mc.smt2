; Is there a schedule that ends with these two, both next in their threads?
;   e3 T1 w x
;   e9 T2 r x
; Model mc. eN: the place of event N in the schedule; what is executed comes before 'race'.
(set-logic QF_IDL)
(declare-const race Int)
(declare-const e0 Int)
(declare-const e1 Int)
(declare-const e2 Int)
(declare-const e5 Int)
(declare-const e6 Int)
(declare-const e7 Int)
(declare-const e8 Int)
; order of T1
(assert (< e0 e1 e2))
(assert (< e2 race))
; order of T2
(assert (< e5 e6 e7 e8))
(assert (< e8 race))
; e5 T2 acq mutex o needs e0
(assert (< e0 e5))
; e2 T1 acq mutex o: excludes the other's section (L1, L2)
(assert (< e8 e2))
; e6 T2 r x: takes the bytes of a write
(assert (< e6 e1))
(check-sat)
