/** One folder that has another name where the session goes on. */
export interface PathMapping {
  readonly from: string;
  readonly to: string;
}

/** A mapping as people write it: a slash at the end says nothing. */
export function mappingOf(from: string, to: string): PathMapping {
  return { from: withoutEnd(from), to: withoutEnd(to) };
}

function withoutEnd(path: string): string {
  return path.replace(/(?<=.)\/+$/, "");
}

/**
 * The value with every path below a mapped folder moved; text that only mentions a path stays as it was
 * said. Returns the same value where nothing moved.
 */
export function mapPaths<T>(value: T, mappings: readonly PathMapping[]): T {
  return mappings.length === 0 ? value : (walk(value, mappings) as T);
}

/** One path moved by the first mapping that holds it. */
export function mapPath(path: string, mappings: readonly PathMapping[]): string {
  for (const { from, to } of mappings) {
    if (path === from) return to;
    const below = from === "/" ? from : `${from}/`;
    if (path.startsWith(below)) return `${to === "/" ? "" : to}/${path.slice(below.length)}`;
  }
  return path;
}

function walk(value: unknown, mappings: readonly PathMapping[]): unknown {
  // What has several lines is the content of a file, not its place.
  if (typeof value === "string") return value.includes("\n") ? value : mapPath(value, mappings);
  if (Array.isArray(value)) return value.map((inner) => walk(inner, mappings));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, walk(inner, mappings)]),
  );
}
