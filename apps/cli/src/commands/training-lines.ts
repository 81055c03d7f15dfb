import type { TrainedModel } from "setwise";

/** Pairs and suspected labels that are told of. */
const SHOWN = 10;

/** The log, the comparison and the verdict, in lines. */
export function trainingLines(
  { model, report, calibration, restarted, lines, problems }: TrainedModel,
  { explain }: { readonly explain?: boolean },
): string[] {
  const isMeasured = report.measuredOn > 0;
  const rows = report.contenders.map(({ name, figures, difference, kept }) => {
    const { recall3, ndcg3, completeness3, recall5, completeness5, exact = 0 } = figures;
    const columns = [recall3, ndcg3, completeness3, recall5, completeness5, exact].map((value) =>
      (isMeasured ? percent(value) : "–").padStart(8),
    );
    const gain =
      difference === undefined
        ? ""
        : `  ${signed(difference.mean)} (95 %: ${signed(difference.low)} to ${signed(difference.high)})`;
    return `${kept ? "*" : " "} ${name.padEnd(24)}${columns.join("")}${gain}`;
  });
  const header = ["R@3", "N@3", "C@3", "R@5", "C@5", "exact"].map((name) => name.padStart(8)).join("");
  return [
    ...(restarted === undefined ? [] : [`The training that was interrupted could not be gone on with: ${restarted}`]),
    `${lines} lines, ${report.queries} requests; ${report.developmentQueries} of them set aside to choose on`,
    ...problems.map(({ message }) => `  ${message}`),
    ...suspicions(report),
    "",
    `  ${"".padEnd(24)}${header}  gain over what was kept before`,
    ...rows,
    "exact: the likeliest set, which --goal exact hands over, is the right one; R, N and C are of the order, for every goal",
    `expected calibration error of P(tool), on halves held out: ${isMeasured ? model.facts.development.calibrationError.toFixed(3) : "not measured"}`,
    "",
    report.verdict,
    ...(calibration?.changes ?? []),
    ...(report.stopped === undefined
      ? []
      : [
          `The stage of the ${report.stopped} was stopped: a number was no longer finite. What was learned before it is kept.`,
        ]),
    ...(explain === true ? pairs(model) : []),
  ];
}

function suspicions({ suspected }: TrainedModel["report"]): string[] {
  if (suspected.length === 0) return [];
  const pairsTold = suspected.slice(0, SHOWN).map(({ one, other }) => `    ${short(one)} | ${short(other)}`);
  return [
    `  ${suspected.length} pairs of nearly the same requests have no tool in common; their labels may be wrong:`,
    ...pairsTold,
  ];
}

/** The tools that the log has together most above chance. */
function pairs({ coUse, tools }: TrainedModel["model"]): string[] {
  const order = [...coUse.values.keys()]
    .sort((a, b) => (coUse.values[b] ?? 0) - (coUse.values[a] ?? 0))
    .slice(0, SHOWN);
  const nameAt = (place: number): string => tools[coUse.pairs[place] ?? 0]?.id ?? "";
  const lines = order.map(
    (at) =>
      `  ${nameAt(2 * at)} + ${nameAt(2 * at + 1)}: ${Math.exp(coUse.values[at] ?? 0).toFixed(1)} × as often as by chance`,
  );
  return lines.length === 0 ? ["", "No pairs were kept."] : ["", "Tools that belong together:", ...lines];
}

function short(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

export function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function signed(share: number): string {
  return `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)}`;
}
