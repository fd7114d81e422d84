import { parentPort, workerData } from "node:worker_threads";
import { connect } from "./open.ts";
import { OrderWriter, waitingBytesOf } from "./order-writer.ts";
import type { ThreadOrder, Told } from "./thread-writer.ts";
import { CatalogWriter } from "./writer.ts";

/*
 * A thread that writes the index while the one that started it reads sessions.
 */

const port = parentPort!;
const connection = connect(workerData as string);
const writer = new CatalogWriter(connection);
const orders = new OrderWriter(writer);

port.on("message", (order: ThreadOrder) => {
  if ("end" in order) {
    if (order.end === "commit") writer.commit();
    else writer.abandon();
    connection.close();
    port.postMessage({ refused: orders.refused } satisfies Told);
    port.close();
    return;
  }
  orders.take(order);
  const writtenBytes = waitingBytesOf(order);
  if (writtenBytes > 0) port.postMessage({ writtenBytes } satisfies Told);
});
