// biome-ignore-all lint/suspicious/noEmptyInterface: programs add to it

/**
 * What `custom` events of each name hold. Empty: a program adds its own names, and their data are typed from then on:
 * `declare module "reprise" { interface CustomEvents { "my-app.score": { value: number } } }`.
 */
export interface CustomEvents {}

/** What a `custom` event of a name holds, as far as the program declared it. */
export type CustomData<Name extends string> = Name extends keyof CustomEvents
  ? CustomEvents[Name]
  : unknown;
