import type { McpServer, ReadResourceResult } from "@modelcontextprotocol/server";
import { ResourceTemplate } from "@modelcontextprotocol/server";
import { findNewest } from "../../agents/find-sessions.ts";
import { RepriseError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { openMemory } from "../../memory/memory.ts";
import { answerText, label, type Reply } from "./answer.ts";
import { memoryItem } from "./memories.ts";
import { openSession, searchOn } from "./sessions.ts";
import type { McpCall } from "./tool.ts";
import { sessionPage } from "./tools/get-session.ts";

/** Does something for a client, in its turn. */
export type Serve = <T>(
  context: { readonly mcpReq: { readonly signal: AbortSignal } },
  work: (call: McpCall) => Promise<T>,
) => Promise<T>;

const listed = 50;

/** Lets clients list and read sessions and memories of this project by address. */
export function addResources(server: McpServer, serve: Serve): void {
  server.registerResource(
    "session",
    new ResourceTemplate("reprise://session/{agent}/{session}", {
      list: (context) => serve(context, async (call) => ({ resources: await sessionList(call) })),
    }),
    { title: "Session", description: "A session of a coding agent, its first page", mimeType },
    (uri, { agent, session }, context) =>
      serve(context, async (call) => {
        const named = await openSession(`${one(agent)}:${one(session)}`, call);
        return contents(uri, sessionPage(named, { tools: "short" }));
      }),
  );
  server.registerResource(
    "memory",
    new ResourceTemplate("reprise://memory/{id}", {
      list: (context) => serve(context, async (call) => ({ resources: await memoryList(call) })),
    }),
    { title: "Memory", description: "Something that is remembered about this project", mimeType },
    (uri, { id }, context) =>
      serve(context, async (call) => contents(uri, await memoryPage(one(id), call))),
  );
}

const mimeType = "text/plain";

interface Listed {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

async function sessionList(call: McpCall): Promise<Listed[]> {
  const search = await searchOn(call);
  return findNewest(search, { here: call.env.cwd }, listed).sessions.map(({ head }) => ({
    uri: `reprise://session/${encodeURIComponent(head.agent)}/${encodeURIComponent(head.session)}`,
    // A title is somebody else's text, and a list cannot frame it.
    name: label(`${head.agent}:${head.session}`),
    mimeType,
  }));
}

async function memoryList({ env, owner }: McpCall): Promise<Listed[]> {
  const memory = openMemory({ env, owner });
  try {
    const { entries } = await memory.query({ limit: listed });
    return entries.map(({ id, type }) => ({
      uri: `reprise://memory/${encodeURIComponent(id)}`,
      name: `${type} ${label(id)}`,
      mimeType,
    }));
  } finally {
    memory.close();
  }
}

async function memoryPage(id: string, { env, owner }: McpCall): Promise<Reply> {
  const memory = openMemory({ env, owner });
  try {
    const { entries } = await memory.query({ ids: [id] });
    if (entries.length === 0) throw new RepriseError("not_found", "There is no such memory.");
    return { head: [], items: entries.map(memoryItem) };
  } finally {
    memory.close();
  }
}

async function contents(uri: URL, reply: Reply): Promise<ReadResourceResult> {
  return {
    contents: [
      { uri: uri.href, mimeType, text: await answerText(reply, limits.mcpTokensMost / 2) },
    ],
  };
}

/** A variable of an address; several values are never meant. */
function one(value: string | readonly string[] | undefined): string {
  const text = typeof value === "string" ? value : (value?.[0] ?? "");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
