/** None: exports lie nowhere by themselves, the user names them. */
export function roots(): readonly string[] {
  return [];
}
