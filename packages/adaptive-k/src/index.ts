export { boundaryK } from "./boundary.ts";
export { chooseK, type ChooseKOptions, type Cut, POOL_SIZE, REFUSE_BELOW } from "./choose-k.ts";
export { balancedSize, expectedF1, type Goal, likeliestSize, SPARE_TOOLS } from "./goal.ts";
export { type EvidenceKind, evidenceKind, probabilityNothingFits } from "./nothing-fits.ts";
export { type SetDistribution, setDistribution } from "./set-distribution.ts";
export { hybridPrior, lexicalPrior, priorLogits, priorSizeOffsets, type SetPrior } from "./set-prior.ts";
