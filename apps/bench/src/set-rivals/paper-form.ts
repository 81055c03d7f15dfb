import { rankTools, scoreSets, type SetScores } from "@setwise/set-scorer";
import type { RivalPool, SetRival } from "./rival.ts";

const LARGEST = 5;

/**
 * HYSET as its paper has it: F(E) = Σ_{t∈E} α_t l_t + Σ_{a<b} z_a · M_|E| z_b, α = softmax of l over E; the set is the largest F of all sets of at most five tools of the pool, the ranking
 * greedy by marginal gain. It has no constants beside its weights. (l is known up to a number of the query, which changes no comparison of sets.)
 */
export function paperForm(name: string): SetRival {
  return {
    name,
    fit: () => ({
      constants: "",
      choose(pool) {
        const scored = paperScores(pool);
        return { ranking: rankTools(scored, "marginal-gain").ids, set: scored.best[0]?.ids ?? new Uint32Array(0) };
      },
    }),
  };
}

function paperScores({ evidence: { ids, logProbabilities, interactions } }: RivalPool): SetScores {
  const pairScores = interactions.length > 0 ? interactions : new Float64Array((LARGEST - 1) * ids.length ** 2);
  return scoreSets({ ids, logits: logProbabilities, pairScores }, { alignment: "softmax", count: 1 });
}
