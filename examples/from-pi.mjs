// A program written for pi's SessionManager, on Reprise. docs/from-pi.md has the table, method by method.
import { SessionManager } from "reprise";

const session = SessionManager.create(process.cwd(), process.argv[2]);
const prompt = await session.appendUser("List the files.");
await session.appendToolUse("call-1", "ls", { path: "." });
await session.appendToolResult("call-1", "a.txt", { name: "ls" });
await session.appendAssistant("There is a.txt.", { endTurn: true });
await session.setTitle("Files");
await session.label(prompt.id, "start");

// pi: branch(entryId), then append.
await session.rewind(prompt.id);
await session.appendAssistant("I would rather not.", { endTurn: true });

// pi: getBranch(), getTree(), getEntry(id), buildSessionContext(), createBranchedSession(leafId).
console.log(
  session
    .path()
    .map(({ type }) => type)
    .join(" "),
);
console.log(session.branches().length, "branches");
console.log(session.getEvent(prompt.id).content);
console.log(session.buildSessionContext().messages.length, "messages");
const fork = session.fork(prompt.id);
console.log(fork.path().length, "events in the fork");
await fork.close();
await session.close();
