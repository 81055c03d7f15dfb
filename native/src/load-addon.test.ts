import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeAddonFailure, firstCause } from "./describe-addon-failure.ts";
import { searchAddon, searchAddonFrom } from "./load-addon.ts";
import { boundaryVersion } from "./native/addon.ts";

const nodeRequire = createRequire(import.meta.url);
const linux = { platform: "linux", architecture: "x64" };

/** A process in which these modules are installed, each given by what loading it does, and no others. */
function installed(modules: Record<string, () => unknown>): (specifier: string) => unknown {
  return (specifier) => {
    const load = modules[specifier];
    if (load !== undefined) return load();
    throw Object.assign(new Error(`Cannot find module '${specifier}'\nRequire stack:\n- /x`), {
      code: "MODULE_NOT_FOUND",
    });
  };
}

const good = { boundaryVersion: () => boundaryVersion };

test("a local build comes before an installed package", () => {
  const local = { ...good };
  const require = installed({
    "../setwise.linux-x64-gnu.node": () => local,
    "@setwise/native-linux-x64-gnu": () => good,
  });
  expect(searchAddon({ ...linux, require }).addon).toBe(local);
});

test("the musl build is used where the glibc build does not load", () => {
  const require = installed({
    "@setwise/native-linux-x64-gnu": () => {
      throw new Error("Error loading shared library ld-linux-x86-64.so.2");
    },
    "@setwise/native-linux-x64-musl": () => good,
  });
  expect(searchAddon({ ...linux, require }).addon).toBe(good);
});

test("an absent package is named with the remedy, the platform and what was tried", () => {
  const search = searchAddon({ ...linux, require: installed({}) });
  expect(search.addon).toBeUndefined();
  expect(describeAddonFailure(search, "linux x64, glibc 2.36")).toBe(
    "The addon's package @setwise/native-linux-x64-gnu is not installed. Install again on this machine with optional " +
      "dependencies; where the lock file was written on another platform, remove it and node_modules first. Bundled code finds it only if @setwise/native is kept external. In a checkout of " +
      "Setwise run `npm run build:addon` (needs Rust). (linux x64, glibc 2.36; tried ../setwise.linux-x64-gnu.node: not there; ../setwise.linux-x64-musl.node: not there; " +
      "@setwise/native-linux-x64-gnu: not there; @setwise/native-linux-x64-musl: not there)",
  );
});

test("where the package was bundled without an address the remedy is to keep it external", () => {
  const search = searchAddonFrom(() => createRequire(undefined as never));
  expect(firstCause(search)).toMatchObject({ kind: "bundled", error: expect.any(Error) });
  expect(describeAddonFailure(search, "linux x64")).toMatch(
    /^This package was bundled .*: keep @setwise\/native external \(.*\)\. \(linux x64\)$/,
  );
});

test("a file that is there and does not load is the cause, not the ones that are absent", () => {
  const folder = mkdtempSync(join(tmpdir(), "setwise-addon-"));
  const file = join(folder, "broken.node");
  writeFileSync(file, "not a shared library");
  const search = searchAddon({
    ...linux,
    require: installed({ "@setwise/native-linux-x64-musl": () => nodeRequire(file) }),
  });
  expect(firstCause(search)).toMatchObject({ specifier: "@setwise/native-linux-x64-musl", kind: "broken" });
  expect(firstCause(search)?.error).toMatchObject({ code: "ERR_DLOPEN_FAILED" });
  expect(describeAddonFailure(search)).toMatch(
    /^The addon @setwise\/native-linux-x64-musl is there but cannot be used: .*broken\.node.* Install again/,
  );
  rmSync(folder, { recursive: true });
});

test("the whole chain of causes is told", () => {
  const cause = new Error("version GLIBC_2.38 not found", { cause: "disk full" });
  const require = installed({
    "../setwise.linux-x64-gnu.node": () => {
      throw new Error("cannot load", { cause });
    },
  });
  expect(describeAddonFailure(searchAddon({ ...linux, require }))).toMatch(
    /cannot be used: cannot load, because version GLIBC_2.38 not found, because disk full\. Build it again with/,
  );
});

test("a module that an installed package lacks is its own fault, not its absence", () => {
  const require = installed({ "@setwise/native-linux-x64-gnu": () => installed({})("./setwise.linux-x64-gnu.node") });
  const search = searchAddon({ ...linux, require });
  expect(firstCause(search)).toMatchObject({ specifier: "@setwise/native-linux-x64-gnu", kind: "broken" });
});

test("an addon of another version is refused and says so", () => {
  for (const [version, said] of [
    [() => 99, "99"],
    [undefined, "undefined"],
  ] as const) {
    const require = installed({ "@setwise/native-linux-x64-gnu": () => ({ boundaryVersion: version }) });
    expect(describeAddonFailure(searchAddon({ ...linux, require }))).toMatch(
      `it speaks version ${said} of the boundary, this package speaks ${boundaryVersion}. Install the same version`,
    );
  }
});

test("a platform without an addon is named", () => {
  const search = searchAddon({ platform: "sunos", architecture: "sparc", require: installed({}) });
  expect(search.failures).toEqual([]);
  expect(describeAddonFailure(search, "sunos sparc")).toBe("There is no addon for this platform (sunos sparc).");
});

test("the description names the running platform", () => {
  const text = describeAddonFailure(searchAddon({ ...linux, require: installed({}) }));
  expect(text).toContain(`(${process.platform} ${process.arch}`);
  expect(text).toContain(`node ${process.versions.node}; tried`);
});
