import { createRequire } from "node:module";
import { type Addon, boundaryVersion } from "./native/addon.ts";
import { addonFiles } from "./platform-packages.ts";

/**
 * One file that did not give an addon: it is not there, it did not load, or it is of another version of this package. Or this package
 * was bundled into a file that does not know its own address, so that no file could be looked for.
 */
export interface AddonFailure {
  readonly specifier: string;
  readonly kind: "absent" | "broken" | "other-version" | "bundled";
  readonly error: unknown;
}

/** The outcome of looking for the addon; `failures` are all files tried, in order, when there is none. */
export interface AddonSearch {
  readonly addon?: Addon;
  readonly failures: readonly AddonFailure[];
}

/** What the search needs to know of the process. */
export interface AddonHost {
  readonly platform: string;
  readonly architecture: string;
  readonly require: (specifier: string) => unknown;
}

let found: AddonSearch | undefined;

/** Looks for the addon, once a thread. */
export function loadAddon(): AddonSearch {
  // Made at the first call, not when this module loads: inside some bundles there is no address to make it from.
  return (found ??= searchAddonFrom(() => createRequire(import.meta.url)));
}

/** Looks for the addon of this process, if files can be looked for at all. */
export function searchAddonFrom(makeRequire: () => AddonHost["require"]): AddonSearch {
  let require: AddonHost["require"];
  try {
    require = makeRequire();
  } catch (error) {
    return { failures: [{ specifier: "@setwise/native", kind: "bundled", error }] };
  }
  return searchAddon({ platform: process.platform, architecture: process.arch, require });
}

/** Tries the files of a platform one after the other. */
export function searchAddon(host: AddonHost): AddonSearch {
  const failures: AddonFailure[] = [];
  for (const file of addonFiles(host.platform, host.architecture)) {
    try {
      const addon = file.load(host.require) as Addon;
      const version = typeof addon.boundaryVersion === "function" ? addon.boundaryVersion() : undefined;
      if (version === boundaryVersion) return { addon, failures };
      const error = new Error(`it speaks version ${version} of the boundary, this package speaks ${boundaryVersion}`);
      failures.push({ specifier: file.specifier, kind: "other-version", error });
    } catch (error) {
      failures.push({ specifier: file.specifier, kind: isAbsent(error, file.specifier) ? "absent" : "broken", error });
    }
  }
  return { failures };
}

/** Whether the file itself is missing, rather than something that it needs. */
function isAbsent(error: unknown, specifier: string): boolean {
  return (
    error instanceof Error &&
    (error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND" &&
    error.message.startsWith(`Cannot find module '${specifier}'`)
  );
}
