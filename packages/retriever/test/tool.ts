import { type Catalog, createCatalog, type Tool } from "@setwise/core";

/** A tool for tests; `properties` are those of its arguments. */
export function tool(name: string, description = "", more: Partial<Tool> & { properties?: object } = {}): Tool {
  const { properties = {}, ...rest } = more;
  const id = rest.server === undefined ? name : `${rest.server}/${name}`;
  return { id, name, description, inputSchema: { type: "object", properties }, original: null, ...rest };
}

/** A catalog of tools that have nothing but a name. */
export function namedTools(...names: string[]): Catalog {
  return createCatalog(names.map((name) => tool(name)));
}
