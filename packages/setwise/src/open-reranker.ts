import { type PairScorer, type Problem, SetwiseError } from "@setwise/core";
import type { CrossEncoder, CrossEncoderOptions } from "@setwise/encoders";
import { trimmedName } from "./trimmed-name.ts";

/**
 * What puts the first candidates in a better order: a scorer of one's own, or the folder of a sequence-classification export in ONNX
 * (`model.onnx` and `tokenizer.json`; `npm install onnxruntime-node`).
 */
export type RerankerChoice = string | PairScorer;

/** A re-ranker that is opened when it is first needed. */
export interface Reranker {
  /**
   * @throws SetwiseError `missing-dependency`, `unreadable-source`, `corrupt-file`, or `invalid-argument` for a model of another kind and
   * after {@link close}.
   */
  scorer(): Promise<PairScorer>;
  /** Says that the model of a folder has cut what it read, once, from the first time on. */
  readonly problems: readonly Problem[];
  /** Frees the model of a folder; a scorer of one's own is left to its owner. */
  close(): Promise<void>;
}

const expected = "expected the folder of a cross-encoder, or a scorer with a name and a score function";

/**
 * The re-ranker that was chosen, not opened yet.
 *
 * @throws SetwiseError `invalid-argument` for what is neither a folder's name nor a scorer.
 */
export function openReranker(choice: RerankerChoice): Reranker {
  if (typeof choice === "string") return rerankerIn(trimmedName("reranker", choice, expected));
  const given: Partial<PairScorer> | null | undefined = choice;
  if (typeof given?.score !== "function" || typeof given.name !== "string") {
    throw new SetwiseError("invalid-argument", `reranker has no name and score function; ${expected}.`);
  }
  return { scorer: () => Promise.resolve(choice), problems: [], close: () => Promise.resolve() };
}

function rerankerIn(folder: string): Reranker {
  let opened: Promise<CrossEncoder> | undefined;
  let isClosed = false;
  const problems: Problem[] = [];
  const onCut: CrossEncoderOptions["onCut"] = ({ by, tokens }) => {
    if (problems.length > 0) return;
    const message = `${by} reads a query and a tool's text as one, up to ${tokens} tokens; where they are longer it has read only the beginning.`;
    problems.push({ code: "text-cut", message });
  };
  return {
    problems,
    async scorer() {
      if (isClosed) throw closed();
      opened ??= openCrossEncoder(folder, { onCut }).catch((cause: unknown) => {
        // It is tried again the next time.
        opened = undefined;
        throw cause;
      });
      const model = await opened;
      if (isClosed) throw closed();
      return model;
    },
    async close() {
      isClosed = true;
      const model = await opened?.catch(() => undefined);
      await model?.dispose();
    },
  };
}

function closed(): SetwiseError {
  return new SetwiseError("invalid-argument", "The selector was closed, and its re-ranker with it; make another.");
}

async function openCrossEncoder(folder: string, options: CrossEncoderOptions): Promise<CrossEncoder> {
  const { createCrossEncoder } = await import("@setwise/encoders");
  return createCrossEncoder(folder, options);
}
