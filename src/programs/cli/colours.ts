import picocolors from "picocolors";

/** The few styles the program uses; each returns its text unchanged where colour is off. */
export interface Colours {
  readonly enabled: boolean;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  blue(text: string): string;
  magenta(text: string): string;
  cyan(text: string): string;
  inverse(text: string): string;
}

/** Styles that are on only for a terminal whose owner did not ask for none (no-color.org). */
export function coloursFor(
  variables: Readonly<Record<string, string | undefined>>,
  options: { readonly isTerminal: boolean },
): Colours {
  return colours(wantsColour(variables, options.isTerminal));
}

/** Styles that are on or off. */
export function colours(enabled: boolean): Colours {
  const made = picocolors.createColors(enabled);
  return {
    enabled,
    bold: made.bold,
    dim: made.dim,
    red: made.red,
    green: made.green,
    yellow: made.yellow,
    blue: made.blue,
    magenta: made.magenta,
    cyan: made.cyan,
    inverse: made.inverse,
  };
}

function wantsColour(
  variables: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if ((variables["NO_COLOR"] ?? "") !== "") return false;
  const forced = variables["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0";
  return isTerminal && variables["TERM"] !== "dumb";
}
