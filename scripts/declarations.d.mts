/** Something an entry exports. */
export interface Declaration {
  readonly name: string;
  readonly file: string;
  readonly local: string;
  readonly kind: string;
  readonly texts: readonly string[];
  readonly doc: string;
  readonly references: readonly { readonly file: string; readonly local: string }[];
}

export function exportsOf(entry: string): readonly Declaration[];
