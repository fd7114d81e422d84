/** What the user alone is called, as an owner of memories. */
const user = "user";

/**
 * Who a client is as an owner of memories: what the user's settings call it, else what it calls itself. No client is the
 * user, whatever it says.
 */
export function ownerOf(given: string | undefined, client: string | undefined): string {
  const name = (given || client || "")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64);
  return name === "" ? "mcp" : name === user ? `mcp-${user}` : name;
}
