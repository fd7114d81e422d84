import { parentPort, workerData } from "node:worker_threads";
import { connect } from "./open.ts";
import { takeStep } from "./source-steps.ts";
import type { Told, WriteOrder } from "./thread-writer.ts";
import { CatalogWriter } from "./writer.ts";

/*
 * A thread that writes the index while the one that started it reads sessions.
 */

const port = parentPort!;
const connection = connect(workerData as string);
const writer = new CatalogWriter(connection);
let source: number | undefined;
let refused = 0;

port.on("message", (order: WriteOrder) => {
  if ("begin" in order) {
    writer.begin();
    const { ref, from } = order.begin;
    // What was written meanwhile may want the whole of it read again: it is stale, and read by the next sweep.
    const isRefused = from !== undefined && writer.cursorOf(ref) !== from;
    source = isRefused ? undefined : writer.sourceFor(ref);
    if (isRefused) refused += 1;
  } else if ("end" in order) {
    if (order.end === "commit") writer.commit();
    else writer.abandon();
    connection.close();
    port.postMessage({ refused } satisfies Told);
    port.close();
  } else {
    if (source !== undefined) takeStep(writer, source, order);
    if (order.step === "add") {
      const { texts, rest } = order.batch;
      port.postMessage({ writtenBytes: texts.length + rest.length } satisfies Told);
    } else if (order.step === "finish") writer.commitWhenFull();
  }
});
