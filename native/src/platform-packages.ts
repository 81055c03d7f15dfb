type Require = (specifier: string) => unknown;

/** Where an addon may lie: beside a checkout's sources, or in the package that the registry has for a platform. */
export interface AddonFile {
  readonly specifier: string;
  readonly load: (require: Require) => unknown;
}

// Every specifier is written out, so that bundlers and file tracers can see it.
const local: Record<string, AddonFile["load"]> = {
  "linux-x64-gnu": (require) => require("../setwise.linux-x64-gnu.node"),
  "linux-x64-musl": (require) => require("../setwise.linux-x64-musl.node"),
  "linux-arm64-gnu": (require) => require("../setwise.linux-arm64-gnu.node"),
  "linux-arm64-musl": (require) => require("../setwise.linux-arm64-musl.node"),
  "win32-x64-msvc": (require) => require("../setwise.win32-x64-msvc.node"),
  "win32-arm64-msvc": (require) => require("../setwise.win32-arm64-msvc.node"),
  "darwin-arm64": (require) => require("../setwise.darwin-arm64.node"),
  "darwin-x64": (require) => require("../setwise.darwin-x64.node"),
};
const published: Record<string, AddonFile["load"]> = {
  "linux-x64-gnu": (require) => require("@setwise/native-linux-x64-gnu"),
  "linux-x64-musl": (require) => require("@setwise/native-linux-x64-musl"),
  "linux-arm64-gnu": (require) => require("@setwise/native-linux-arm64-gnu"),
  "linux-arm64-musl": (require) => require("@setwise/native-linux-arm64-musl"),
  "win32-x64-msvc": (require) => require("@setwise/native-win32-x64-msvc"),
  "win32-arm64-msvc": (require) => require("@setwise/native-win32-arm64-msvc"),
  "darwin-arm64": (require) => require("@setwise/native-darwin-arm64"),
  "darwin-x64": (require) => require("@setwise/native-darwin-x64"),
};

/**
 * The files to try on a platform, in this order. On Linux the glibc build comes first and the musl build second: only one
 * of them loads into a running process, so the process itself decides, and no guess about its C library can be wrong.
 */
export function addonFiles(platform: string, architecture: string): readonly AddonFile[] {
  const base = `${platform}-${architecture}`;
  const targets = [base, `${base}-gnu`, `${base}-musl`, `${base}-msvc`].filter((target) => target in published);
  return [
    ...targets.map((target) => ({ specifier: `../setwise.${target}.node`, load: local[target]! })),
    ...targets.map((target) => ({ specifier: `@setwise/native-${target}`, load: published[target]! })),
  ];
}
