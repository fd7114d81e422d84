/** The few styles the program uses; each returns its text unchanged where colour is off. */
export interface Colours {
  readonly enabled: boolean;
  bold(text: string): string;
  dim(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
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
  const style = (open: number, close: number): ((text: string) => string) =>
    enabled ? (text) => styled(text, `\u001b[${open}m`, `\u001b[${close}m`) : (text) => text;
  return {
    enabled,
    bold: style(1, 22),
    dim: style(2, 22),
    italic: style(3, 23),
    underline: style(4, 24),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    blue: style(34, 39),
    magenta: style(35, 39),
    cyan: style(36, 39),
    inverse: style(7, 27),
  };
}

/** Where a style inside ends, it may end this one too: it is begun again. */
function styled(text: string, open: string, close: string): string {
  return `${open}${text.replaceAll(close, `${close}${open}`)}${close}`;
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
