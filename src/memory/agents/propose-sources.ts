import { limits } from "../../base/limits.ts";
import type { NewMemory } from "../entry.ts";
import type { Memory } from "../memory.ts";
import { plainLine } from "../plain-text.ts";
import type { Proposed } from "../propose/propose.ts";
import { originsField } from "./origin.ts";
import { type AgentSource, agentSources, type SourcesWanted } from "./sources.ts";

const keyChars = 120;

/**
 * Puts what agents keep themselves into the inbox, with where it stands: as imported, which it stays for ever. What is
 * known, waits, was rejected or forgotten is not proposed again.
 */
export async function proposeSources(
  memory: Memory,
  { masked, ...wanted }: SourcesWanted & { masked(text: string): string },
): Promise<Omit<Proposed, "isSealed">> {
  const sources = await agentSources(memory, wanted);
  const fresh = sources.filter(({ known }) => known === undefined);
  const given = fresh.map((source) => proposalOf(source, masked));
  const added = given.length === 0 ? [] : await memory.storeAll(given);
  return { added, known: sources.length - fresh.length };
}

function proposalOf(
  { text, origins, print }: AgentSource,
  masked: (text: string) => string,
): NewMemory {
  const value = masked(text);
  const agents = [...new Set(origins.map(({ agent }) => agent))];
  return {
    key: `${agents[0]}: ${plainLine(value, keyChars)}`,
    value,
    type: "knowledge",
    status: "proposed",
    provenance: "imported",
    tags: ["proposal", "source", ...agents],
    metadata: {
      print,
      keyOf: "value",
      [originsField]: origins.slice(0, limits.memoryLinks),
    },
  };
}
