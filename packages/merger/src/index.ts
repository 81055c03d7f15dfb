export { judgePair, type PairEvidence, type Verdict } from "./judge-pair.ts";
