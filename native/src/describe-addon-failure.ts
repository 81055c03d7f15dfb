import type { AddonFailure, AddonSearch } from "./load-addon.ts";

/** The first thing that really went wrong: a file that is there and does not load says more than one that is not there. */
export function firstCause(search: AddonSearch): AddonFailure | undefined {
  return search.failures.find((failure) => failure.kind !== "absent") ?? search.failures.find(isPackage);
}

/** In words: the first real cause, the remedy, the platform, and what else was tried. */
export function describeAddonFailure(search: AddonSearch, platform: string = describePlatform()): string {
  const first = firstCause(search);
  if (first === undefined) return `There is no addon for this platform (${platform}).`;
  if (first.kind === "bundled") return `${bundled} (${platform})`;
  const tried = search.failures.map((failure) => `${failure.specifier}: ${outcome(failure)}`).join("; ");
  return `${cause(first)} ${remedy(first)} (${platform}; tried ${tried})`;
}

const bundled =
  "This package was bundled into a file from which no addon can be found: keep @setwise/native external (`external` in esbuild and " +
  "Rollup, `externals` in webpack, `serverExternalPackages` in Next.js).";

function cause(failure: AddonFailure): string {
  if (failure.kind === "absent") return `The addon's package ${failure.specifier} is not installed.`;
  return `The addon ${failure.specifier} is there but cannot be used: ${messages(failure.error)}.`;
}

function remedy(failure: AddonFailure): string {
  if (!isPackage(failure)) return "Build it again with `npm run build:addon`.";
  if (failure.kind === "other-version") return "Install the same version of it and of @setwise/native.";
  return (
    "Install again on this machine with optional dependencies; where the lock file was written on another platform, " +
    "remove it and node_modules first. Bundled code finds it only if @setwise/native is kept external. In a checkout of Setwise run " +
    "`npm run build:addon` (needs Rust)."
  );
}

function outcome(failure: AddonFailure): string {
  return failure.kind === "absent" ? "not there" : messages(failure.error);
}

function isPackage(failure: AddonFailure): boolean {
  return failure.specifier.startsWith("@");
}

/** How far a chain of causes is followed. */
const longestChain = 8;

/** The first line of an error and of every error behind it. */
function messages(error: unknown): string {
  const lines: string[] = [];
  for (let current = error; current !== undefined && lines.length < longestChain;) {
    const message = current instanceof Error ? current.message : String(current);
    lines.push(message.split("\n", 1)[0] ?? "");
    current = current instanceof Error ? current.cause : undefined;
  }
  return lines.join(", because ");
}

/** Such as `linux x64, glibc 2.36, node 20.20.2`. */
function describePlatform(): string {
  const libc = process.platform === "linux" ? `, ${describeLibc()}` : "";
  return `${process.platform} ${process.arch}${libc}, node ${process.versions.node}`;
}

/** Asks the running process: what lies in the file system may belong to another C library. */
function describeLibc(): string {
  const report = process.report as typeof process.report & { excludeNetwork?: boolean };
  const before = report.excludeNetwork ?? false;
  try {
    // Without this a report looks up the names of all open connections.
    report.excludeNetwork = true;
    const { header } = report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
    return header.glibcVersionRuntime === undefined ? "musl" : `glibc ${header.glibcVersionRuntime}`;
  } catch {
    return "unknown C library";
  } finally {
    report.excludeNetwork = before;
  }
}
