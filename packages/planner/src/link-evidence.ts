import { type PortMeaning, rowCosine } from "./port-meaning.ts";
import type { PortWorld } from "./port-world.ts";
import { typeFit } from "./type-fit.ts";

/** What speaks for a link from an output to an input, each 0 to 1. */
export const evidenceNames = [
  /** Always 1. */
  "always",
  /** Both have the same name. */
  "sameName",
  /** Rare words that the names share, of all they have. */
  "namesAlike",
  /** Of the input's name, what the output and its surroundings have. */
  "inputCovered",
  /** Of the output's name, what the input and its surroundings have. */
  "outputCovered",
  "bothCovered",
  /** Of the tool's objects, what the input's description mentions. */
  "toolMentioned",
  /** Words that the names of the two tools share, of all they have. */
  "toolsAlike",
  "sameServer",
  /** Cosine of the two texts. */
  "meaning",
  /** Cosine of the producer as a whole to the input. */
  "toolMeaning",
  /** Cosine of the two tools. */
  "toolsMeaning",
  "sameConcept",
  /** The producer takes an argument of the input's name itself. */
  "takesTheSame",
  /** The producer needs nothing. */
  "needsNothing",
  "conceptForNothing",
  /** The producer signs in, and the input is what one gets by that. */
  "signsIn",
  "creates",
  "changes",
  /** The output is a result of which nothing is known. */
  "whole",
  "wholeSameName",
  "wrongType",
  "opaque",
  "opaqueSameName",
  /** The input is opaque and the output is not. */
  "opaqueFromPlain",
  "opaqueToolsAlike",
  "meaningToolsAlike",
  "optional",
] as const;

export type EvidenceReader = (output: number, into: Float64Array) => void;

const one = (value: boolean): number => (value ? 1 : 0);

/** Reads the evidence for links into one input. */
export function evidenceFor(world: PortWorld, meaning: PortMeaning | undefined, input: number): EvidenceReader {
  const { nodes, ports, tools, rarity } = world;
  const node = nodes[input]!;
  const port = ports[input]!;
  const { signals: consumer, whole: consumerWhole } = tools[node.tool]!;
  const own = new Set(port.name);
  const around = new Set(port.context);
  const mentioned = new Set(port.mentions);
  const consumerWords = new Set(consumer.words);
  const ownWeight = sum(port.name, rarity);
  const consumerWeight = sum(consumer.words, rarity);
  const inputRow = meaning?.rows[input] ?? 0;
  const consumerRow = meaning?.rows[consumerWhole] ?? 0;

  return (output, into) => {
    const from = nodes[output]!;
    const given = ports[output]!;
    const { signals: producer, whole, argumentKeys, needsNothing: isFree } = tools[from.tool]!;
    let shared = 0;
    let outputCovered = 0;
    let outputWeight = 0;
    for (const word of given.name) {
      const weight = rarity(word);
      outputWeight += weight;
      if (own.has(word)) shared += weight;
      if (own.has(word) || around.has(word)) outputCovered += weight;
    }
    let covered = shared;
    for (const word of given.context) if (own.has(word)) covered += rarity(word);
    let toolShared = 0;
    let toolWeight = 0;
    for (const word of producer.words) {
      const weight = rarity(word);
      toolWeight += weight;
      if (consumerWords.has(word)) toolShared += weight;
    }
    let mentions = 0;
    let objectWeight = 0;
    for (const word of producer.objects) {
      const weight = rarity(word);
      objectWeight += weight;
      if (mentioned.has(word)) mentions += weight;
    }
    const sameName = one(given.key === port.key && port.key !== "");
    const inputShare = share(covered, ownWeight);
    const outputShare = share(outputCovered, outputWeight);
    const toolsAlike = share(toolShared, toolWeight + consumerWeight - toolShared);
    const sameConcept = one(port.concepts.some((c) => given.concepts.includes(c) || producer.concepts.includes(c)));
    const needsNothing = one(isFree);
    const producerRow = meaning === undefined ? 0 : meaning.rows[whole]!;
    const cosine = meaning === undefined ? 0 : rowCosine(meaning, meaning.rows[output]!, inputRow);
    const isWhole = from.path.length === 0;
    let place = 0;
    const put = (value: number): void => void (into[place++] = value);
    put(1);
    put(sameName);
    put(share(shared, ownWeight + outputWeight - shared));
    put(inputShare);
    put(outputShare);
    put(inputShare * outputShare);
    put(share(mentions, objectWeight));
    put(toolsAlike);
    put(one(producer.server !== undefined && producer.server === consumer.server));
    put(cosine);
    put(meaning === undefined ? 0 : isWhole ? cosine : rowCosine(meaning, producerRow, inputRow));
    put(meaning === undefined ? 0 : rowCosine(meaning, producerRow, consumerRow));
    put(sameConcept);
    put(one(argumentKeys.has(port.key)));
    put(needsNothing);
    put(sameConcept * needsNothing);
    put(one(producer.deed === "signs-in" && port.concepts.includes("login")));
    put(one(producer.deed === "creates"));
    put(one(producer.deed === "changes"));
    put(one(isWhole));
    put(one(isWhole) * sameName);
    put(1 - typeFit(from, node));
    put(one(node.opaque));
    put(one(node.opaque) * sameName);
    put(one(node.opaque && !from.opaque && !isWhole));
    put(one(node.opaque) * toolsAlike);
    put(cosine * toolsAlike);
    put(one(!node.required));
  };
}

function sum(words: readonly string[], rarity: (word: string) => number): number {
  let total = 0;
  for (const word of words) total += rarity(word);
  return total;
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
