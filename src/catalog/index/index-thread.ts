import { parentPort, workerData } from "node:worker_threads";
import { connect } from "./open.ts";
import { OrderWriter } from "./order-writer.ts";
import { type ThreadOrder, type Told, waitingBytesOf } from "./thread-writer.ts";
import { CatalogWriter } from "./writer.ts";

/*
 * A thread that writes the index while the one that started it reads sessions.
 */

const port = parentPort!;
const connection = connect(workerData as string);
const orders = new OrderWriter(new CatalogWriter(connection));

port.on("message", (order: ThreadOrder) => {
  if ("end" in order) {
    const refused = orders.end(order.end);
    connection.close();
    port.postMessage({ refused } satisfies Told);
    port.close();
    return;
  }
  orders.take(order);
  const writtenBytes = waitingBytesOf(order);
  if (writtenBytes > 0) port.postMessage({ writtenBytes } satisfies Told);
});
