import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Measurement } from "./measurement.ts";

const crates = fileURLToPath(new URL("../../../native/Cargo.toml", import.meta.url));

/**
 * Measures, and adds what reading so many bytes with next to no arithmetic takes: the faster of a look before and a look
 * after. Without the sources of the kernels or without Rust nothing is added.
 */
export function besideReading(bytes: number, measureScan: () => Measurement): Measurement {
  const before = readMicroseconds(bytes);
  const measurement = measureScan();
  if (before === undefined) return measurement;
  const microseconds = Math.min(before, readMicroseconds(bytes) ?? before);
  return { ...measurement, sides: [...measurement.sides, { name: "reading as many bytes", microseconds }] };
}

function readMicroseconds(bytes: number): number | undefined {
  if (!existsSync(crates)) return undefined;
  const command = ["run", "--quiet", "--release", "--manifest-path", crates, "--package", "setwise-kernels"];
  const { status, stdout } = spawnSync("cargo", [...command, "--example", "read_bandwidth", "--", String(bytes)], {
    encoding: "utf8",
  });
  return status === 0 ? Number(stdout) : undefined;
}
