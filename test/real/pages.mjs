// An exported page in a real browser, and what is wrong with it.
import { pathToFileURL } from "node:url";
import { startBrowser } from "../browser.mjs";

const sizes = [1280, 390];
let started;

/** Opens a page wide and narrow, light and dark: what it asks for, runs and complains about, and what is too wide. */
export async function pageProblems(file, { pictures }) {
  started ??= startBrowser();
  const browser = await started;
  const seen = [];
  for (const width of sizes) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      const problems = [];
      const requests = [];
      page.on("request", (request) => requests.push(request.url()));
      page.on("console", (message) => problems.push(`complains: ${message.text().slice(0, 200)}`));
      page.on("pageerror", (error) => problems.push(`fails: ${String(error).slice(0, 200)}`));
      page.on("dialog", (dialog) => {
        problems.push("asks");
        void dialog.dismiss();
      });
      await page.goto(pathToFileURL(file).href, { waitUntil: "load" });
      if (pictures) await page.screenshot({ path: `${file}-${width}-${colorScheme}.png` });
      problems.push(...(await page.evaluate(problemsWithin)));
      if (requests.length > 1) problems.push(`asks for ${requests.length - 1} more`);
      seen.push({ about: `as a page ${width} wide, ${colorScheme}`, problems });
      await page.close();
    }
  }
  return seen;
}

/** Runs in the page: with all that folds open, what runs and what reaches over the edge. */
function problemsWithin() {
  const { document, window } = globalThis;
  for (const one of document.querySelectorAll("details")) one.open = true;
  window.scrollTo(0, document.body.scrollHeight);
  const problems = [];
  const foreign = document.querySelectorAll("script,iframe,object,embed,svg,video,link,base");
  if (foreign.length > 0) problems.push(`${foreign.length} elements that fetch or run`);
  const over = document.documentElement.scrollWidth - window.innerWidth;
  if (over > 0) problems.push(`${over} px wider than the page`);
  return problems;
}
