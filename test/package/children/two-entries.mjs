// Loads several entries of the built package in one process; tells whether they share what must exist once.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { RepriseError, SessionManager } from "reprise";
import { agentNames, listSessions, registerAgent } from "reprise/agents";
import { search } from "reprise/search";
import { storeCases } from "reprise/testing";

const home = process.argv[2];
const env = { variables: { HOME: home }, platform: process.platform, home, cwd: home };

const thrown = await listSessions({ env, agent: "nobody" }).catch((error) => error);
const sameClass = thrown instanceof RepriseError && thrown.code === "usage";

// One entry registers an agent, and a search of another knows its name.
const module = join(home, "toy.mjs");
writeFileSync(module, "export const agent = {};\n");
const known = () => search("agent:toy x", { env }).then(Boolean, (error) => error.code !== "usage");
const before = await known();
registerAgent({ name: "toy", module });
const oneRegistry = !before && agentNames().includes("toy") && (await known());

const session = SessionManager.create(home, undefined, { env });
await session.appendUser("hello");
await session.close();
const listed = (await listSessions({ env })).sessions.map(({ head }) => head.session);
const sameStore = listed.includes(session.getSessionId()) && storeCases.length > 0;
process.stdout.write(JSON.stringify({ sameClass, oneRegistry, sameStore }));
