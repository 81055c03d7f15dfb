import { arch, cpus, platform } from "node:os";
import { kernelInfo } from "@setwise/native";

/** What the figures of this run were taken on. */
export function machine(): string {
  const { implementation, simd } = kernelInfo();
  const kernels = implementation === "native" ? `native ${simd}` : implementation;
  return `${cpus()[0]?.model.trim()} (${cpus().length} threads), ${platform()} ${arch()}, Node ${process.version}, kernels ${kernels}`;
}
