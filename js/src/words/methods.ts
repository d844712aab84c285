// Tells how each figure of a report is computed, and which work to cite for it.

/** A method of a figure: its name in a sentence, and the works to cite. */
export interface Method {
  text: string;
  works: readonly Work[];
}

const WORKS = {
  angelopoulos2021:
    "Angelopoulos, Bates, Candès, Jordan, Lei (2021). Learn then Test: Calibrating Predictive Algorithms to Achieve Risk Control. arXiv:2110.01052.",
  clopper1934:
    "Clopper, Pearson (1934). The Use of Confidence or Fiducial Limits Illustrated in the Case of the Binomial. Biometrika 26, 404–413.",
  delong1988:
    "DeLong, DeLong, Clarke-Pearson (1988). Comparing the Areas under Two or More Correlated Receiver Operating Characteristic Curves: A Nonparametric Approach. Biometrics 44, 837–845.",
  dimitriadis2023:
    "Dimitriadis, Dümbgen, Henzi, Puke, Ziegel (2023). Honest Calibration Assessment for Binary Outcome Predictions. Biometrika 110, 663–680.",
  gazin2024:
    "Gazin, Blanchard, Roquain (2024). Transductive Conformal Inference with Adaptive Scores. AISTATS, PMLR 238.",
  hoeffding1963:
    "Hoeffding (1963). Probability Inequalities for Sums of Bounded Random Variables. Journal of the American Statistical Association 58, 13–30.",
  holm1979:
    "Holm (1979). A Simple Sequentially Rejective Multiple Test Procedure. Scandinavian Journal of Statistics 6, 65–70.",
  kaplan1958:
    "Kaplan, Meier (1958). Nonparametric Estimation from Incomplete Observations. Journal of the American Statistical Association 53, 457–481.",
  korn1998:
    "Korn, Graubard (1998). Confidence Intervals for Proportions with Small Expected Number of Positive Counts Estimated from Survey Data. Survey Methodology 24, 193–201.",
  ledell2015:
    "LeDell, Petersen, van der Laan (2015). Computationally Efficient Confidence Intervals for Cross-Validated Area under the ROC Curve Estimates. Electronic Journal of Statistics 9, 1583–1607.",
  marques2023:
    "Marques (2023). On the Universal Distribution of the Coverage in Split Conformal Prediction. arXiv:2303.02770.",
  obuchowski1997:
    "Obuchowski (1997). Nonparametric Analysis of Clustered ROC Curve Data. Biometrics 53, 567–578.",
  pepe2003:
    "Pepe (2003). The Statistical Evaluation of Medical Tests for Classification and Prediction. Oxford University Press.",
  robbins1970:
    "Robbins (1970). Statistical Methods Related to the Law of the Iterated Logarithm. Annals of Mathematical Statistics 41, 1397–1409.",
  waudby2024:
    "Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas (2024). Time-uniform Central Limit Theory and Asymptotic Confidence Sequences. Annals of Statistics 52, 2613–2640.",
  wilks1941:
    "Wilks (1941). Determination of Sample Sizes for Setting Tolerance Limits. Annals of Mathematical Statistics 12, 91–96.",
  yang2019:
    "Yang, Barber (2019). Contraction and Uniform Convergence of Isotonic Regression. Electronic Journal of Statistics 13, 646–677.",
  zheng:
    "Zheng, Yang, Song. Quantifying Uncertainty in Classification Performance: ROC Confidence Bands Using Conformal Prediction.",
} as const;
export type Work = keyof typeof WORKS;

/** Returns each work once, sorted by name. */
export const references = (works: Iterable<Work>) => [...new Set(works)].sort().map((work) => WORKS[work]);

const method = (text: string, ...works: Work[]): Method => ({ text, works });

export const METHODS = {
  delong: method("DeLong et al. 1988, on the logit scale of Pepe 2003", "delong1988", "pepe2003"),
  area_at_looks: method(
    "at every look, Waudby-Smith et al. 2024 with the variance of DeLong et al. 1988",
    "waudby2024",
    "delong1988",
  ),
  rates_at_looks: method("at every look for a threshold fixed beforehand, Robbins 1970", "robbins1970"),
  people: method("DeLong et al. 1988 for rows of people, Obuchowski 1997", "delong1988", "obuchowski1997"),
  pairs: method("exact, from pairs that share no row, Clopper and Pearson 1934", "clopper1934"),
  bounded: method("from pairs that share no row, Hoeffding 1963", "hoeffding1963"),
  weights: method(
    "after DeLong et al. 1988, each row by its weight, on the logit scale of Pepe 2003",
    "delong1988",
    "pepe2003",
  ),
  paired: method("DeLong’s paired test, DeLong et al. 1988", "delong1988"),
  holm: method(
    "DeLong’s paired test with Holm’s p-values, DeLong et al. 1988, Holm 1979",
    "delong1988",
    "holm1979",
  ),
  folds: method("LeDell et al. 2015", "ledell2015"),
  classes: method("DeLong et al. 1988, with the classes’ covariance", "delong1988"),
  means: method("exact at the effective number of rows, Korn and Graubard 1998", "korn1998", "clopper1934"),
  exact: method("exact for a threshold fixed beforehand, Clopper and Pearson 1934", "clopper1934"),
  tolerance: method("one-sided tolerance limit, Wilks 1941", "wilks1941"),
  sequence: method("exact binomial tests in a fixed sequence, Angelopoulos et al. 2021", "angelopoulos2021"),
  kaplan_meier: method("Kaplan and Meier 1958", "kaplan1958"),
  individual: method("conformal, Zheng et al.", "zheng"),
  curve: method("conformal, for the curve, after Zheng et al.", "zheng"),
  everywhere: method(
    "conformal, by ranks, after Zheng et al., Marques 2023, Gazin et al. 2024",
    "zheng",
    "marques2023",
    "gazin2024",
  ),
  simultaneous: method(
    "bounds for a probability that never falls as the score rises, Yang and Barber 2019, Dimitriadis et al. 2023",
    "yang2019",
    "dimitriadis2023",
  ),
  unlabelled: method("labels drawn from posterior risks"),
  credible: method("posterior draws of the true risks"),
} satisfies Record<string, Method>;
