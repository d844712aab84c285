"""Which logits are equal: ties between scores, residuals and limits, on every processor."""

#: Logits closer than this are equal; the only place that says so. Equal ones come out of different
#: sums, libraries and processors with other last digits: by 1e-16 where scores are moderate, by
#: 2^-53 / 1e-6 = 1.1e-10 where a score is as near to 1 as `class_scores` lets one be from which the
#: logit is made. Twice that is a tie. Logits that differ in truth are hardly ever as close.
TIE = 2.0**-32
