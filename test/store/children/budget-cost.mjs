// Builds the context of a session within a budget; prints the bytes that were read, the memory, and what came of it.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

let readBytes = 0;
const { readSync } = fs;
fs.readSync = (...args) => {
  const taken = readSync(...args);
  readBytes += taken;
  return taken;
};
syncBuiltinESMExports();
const { SessionManager } = await import("../../../dist/rooms/store/session-manager.js");

const [file, budget] = process.argv.slice(2);
const session = SessionManager.open(file);
readBytes = 0;
const { messages, remarks } = session.buildSessionContext({ budgetTokens: Number(budget) });
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
const told = { readBytes, peakMb, messages, remarks: remarks.map(({ what }) => what) };
process.stdout.write(JSON.stringify(told));
await session.close();
