/** The number of the k-th event of a record, from 1: the record's own for the first, then `57.2`, `57.3`. */
export function eventNumber(record: string | number, event: number): string {
  return event <= 1 ? String(record) : `${record}.${event}`;
}

/** The record an event's number is of. */
export function recordOf(number: string): string {
  const point = number.indexOf(".");
  return point < 0 ? number : number.slice(0, point);
}
