import { type FoundSession, headReader, sessionsOfFolder } from "../../../agents/find-sessions.ts";
import { mayBeKept } from "../../../agents/kept-file.ts";
import { placeKey } from "../../../catalog/index/source.ts";
import type { Filter as SearchFilter } from "../../../catalog/query/query.ts";
import type { CommandContext } from "../run/command.ts";
import type { Key } from "../terminal/picker/keys.ts";
import { layoutOf } from "../terminal/picker/layout.ts";
import { drawScreen, screenSize } from "../terminal/picker/terminal.ts";
import { untilLeft } from "../terminal/picker/until-left.ts";
import { type Item, itemOf, itemsOf } from "./item.ts";
import { type PreviewPlace, Previews } from "./previews.ts";
import { type Reader, startReader } from "./reader.ts";
import { homeLines } from "./screen.ts";
import {
  type Chosen,
  type ContentMatch,
  chosenItem,
  type Filter,
  filtered,
  type HomeState,
  homeState,
  isSearchQuery,
  press,
  type Step,
  withContent,
  withItems,
} from "./state.ts";
import type { ContentHit } from "./thread-messages.ts";

/** How the home screen is opened. */
export interface HomeOptions {
  /** What Enter does, in a word. */
  readonly verb: string;
  readonly query?: string;
  /** What is said until a key is pressed. */
  readonly message?: string;
  /** The sessions it was asked for, also when it looks again. */
  find(): readonly FoundSession[];
  /** Those alone are offered, whatever else the content of others has. */
  readonly isOnly?: boolean;
}

/** What happens to the screen after an action. */
export type After =
  /** It stays, and says something. */
  | { readonly kind: "stay"; readonly state: HomeState }
  /** It gives the terminal to something; it comes back where that resolves to true. */
  | { readonly kind: "away"; run(): Promise<boolean> };

/** What carries out actions. */
export interface HomeActions {
  act(step: Extract<Step, { kind: "act" }>, home: Home): Promise<After>;
  chosen(chosen: Chosen, home: Home): Promise<After>;
}

/** How long nothing is typed before content is looked through. */
const pauseMs = 120;

/** How often content is looked through again while the index is built. */
const askAgainMs = 700;

/** What content is looked through, as a search says it: no less than what the screen is narrowed to. */
function contentFilters({ agent, project, tag, here }: Filter): readonly SearchFilter[] {
  const only = { agent, project, tag, here: here === undefined ? undefined : "." } as const;
  return (["agent", "project", "tag", "here"] as const).flatMap((key) => {
    const value = only[key];
    return value === undefined ? [] : [{ key, value, not: false }];
  });
}

/** The home screen: what it shows, and what it is doing. */
export class Home {
  readonly context: CommandContext;
  readonly options: HomeOptions;
  readonly reader: Reader;
  state: HomeState;
  readonly #actions: HomeActions;
  readonly #prompts = new Map<string, string>();
  readonly #previews: Previews;
  #sessions: readonly FoundSession[];
  #isOpen = false;
  #pause: NodeJS.Timeout | undefined;
  /** The query whose content was not answered yet; Enter waits for it where nothing else fits. */
  #awaited: string | undefined;
  #held: Key | undefined;

  constructor(
    sessions: readonly FoundSession[],
    given: {
      readonly context: CommandContext;
      readonly options: HomeOptions;
      readonly actions: HomeActions;
    },
  ) {
    this.context = given.context;
    this.options = given.options;
    this.#actions = given.actions;
    this.#sessions = sessions;
    const { query = "", message = "" } = given.options;
    this.state = { ...homeState(itemsOf(sessions), query), message };
    this.reader = startReader(given.context, {
      building: (building) => this.#built(building),
      firstPrompts: (prompts) => this.#learn(prompts),
    });
    this.#previews = new Previews(this.reader, given.context);
  }

  /** Shows the screen until it is left. */
  async run(): Promise<void> {
    try {
      const refs = this.#sessions.filter(({ head }) => head.titled === true && mayBeKept(head));
      void this.reader
        .ask({ kind: "firstPrompts", refs: refs.map(({ ref }) => ref) })
        .catch(() => {});
      while (await this.#screen());
    } finally {
      await this.reader.close();
    }
  }

  /** Draws a new state, and asks for what it is to show. */
  show(state: HomeState): void {
    this.state = state;
    if (!this.#isOpen) return;
    this.#draw();
    this.#preview();
  }

  /** Looks again at which sessions there are. */
  refresh(): HomeState {
    this.#sessions = this.options.find();
    this.#previews.forget();
    this.#lookAgain();
    const now = withItems(this.state, itemsOf(this.#sessions, this.#prompts));
    const there = now.content.filter(({ item }) => this.isThere(item));
    return there.length === now.content.length ? now : withContent(now, there);
  }

  /** Whether a session is where it was. */
  isThere({ session }: Item): boolean {
    return headReader(this.context)(session.agent, session.ref) !== undefined;
  }

  /** Something was changed: what the content answered is asked again of the index as it is now. */
  #lookAgain(): void {
    this.reader.look();
    this.#isChanged = true;
  }

  #isChanged = false;

  /** The state with a session as it is now. */
  renewed({ session, key }: Item): HomeState {
    this.#lookAgain();
    const head = headReader(this.context)(session.agent, session.ref);
    this.#sessions = this.#sessions.flatMap((one) => {
      if (placeKey(one.ref) !== key) return [one];
      return head === undefined ? [] : [{ ...one, head }];
    });
    return withItems(this.state, itemsOf(this.#sessions, this.#prompts));
  }

  /** The more the index has, the more the content answers. */
  #built(building: string): void {
    this.show({ ...this.state, building });
    const text = this.state.query.trim();
    const isDue = building === "" || performance.now() > this.#askAgainMs;
    if (!isDue || !this.#isOpen || text.length < 2 || this.#awaited !== undefined) return;
    this.#askAgainMs = performance.now() + askAgainMs;
    void this.#askContent(text);
  }

  #askAgainMs = 0;

  #learn(prompts: ReadonlyMap<string, string>): void {
    for (const [key, prompt] of prompts) this.#prompts.set(key, prompt);
    const items = this.state.items.map((item) => {
      const prompt = prompts.get(item.key);
      return prompt === undefined ? item : itemOf(item.session, prompt);
    });
    const next = withItems(this.state, items);
    // Where nothing is typed the list stays as it is.
    if (this.state.query === "") this.state = next;
    else this.show(next);
  }

  /** One stretch on the terminal; whether there is another. */
  async #screen(): Promise<boolean> {
    const away = await untilLeft<Extract<After, { kind: "away" }>>({
      opened: (type) => {
        this.#isOpen = true;
        this.#onAnswer = () => {
          const key = this.#held;
          this.#held = undefined;
          if (key !== undefined) type([key]);
        };
        this.show(this.state);
        this.#lookThrough();
      },
      resized: () => {
        this.#previews.forget();
        this.show(this.state);
      },
      press: (keys, leave) => this.#press(keys, leave),
      closed: () => {
        this.#isOpen = false;
        clearTimeout(this.#pause);
      },
    });
    return away === undefined ? false : away.run();
  }

  #onAnswer: () => void = () => {};

  /** What some keys do; whether the screen goes on. */
  async #press(
    keys: readonly Key[],
    finish: (away?: Extract<After, { kind: "away" }>) => void,
  ): Promise<boolean> {
    const before = this.state;
    this.reader.typed();
    this.#held = undefined;
    for (const [at, key] of keys.entries()) {
      if (this.#waitsForContent(key, before.query)) {
        // What is typed behind it is another query.
        if (at === keys.length - 1) this.#held = key;
        continue;
      }
      const step = press(this.state, key, layoutOf(screenSize()).listRows);
      if (step.kind === "left") {
        finish();
        return false;
      }
      this.state = step.state;
      if (step.kind === "here") this.state = this.#onlyHere(step.state);
      if (step.kind !== "act" && step.kind !== "chosen") continue;
      const after = await this.#carriedOut(step);
      if (after.kind === "away") {
        finish(after);
        return false;
      }
      this.state = after.state;
    }
    this.show(this.state);
    // The same words may have been cleared and typed again in one go: their answer is gone then, too.
    const { query, filter, content } = before;
    const isSame = query === this.state.query && filter === this.state.filter;
    const isAnswered = isSame && content === this.state.content && !this.#isChanged;
    this.#isChanged = false;
    if (!isAnswered) this.#lookThrough();
    return true;
  }

  /** What an action came to; one that fails leaves the screen as it is, and says why. */
  async #carriedOut(step: Extract<Step, { kind: "act" | "chosen" }>): Promise<After> {
    try {
      return step.kind === "act"
        ? await this.#actions.act(step, this)
        : await this.#actions.chosen(step.chosen, this);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { kind: "stay", state: { ...this.refresh(), message } };
    }
  }

  /** Enter takes what the query finds: where nothing fits yet, it waits for what the content answers. */
  #waitsForContent(key: Key, before: string): boolean {
    const { query, matches, front } = this.state;
    const isDue = this.#awaited === query.trim() || query !== before;
    return (
      key.name === "enter" &&
      front.kind === "list" &&
      matches.length === 0 &&
      query.trim() !== "" &&
      isDue
    );
  }

  #onlyHere(state: HomeState): HomeState {
    const { here, ...rest } = state.filter;
    if (here !== undefined) return filtered(state, rest);
    const sessions = sessionsOfFolder(this.#sessions, this.context.env.cwd);
    if (sessions.length === 0) return { ...state, message: "No session is of this folder." };
    return filtered(state, { ...rest, here: new Set(sessions.map(({ ref }) => placeKey(ref))) });
  }

  #draw(): void {
    const { colours } = this.context;
    const { verb } = this.options;
    const place = this.#place();
    const preview = place === undefined ? [] : this.#previews.linesAt(place);
    const options = { ...screenSize(), colours, nowMs: Date.now(), verb, preview };
    drawScreen(homeLines(this.state, options));
  }

  /** What the preview is to show. */
  #place(): PreviewPlace | undefined {
    const { query, turned } = this.state;
    const item = chosenItem(this.state);
    return item && { item, event: this.#focusOf(item)?.event, query, turned };
  }

  #focusOf({ key }: Item): ContentMatch | undefined {
    return this.state.content.find(({ item }) => item.key === key);
  }

  /** Asks for the preview of the chosen session. */
  #preview(): void {
    const place = this.#place();
    if (place === undefined) return;
    this.#previews.ask(place, (turned) => {
      if (!this.#isOpen) return;
      this.state = { ...this.state, turned };
      this.#draw();
    });
  }

  /** Looks through the content once nothing was typed for a moment. */
  #lookThrough(): void {
    clearTimeout(this.#pause);
    const text = this.state.query.trim();
    this.#awaited = text.length > 1 ? text : undefined;
    if (this.#awaited === undefined) return;
    this.#pause = setTimeout(
      () => void this.#askContent(text),
      this.#held === undefined ? pauseMs : 0,
    );
  }

  async #askContent(text: string): Promise<void> {
    const { filter } = this.state;
    const isAsked = (): boolean => this.state.query.trim() === text && this.state.filter === filter;
    let next: HomeState;
    try {
      const { chosenByFilters } = await import("./chosen-by-filters.ts");
      const chosen = await chosenByFilters(text, this.state.items, this.context);
      const { hits, remark } =
        chosen === undefined
          ? await this.reader.ask({ kind: "search", text, filters: contentFilters(filter) })
          : { hits: [], remark: "" };
      if (!isAsked()) return;
      const found = chosen?.map((item) => ({ item })) ?? this.#matchesOf(hits);
      next = { ...withContent(this.state, found), remark };
    } catch (error) {
      if (!isAsked()) return;
      // A query that is being typed may be unfinished; what letters find stands beside it.
      const remark = error instanceof Error ? error.message : String(error);
      next = { ...this.state, remark: isSearchQuery(text) ? remark : "" };
    }
    this.#awaited = undefined;
    this.show(next);
    this.#onAnswer();
  }

  #matchesOf(hits: readonly ContentHit[]): readonly ContentMatch[] {
    const known = new Map(this.state.items.map((item) => [item.key, item]));
    return hits.flatMap(({ ref, head, event }) => {
      const agent = this.context.agents.find(({ name }) => name === ref.agent);
      const other =
        agent && this.options.isOnly !== true ? itemOf({ agent, ref, head }) : undefined;
      const item = known.get(placeKey(ref)) ?? other;
      return item === undefined ? [] : [{ item, ...(event !== undefined && { event }) }];
    });
  }
}
