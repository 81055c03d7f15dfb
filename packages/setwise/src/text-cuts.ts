import { AsyncLocalStorage } from "node:async_hooks";
import type { Encoder } from "@setwise/core";

/** A text of which an encoder has read only the beginning. */
export interface TextCut {
  /** The encoder's name. */
  readonly by: string;
  /** The whole text. */
  readonly text: string;
  readonly as: "query" | "document";
}

interface PlacedCut {
  readonly by: string;
  readonly position: number;
}

interface Call {
  /** Told of a cut of one of the call's texts, and tells the calls around it. */
  readonly tell: (cut: TextCut) => void;
  readonly atPosition: (cut: PlacedCut) => void;
}

/** Which call of an encoder a cut belongs to: calls overlap, and an encoder of the whole process serves many. */
const calls = new AsyncLocalStorage<Call>();

/** The `onCut` of every encoder that is opened here. */
export const hearCut = (cut: PlacedCut): void => calls.getStore()?.atPosition(cut);

/**
 * The same encoder, which tells of the texts it cuts by themselves instead of by their positions in a batch. It must have been made
 * with {@link hearCut}, or hold one that was: where one telling encoder uses another, both tell.
 */
export function tellingCuts(encoder: Encoder, onCut: (cut: TextCut) => void): Encoder {
  const encode: Encoder["encode"] = (texts, options) => {
    const as = options?.as ?? "document";
    const around = calls.getStore();
    const tell = (cut: TextCut): void => {
      onCut(cut);
      around?.tell(cut);
    };
    const atPosition = ({ by, position }: PlacedCut): void => tell({ by, text: texts[position] ?? "", as });
    return calls.run({ tell, atPosition }, () => encoder.encode(texts, options));
  };
  return { name: encoder.name, dimensions: encoder.dimensions, encode };
}
