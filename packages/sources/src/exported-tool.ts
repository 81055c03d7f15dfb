import type { Tool } from "@setwise/core";

/** A tool whose name and schema are fit for a provider. */
export type ExportedTool = Omit<Tool, "original">;
