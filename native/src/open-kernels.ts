import { wrongType } from "./check-arguments.ts";
import { describeAddonFailure, firstCause } from "./describe-addon-failure.ts";
import { KernelError } from "./errors.ts";
import { type KernelChoice, parseKernelChoice } from "./kernel-choice.ts";
import type { Kernels, SimdLevel } from "./kernels.ts";
import { type AddonSearch, loadAddon } from "./load-addon.ts";
import type { Addon } from "./native/addon.ts";

/** The one environment variable of this package, read here and nowhere else, at the first use of a kernel. */
const variable = "SETWISE_KERNELS";

/** Which kernels run here; `reason` says why they are not native. */
export interface KernelInfo {
  readonly implementation: "native" | "typescript";
  readonly simd: SimdLevel;
  /** The first real cause and its remedy, when the kernels are not native. */
  readonly reason?: string;
  /** The error behind `reason`, with its own causes; not among what is listed or printed. */
  readonly cause?: unknown;
}

const typescriptKernels: Kernels = Object.freeze({ implementation: "typescript", simd: "none" });

let chosen: { readonly kernels: Kernels; readonly choice: KernelChoice } | undefined;
let info: KernelInfo | undefined;

/**
 * The kernels that are used where none are named: by `SETWISE_KERNELS`, else the addon if it loads, else TypeScript. The
 * addon is looked for at the first call, so that importing this package costs nothing.
 *
 * @throws {KernelError} `invalid-argument` for an unknown value of the variable, `missing-dependency` when it demands an
 *   addon that does not load.
 */
export function defaultKernels(): Kernels {
  return (chosen ??= chooseKernels()).kernels;
}

/** The kernels that an option names, else the default ones. */
export function givenKernels(kernels: Kernels | undefined): Kernels {
  if (kernels === undefined) return defaultKernels();
  const implementation: unknown = (kernels as Kernels | null)?.implementation;
  if (implementation === "native" || implementation === "typescript") return kernels;
  throw wrongType("kernels", 'what openKernels gives (for instance `openKernels("typescript")`)', kernels);
}

function chooseKernels(): NonNullable<typeof chosen> {
  const choice = parseKernelChoice(globalThis.process?.env[variable], variable);
  return { kernels: openKernels(choice), choice };
}

/**
 * Opens kernels by name, to compare or to measure them: `new VectorIndex({ …, kernels: openKernels("typescript") })`.
 *
 * @throws {KernelError} `invalid-argument` for an unknown name or a level that this processor does not run,
 *   `missing-dependency` when an addon is demanded and does not load.
 */
export function openKernels(choice: KernelChoice): Kernels {
  const parsed = parseKernelChoice(choice, "kernels");
  if (parsed === "typescript") return typescriptKernels;
  const search = loadAddon();
  if (search.addon !== undefined) return openNative(search.addon, parsed);
  if (parsed === "auto") return typescriptKernels;
  throw missingAddon(parsed, search);
}

function openNative(addon: Addon, choice: KernelChoice): Kernels {
  const levels = addon.simdLevels();
  const level = choice.startsWith("native:") ? choice.slice("native:".length) : levels[0];
  const supported = levels.find((known) => known === level);
  if (supported !== undefined) return Object.freeze({ implementation: "native", simd: supported, addon });
  throw new KernelError("invalid-argument", `${choice}: this processor has ${levels.join(", ")} only.`);
}

function missingAddon(choice: KernelChoice, search: AddonSearch): KernelError {
  const cause = firstCause(search)?.error;
  return new KernelError("missing-dependency", `"${choice}" was asked for. ${describeAddonFailure(search)}`, { cause });
}

/** Says which kernels are used where none are named, and why when they are not native. Throws as {@link defaultKernels}. */
export function kernelInfo(): KernelInfo {
  return (info ??= Object.freeze(describeKernels()));
}

function describeKernels(): KernelInfo {
  const { implementation, simd } = defaultKernels();
  if (implementation === "native") return { implementation, simd };
  if (chosen?.choice === "typescript") return { implementation, simd, reason: `${variable}=typescript asks for it.` };
  const search = loadAddon();
  const described = { implementation, simd, reason: describeAddonFailure(search) };
  return Object.defineProperty(described, "cause", { value: firstCause(search)?.error });
}
