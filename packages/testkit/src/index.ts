export {
  type HardCase,
  hardCase,
  type HysetMetrics,
  hysetMetrics,
  type RankingCase,
  toolListPath,
  toolListText,
} from "./fixtures.ts";
export { shopCatalog, shopTools } from "./shop-catalog.ts";
