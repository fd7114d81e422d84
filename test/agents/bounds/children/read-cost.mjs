// Reads the session below a home in the ways named; prints what each took of the processor, and the memory.
import { openReader, processorMs } from "../reader.mjs";

const [home, name, ways] = process.argv.slice(2);
const reader = await openReader(home, name);
const costs = {};
for (const way of ways.split(",")) {
  const before = processorMs();
  const told = await reader.read(way);
  costs[way] = { ...told, ms: processorMs() - before };
}
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
process.stdout.write(`${JSON.stringify({ bytes: reader.sizeBytes, costs, peakMb })}\n`);
