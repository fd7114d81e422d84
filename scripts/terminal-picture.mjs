// A terminal's screen as an SVG: what the real program drew, cell by cell.
import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";

const cellWidth = 8.4;
const cellHeight = 18;
const padding = 16;
const bar = 28;
const background = "#16181d";
const foreground = "#d7dae0";
const palette = [
  "#3b3f4a #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #d7dae0",
  "#7f848e #ff7b86 #b5e08d #ffd68a #7cc3ff #dd92f2 #6fd3de #ffffff",
].flatMap((row) => row.split(" "));

/** Runs a program on a terminal until its screen shows a text, and returns the screen as an SVG. */
export async function pictureOf({ argv, cwd, env, columns, rows, keys = "", until, title }) {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const [program, ...args] = argv;
  const child = spawn(program, args, { cols: columns, rows, cwd, env });
  const shown = () =>
    Array.from({ length: rows }, (_, row) => terminal.buffer.active.getLine(row)).map((line) =>
      line.translateToString(true),
    );
  try {
    let typed = "";
    await new Promise((resolve, reject) => {
      child.onExit(({ exitCode }) => reject(new Error(`ended with ${exitCode}: ${shown()}`)));
      child.onData((data) =>
        terminal.write(data, () => {
          if (typed === "" && keys !== "" && shown().some((line) => line.trim() !== "")) {
            typed = keys;
            child.write(keys);
          }
          if (shown().some((line) => line.includes(until))) resolve(undefined);
        }),
      );
    });
    return svgOf(terminal, { columns, rows, title });
  } finally {
    child.kill("SIGKILL");
  }
}

function svgOf(terminal, { columns, rows, title }) {
  const width = Math.ceil(columns * cellWidth + 2 * padding);
  const height = rows * cellHeight + 2 * padding + bar;
  const lines = Array.from({ length: rows }, (_, row) => lineOf(terminal, row, columns)).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<rect width="${width}" height="${height}" rx="8" fill="${background}"/>
<circle cx="20" cy="18" r="5" fill="#e06c75"/><circle cx="38" cy="18" r="5" fill="#e5c07b"/><circle cx="56" cy="18" r="5" fill="#98c379"/>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="14" fill="${foreground}">
${lines}</g>
</svg>
`;
}

/** The runs of one style in a line, each at its column: fonts differ in how wide they are. */
function lineOf(terminal, row, columns) {
  const line = terminal.buffer.active.getLine(row);
  const runs = [];
  for (let column = 0; column < columns; column += 1) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    const last = runs.at(-1);
    const chars = cell.getChars() || " ";
    if (last?.style === style && cell.getWidth() === 1)
      Object.assign(last, { text: last.text + chars, end: column + 1 });
    else runs.push({ style, text: chars, from: column, end: column + cell.getWidth(), cell });
  }
  const top = bar + padding + row * cellHeight;
  return runs.map((run) => runText(run, top)).join("");
}

function runText({ style, text, from, end }, top) {
  const { fill, behind, weight, opacity } = JSON.parse(style);
  const x = (padding + from * cellWidth).toFixed(1);
  const length = ((end - from) * cellWidth).toFixed(1);
  const box =
    behind === ""
      ? ""
      : `<rect x="${x}" y="${top}" width="${length}" height="${cellHeight}" fill="${behind}"/>`;
  if (text.trim() === "") return box && `${box}\n`;
  const looks = `${fill === "" ? "" : ` fill="${fill}"`}${weight ? ' font-weight="bold"' : ""}${opacity ? ' opacity="0.6"' : ""}`;
  // Each stretch of words at its own column: viewers differ in whether they keep blanks.
  const words = Array.from(text.matchAll(/\S+(?: \S+)*/g), ({ 0: said, index }) => {
    const at = (padding + (from + index) * cellWidth).toFixed(1);
    const textLength = (said.length * cellWidth).toFixed(1);
    return `<text x="${at}" y="${top + 13}" textLength="${textLength}"${looks}>${escaped(said)}</text>`;
  });
  return `${box}${words.join("")}\n`;
}

function styleOf(cell) {
  const [front, back] = [
    colourOf(cell.isFgPalette(), cell.isFgRGB(), cell.getFgColor()),
    colourOf(cell.isBgPalette(), cell.isBgRGB(), cell.getBgColor()),
  ];
  const inverse = cell.isInverse() !== 0;
  return JSON.stringify({
    fill: inverse ? back || background : front,
    behind: inverse ? front || foreground : back,
    weight: cell.isBold() !== 0,
    opacity: cell.isDim() !== 0,
  });
}

function colourOf(isPalette, isRgb, value) {
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`;
  if (!isPalette) return "";
  if (value < 16) return palette[value];
  if (value >= 232) return `#${(8 + (value - 232) * 10).toString(16).padStart(2, "0").repeat(3)}`;
  const levels = [0, 95, 135, 175, 215, 255];
  const [red, green, blue] = [36, 6, 1].map((step) => levels[Math.floor((value - 16) / step) % 6]);
  return `#${[red, green, blue].map((level) => level.toString(16).padStart(2, "0")).join("")}`;
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
