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

type Listener = (cut: { readonly by: string; readonly position: number }) => void;

/** Which call of an encoder a cut belongs to: calls overlap, and an encoder of the whole process serves many. */
const listening = new AsyncLocalStorage<Listener>();

/** The `onCut` of every encoder that is opened here. */
export const hearCut: Listener = (cut) => listening.getStore()?.(cut);

/** An encoder made with {@link hearCut}, which tells of the texts it cuts by themselves instead of by their positions in a batch. */
export function tellingCuts(encoder: Encoder, onCut: (cut: TextCut) => void): Encoder {
  const encode: Encoder["encode"] = (texts, options) => {
    const as = options?.as ?? "document";
    const listener: Listener = ({ by, position }) => onCut({ by, text: texts[position] ?? "", as });
    return listening.run(listener, () => encoder.encode(texts, options));
  };
  return { name: encoder.name, dimensions: encoder.dimensions, encode };
}
