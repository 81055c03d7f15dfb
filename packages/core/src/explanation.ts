/** Why a number is what it is: a value, a sentence, and the parts it is made of. */
export interface Explanation {
  readonly value: number;
  readonly sentence: string;
  readonly children: readonly Explanation[];
}
