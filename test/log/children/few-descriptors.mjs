// Many sessions in a process that may open few files: everything is appended, read back, forked and listed. More appends
// at once than there are descriptors may be refused; what was refused is appended again.
import { SessionManager } from "reprise";

const [folder, count] = process.argv.slice(2);
const sessions = Array.from({ length: Number(count) }, (_, index) =>
  SessionManager.create(folder, folder, {
    id: `s${index}`,
    sync: index % 2 === 0 ? "each" : "turn",
  }),
);
const acknowledged = [];
const refused = new Set();
for (let turn = 0; turn < 5; turn += 1) {
  await Promise.all(
    sessions.map(async (session, index) => {
      const content = `${index}-${turn} ${turn === 3 ? "x".repeat(100_000) : ""}`;
      const { id } = await untilTaken(() => session.appendUser(content));
      acknowledged.push([index, id, content.length]);
    }),
  );
}
const forks = sessions.slice(0, 20).map((session) => session.fork());
for (const fork of forks) await fork.appendAssistant("apart", { endTurn: true });
await Promise.all([...sessions, ...forks].map((session) => session.close()));
const lost = [];
for (const [index, id, length] of acknowledged) {
  const session = SessionManager.open(`s${index}`, { dir: folder });
  if (session.getEvent(id)?.content.length !== length) lost.push([index, id]);
  await session.close();
}
const listed = (await SessionManager.list(folder, folder)).length;
process.stdout.write(
  JSON.stringify({ acknowledged: acknowledged.length, lost, listed, refused: [...refused] }),
);

async function untilTaken(append) {
  for (;;) {
    try {
      return await append();
    } catch (error) {
      if (error.code !== "too_many_files" || !error.hint.includes("ulimit -n")) throw error;
      refused.add(error.code);
      await new Promise(setImmediate);
    }
  }
}
