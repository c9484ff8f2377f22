; Is there a schedule that ends with these two, both next in their threads?
;   e4 T2 r b.x
;   e10 T3 w b.x
; Model mc. eN: the place of event N in the schedule; what is executed comes before 'race'.
(set-logic QF_IDL)
(declare-const race Int)
(declare-const e0 Int)
(declare-const e1 Int)
(declare-const e2 Int)
(declare-const e3 Int)
(declare-const e7 Int)
(declare-const e8 Int)
(declare-const e9 Int)
; order of T1
(assert (< e0 e1))
(assert (< e1 race))
; order of T2
(assert (< e2 e3))
(assert (< e3 race))
; order of T3
(assert (< e7 e8 e9))
(assert (< e9 race))
; e2 T2 acq mutex a needs e0
(assert (< e0 e2))
; e7 T3 acq mutex b needs e1
(assert (< e1 e7))
; e9 T3 r a.x: takes the bytes of a write
(assert false)
(check-sat)
