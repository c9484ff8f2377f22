; Is there a schedule that ends with these two, both next in their threads?
;   e1 T1 w x
;   e6 T2 r x
; Model mc. eN: the place of event N in the schedule; what is executed comes before 'race'.
(set-logic QF_IDL)
(declare-const race Int)
(declare-const e0 Int)
(declare-const e5 Int)
; order of T1
(assert (< e0 race))
; order of T2
(assert (< e5 race))
; e5 T2 acq mutex o needs e0
(assert (< e0 e5))
(check-sat)
