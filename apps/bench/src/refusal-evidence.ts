import { type EvidenceKind, evidenceKind } from "@setwise/adaptive-k";
import type { Encoder } from "@setwise/core";
import { type Asked, lookUp } from "./train-rows.ts";

/** What words and meaning say of a query, and whether a right tool is in sight. */
export interface RefusalEvidence {
  readonly kind: EvidenceKind;
  readonly fits: boolean;
}

/** Something fits when a right tool is among so many first candidates. */
const LOOKED_AT = 5;

export async function refusalEvidence(asked: Asked, encoder: Encoder | undefined): Promise<RefusalEvidence[]> {
  const rows = await lookUp(asked, encoder, LOOKED_AT);
  return rows.map(({ found, right }) => ({
    kind: evidenceKind(found.evidence, found.bestCosine),
    fits: right.length > 0,
  }));
}

export const inPercent = (value: number): string => `${(100 * value).toFixed(1)} %`;
