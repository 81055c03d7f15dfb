import { contrastLoss, distilLoss } from "./losses.ts";
import { backToRows, similarities } from "./similarities.ts";
import type { Table, TokenizedTexts } from "./table.ts";
import { encodeBatch, tokenGradient } from "./token-gradient.ts";

/** Texts that belong together: `left` i with `right` i. */
export interface TokenizedPairs {
  readonly left: TokenizedTexts;
  readonly right: TokenizedTexts;
  /** The texts themselves, so that equal ones are recognised. */
  readonly texts: readonly (readonly [string, string])[];
}

export interface TaughtTexts {
  readonly texts: TokenizedTexts;
  /** Unit vectors, texts × the teacher's dimensions. */
  readonly teacher: Float32Array;
}

export interface SharpenOptions {
  readonly epochs: number;
  readonly rate: number;
  readonly random: () => number;
  readonly onProgress?: (line: string) => void;
}

const batch = 256;
/** Temperatures of the two losses; tried: 0.03 to 0.1 for pairs, 0.05 to 0.15 for the teacher. */
const pairTemperature = 0.05;
const teacherTemperature = 0.1;
/** The rate rises for so many steps and then falls in a line to a tenth. */
const warmUp = 20;
const lastShare = 0.1;

/**
 * Moves the rows of `table` so that texts of a pair are nearer to each other than to those of other pairs, while
 * similarities between any texts stay as the teacher's are; both on one batch a step.
 */
export function sharpen(table: Table, pairs: TokenizedPairs, taught: TaughtTexts, options: SharpenOptions): void {
  const { epochs, rate, random, onProgress } = options;
  const gradient = tokenGradient(table);
  const perEpoch = Math.floor(pairs.texts.length / batch);
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = shuffled(pairs.texts.length, random);
    let [contrast, distil] = [0, 0];
    for (let place = 0; place < perEpoch; place++) {
      const step = epoch * perEpoch + place;
      contrast += learnPairs(table, pairs, order.slice(place * batch, (place + 1) * batch), gradient);
      const texts = Array.from({ length: batch }, () => Math.floor(random() * (taught.texts.starts.length - 1)));
      distil += learnTeacher(table, taught, texts, gradient);
      gradient.step(rate * Math.min(1, (step + 1) / warmUp) * (1 - (1 - lastShare) * (step / (epochs * perEpoch))));
      if ((place + 1) % 20 === 0 || place + 1 === perEpoch)
        onProgress?.(
          `sharpen: epoch ${epoch + 1} of ${epochs}, ${place + 1} of ${perEpoch}, pairs ${(contrast / (place + 1)).toFixed(3)}, teacher ${(distil / (place + 1)).toFixed(3)}`,
        );
    }
  }
}

type Gradient = ReturnType<typeof tokenGradient>;

function learnPairs(table: Table, pairs: TokenizedPairs, chosen: readonly number[], gradient: Gradient): number {
  const left = encodeBatch(pairs.left, chosen, table);
  const right = encodeBatch(pairs.right, chosen, table);
  const texts = chosen.map((pair) => pairs.texts[pair]!);
  const same = (a: number, b: number) => texts[a]![0] === texts[b]![0] || texts[a]![1] === texts[b]![1];
  const loss = contrastLoss(similarities(left.vectors, right.vectors, batch), batch, {
    temperature: pairTemperature,
    same,
  });
  const [byLeft, byRight] = backToRows(loss.gradient, left.vectors, right.vectors, batch);
  gradient.add(left, byLeft);
  gradient.add(right, byRight);
  return loss.value;
}

function learnTeacher(
  table: Table,
  { texts, teacher }: TaughtTexts,
  chosen: readonly number[],
  gradient: Gradient,
): number {
  const own = encodeBatch(texts, chosen, table);
  const size = teacher.length / (texts.starts.length - 1);
  const rows = new Float32Array(batch * size);
  for (const [place, text] of chosen.entries())
    rows.set(teacher.subarray(text * size, (text + 1) * size), place * size);
  const same = (a: number, b: number) => chosen[a] === chosen[b];
  const loss = distilLoss(similarities(own.vectors, own.vectors, batch), similarities(rows, rows, batch), batch, {
    temperature: teacherTemperature,
    same,
  });
  const [asRow, asColumn] = backToRows(loss.gradient, own.vectors, own.vectors, batch);
  for (let index = 0; index < asRow.length; index++) asRow[index]! += asColumn[index]!;
  gradient.add(own, asRow);
  return loss.value;
}

function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  for (let place = count - 1; place > 0; place--) {
    const other = Math.floor(random() * (place + 1));
    [order[place], order[other]] = [order[other]!, order[place]!];
  }
  return order;
}
