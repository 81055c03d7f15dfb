export { type Background, openBackground } from "./background.ts";
export { foreignMargin, type ForeignMargin, type OwnTools } from "./foreign-margin.ts";
export {
  calibrate,
  type CalibrateOptions,
  type Calibration,
  type CalibrationRequest,
  FEWEST_REQUESTS,
} from "./calibrate.ts";
export { DEFAULT_MAX_K } from "./check-choice.ts";
export { chooseK, type ChooseKOptions, type Cut, POOL_SIZE, REFUSE_BELOW } from "./choose-k.ts";
export {
  boundaryPolicy,
  budgetPolicy,
  distributionPolicy,
  fixedPolicy,
  gapPolicy,
  thresholdPolicy,
} from "./cut-policies.ts";
export { withinBudget } from "./limited.ts";
export { balancedSize, completeSize, type Goal, likeliestSize } from "./goal.ts";
export {
  type EvidenceKind,
  evidenceKind,
  fitLogit,
  type ForeignEvidence,
  probabilityByBoth,
  probabilityNothingFits,
  type RefusalGate,
} from "./nothing-fits.ts";
export { coverage, type SetDistribution, setDistribution } from "./set-distribution.ts";
export {
  hybridPrior,
  lexicalPrior,
  minilmPrior,
  priorFor,
  priorLogits,
  priorSizeOffsets,
  type SetPrior,
  unusualEvidence,
  unusualRequests,
} from "./set-prior.ts";
