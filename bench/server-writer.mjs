// One of the processes that append at once: ready, then told to begin, then it tells how long it took.
import { appendAll } from "./server.mjs";

const [dir, side, policy, count] = process.argv.slice(2);
process.once("message", async () => {
  process.send(await appendAll(dir, side, policy, Number(count)), () => process.exit(0));
});
process.send("ready");
