import type { Tool } from "@setwise/core";
import type { GraphProblem } from "./hypergraph.ts";
import { isOpaque } from "./opaque-names.ts";
import { type PortKind, type PortNode, portId } from "./ports.ts";
import { type SchemaPlace, schemaPlaces } from "./schema-places.ts";
import { type ToldId, toldIds } from "./told-ids.ts";

/** Required values of nested arguments are found this deep. */
const INPUT_BOUNDS = { maxDepth: 4, maxPlaces: 512 };
/** Results nest deeper: envelope, list, item, part, field. */
const OUTPUT_BOUNDS = { maxDepth: 6, maxPlaces: 256 };

export interface ToolPorts {
  /** Inputs, then outputs; preconditions and effects come from elsewhere. */
  readonly nodes: readonly PortNode[];
  readonly problems: readonly GraphProblem[];
}

export interface ToolPortsOptions {
  /**
   * Whether arguments without a default count as required: for a list of tools of which none ever says what is required. Where some
   * do, a schema without `required` requires nothing.
   */
  readonly assumeRequired: boolean;
}

/** The nodes of a tool from its schemas. A tool without a schema of its result has one output, the result as a whole, and the ids that it tells of. */
export function toolPorts(tool: Tool, ordinal: number, { assumeRequired }: ToolPortsOptions): ToolPorts {
  const taken = schemaPlaces(tool.inputSchema, INPUT_BOUNDS);
  const given = schemaPlaces(tool.outputSchema ?? {}, OUTPUT_BOUNDS);
  const node = (place: SchemaPlace, kind: PortKind, required: boolean): PortNode => ({
    id: portId(tool.id, kind, place.path),
    tool: ordinal,
    kind,
    path: place.path,
    description: place.description,
    type: place.type,
    required,
    opaque: place.path.length > 0 && isOpaque(place),
    isWildcard: !place.isContainer && (place.type === undefined || place.type === "object") && !place.hasChoices,
  });
  const inputs = taken.places.slice(1).map((place) => node(place, "in", isDeficit(place, assumeRequired)));
  const outputs = given.places.map((place) => node(place, "out", false));
  if (tool.outputSchema === undefined) outputs.push(...toldIds(tool).map((id) => toldOutput(tool.id, ordinal, id)));
  const problems = [...taken.problems, ...given.problems].map((problem) => ({ ...problem, toolId: tool.id }));
  return { nodes: [...inputs, ...outputs], problems };
}

function toldOutput(toolId: string, ordinal: number, { name, by }: ToldId): PortNode {
  return {
    id: portId(toolId, "out", [name]),
    tool: ordinal,
    kind: "out",
    path: [name],
    description: "",
    type: undefined,
    required: false,
    opaque: true,
    isWildcard: true,
    told: by,
  };
}

/** What a call fails without and a person or another tool must say: not what has a default, a list of choices, or is yes or no. */
function isDeficit(place: SchemaPlace, assumeRequired: boolean): boolean {
  if (place.hasDefault || place.hasChoices || place.isContainer || place.type === "boolean") return false;
  return assumeRequired ? place.path.length === 1 : place.isRequired;
}

/** Whether no tool of the list ever says what it requires. */
export function neverSaysRequired(tools: readonly Tool[]): boolean {
  return !tools.some((tool) => Array.isArray(tool.inputSchema["required"]));
}
