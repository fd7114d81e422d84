/** What went wrong, said once for each kind with how often: the first of each kind as it was. */
export function kindsOf(problems) {
  const kinds = new Map();
  for (const problem of problems) {
    const kind = problem.replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\d+/g, "#").slice(0, 400);
    const known = kinds.get(kind);
    kinds.set(kind, { first: known?.first ?? problem, times: (known?.times ?? 0) + 1 });
  }
  return [...kinds.values()].map(({ first, times }) => `${times} x ${first.slice(0, 1_500)}`);
}
