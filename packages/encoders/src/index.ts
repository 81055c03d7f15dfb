export type { Encoder, PairScorer } from "@setwise/core";
