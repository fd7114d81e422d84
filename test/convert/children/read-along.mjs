// Converts a session with the built library and says whether the thread that read along agreed.

import { printOf } from "../../../dist/rooms/additions/added-file.js";
import { agents } from "../../../dist/rooms/agents/registry.js";
import { convert } from "../../../dist/rooms/convert/convert.js";
import { ReadAlong } from "../../../dist/rooms/convert/read-along.js";

const [home, cwd, from, to, meant] = process.argv.slice(2);
const env = { variables: { HOME: home }, platform: process.platform, home, cwd };
const [agent, target] = [from, to].map((name) => agents.find((one) => one.name === name));
const [ref] = agent.locate(env);
const follower = { agrees: undefined };
const { whole } = ReadAlong.prototype;
ReadAlong.prototype.whole = async function (...args) {
  const sum = await whole.apply(this, args);
  follower.agrees = this.agrees;
  return sum;
};
// A reader that reads something else than was meant.
if (meant === "wrong") {
  const read = target.read;
  target.read = async function* (...args) {
    for await (const batch of read.apply(this, args))
      yield { ...batch, events: batch.events.slice(1) };
  };
  ReadAlong.prototype.whole = async () => undefined;
}
try {
  const { model: _model, ...head } = agent.head(ref, env);
  const { written } = await convert({ source: { agent, ref }, head, target, env, cwd });
  const [file] = written.files;
  const sound = JSON.stringify({ ...printOf(file.path), folders: file.folders });
  const same = sound === JSON.stringify({ ...file, folders: file.folders });
  process.stdout.write(JSON.stringify({ ...follower, same, ref: written.ref }));
} catch (error) {
  process.stdout.write(JSON.stringify({ ...follower, code: error.code, message: error.message }));
}
