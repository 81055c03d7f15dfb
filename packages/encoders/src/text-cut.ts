/** Says that the end of a text was left out, because the model takes only so many tokens: a notice, never an error. */
export interface TextCut {
  /** The name of the encoder or scorer. */
  readonly by: string;
  /** 0-based position of the text in the list given. */
  readonly position: number;
  /** How many tokens were kept. */
  readonly tokens: number;
}

export type OnTextCut = (cut: TextCut) => void;
