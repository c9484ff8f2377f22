; Is there a schedule that ends with these two, both next in their threads?
;   e3 T1 w x @ fig1:2
;   e11 T2 r x @ fig1:5
; Model mc. eN: the place of event N in the schedule; what is executed comes before 'race'.
(set-logic QF_IDL)
(declare-const race Int)
(declare-const e0 Int)
(declare-const e1 Int)
(declare-const e2 Int)
(declare-const e7 Int)
(declare-const e8 Int)
(declare-const e9 Int)
; order of T1
(assert (< e0 e1 e2))
(assert (< e2 race))
; order of T2
(assert (< e7 e8 e9))
(assert (< e9 race))
; e0 T1 acq mutex m: excludes the other's section (L1, L2)
(assert (or (< e2 e7) (< e9 e0)))
; e8 T2 r y @ fig1:4: takes the bytes of a write
(assert false)
(check-sat)
