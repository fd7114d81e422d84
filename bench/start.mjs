// Whole processes that are over at once, on each Node, against starting that Node alone: a program that makes a session
// with the library, `reprise list`, and what agents call again and again.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { mixedHome } from "./agent-corpora.mjs";
import { atMost, factRow, interleave, runProcess } from "./measure.mjs";
import { onEachNode } from "./nodes.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reprise = join(root, "dist", "bin", "reprise.js");
const shown = 30;

export async function rows({ folder, quick, sessions }) {
  const program = programIn(folder);
  const list = await listIn(folder, sessions, { quick });
  const found = await onEachNode(async ({ program: node, barOf }) => {
    const against = (argv, env, input) =>
      interleave(
        {
          ours: () => runProcess(argv, { node, env, input }),
          floor: () => runProcess(["-e", "0"], { node, env }),
        },
        { rounds: quick ? 15 : 101, warmups: 3 },
      );
    // Variables may have Node itself do more at its start.
    const alone = { PATH: process.env.PATH, HOME: folder };
    const made = await against([program, join(folder, "made")], alone);
    const listed = await against([reprise, "list"], list.env);
    const status = await against([reprise, "statusline"], list.env, list.payload);
    const bracket = await against([reprise, "bracket"], list.env);
    const served = await against([reprise, "mcp"], list.env, greeting);
    return [
      atMost("import, create, append, close: / node -e 0", made, barOf({ 20: 2.4, 24: 2.2 })),
      atMost(`${list.what}: / node -e 0`, listed, barOf({ 20: 4, 24: 4 })),
      atMost("reprise statusline, as Claude Code calls it: / node -e 0", status, 2),
      atMost("reprise bracket: / node -e 0", bracket, 2),
      atMost(
        "reprise mcp, from its start to the list of tools: / node -e 0",
        served,
        barOf({ 20: 5, 24: 7 }),
      ),
    ];
  });
  return [
    ...found,
    factRow("import of the library: no third-party package", runs(program, folder)),
  ];
}

/** What a client sends first. */
const greeting = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
]
  .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  .join("");

/** A program that uses the library by its name, as installed, where no other package is in sight. */
function programIn(folder) {
  const installed = join(folder, "node_modules", "reprise");
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, "dist"), join(installed, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(installed, "package.json"));
  const program = join(folder, "program.mjs");
  writeFileSync(
    program,
    `import { SessionManager } from "reprise";
    const folder = process.argv[2];
    const session = SessionManager.create(folder, folder);
    await session.append({ type: "user", content: "hello" });
    await session.close();`,
  );
  return program;
}

function runs(program, folder) {
  try {
    runProcess([program, join(folder, "once")]);
    return true;
  } catch {
    return false;
  }
}

/** A home to list: the one that was given, in which nothing is written, or a made one. */
async function listIn(folder, given, { quick }) {
  const home = given ?? join(folder, "home");
  if (given === undefined) {
    const count = quick ? 100 : 400;
    mkdirSync(home);
    await mixedHome(home, { sessions: count, totalBytes: count * 500_000 });
  }
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    REPRISE_HOME: given === undefined ? join(home, ".reprise") : join(folder, "store"),
    XDG_CACHE_HOME: join(folder, "cache"),
  };
  const { stdout } = spawnSync(process.execPath, [reprise, "list", "--json"], {
    env,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  const { total, sessions } = JSON.parse(stdout);
  // Real sessions have a title and a folder to be grouped by, each of which is looked for.
  if (sessions.length < shown || sessions.some(({ title, cwd }) => !title || !cwd))
    throw new Error(`${home} is not like the homes people have`);
  const kind = given === undefined ? "made" : "given";
  const claude = sessions.find(({ agent }) => agent === "claude-code");
  const payload = JSON.stringify({ session_id: claude?.session, transcript_path: claude?.path });
  return { env, payload, what: `reprise list, newest ${shown} of ${total} ${kind} sessions` };
}
