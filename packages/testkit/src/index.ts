export { describeEncoder, type EncoderContractOptions } from "./encoder-contract.ts";
export {
  type HardCase,
  hardCase,
  type HysetMetrics,
  hysetMetrics,
  type RankingCase,
  toolListPath,
  toolListText,
} from "./fixtures.ts";
export { describePairScorer } from "./pair-scorer-contract.ts";
export { shopCatalog, shopTools } from "./shop-catalog.ts";
