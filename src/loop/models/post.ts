import { setTimeout as wait } from "node:timers/promises";
import { RepriseError } from "../../base/errors.ts";
import { asString, isObject, type JsonObject, parseObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { eventObjects } from "./sse.ts";

/** A request to a model's server whose answer is a stream of events. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly signal: AbortSignal;
  /** Never to be seen in what an error says. */
  readonly key: string | undefined;
}

/**
 * Sends a request and gives the events of its answer. A server that is busy is asked again, as long as it has said nothing
 * yet; a redirection is refused, because the key would go along.
 */
export async function* postForEvents(post: Post): AsyncGenerator<JsonObject> {
  const response = await answered(post);
  if (response.body === null) throw failure("The model's server sent an empty answer.");
  try {
    yield* eventObjects(response.body as unknown as AsyncIterable<Uint8Array>);
  } catch (error) {
    if (post.signal.aborted || error instanceof RepriseError) throw error;
    throw failure("The connection to the model's server was lost.", error);
  }
}

async function answered(post: Post): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await sent(post, attempt);
    if (response?.ok === true) return response;
    const isBusy =
      response === undefined || [408, 429, 500, 502, 503, 504, 529].includes(response.status);
    if (!isBusy || attempt >= limits.modelTries) throw await refusal(response!, post);
    await response?.body?.cancel();
    await wait(waitMs(response, attempt), undefined, { signal: post.signal });
  }
}

/** The answer; undefined if the server could not be reached and shall be tried again. */
async function sent(post: Post, attempt: number): Promise<Response | undefined> {
  const { url, headers, body, signal } = post;
  try {
    return await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
      body: JSON.stringify(body),
      redirect: "error",
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    if (attempt < limits.modelTries) return undefined;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw failure(`The model's server at ${hostOf(url)} cannot be reached: ${why}`, error);
  }
}

function waitMs(response: Response | undefined, attempt: number): number {
  const asked = Number(response?.headers.get("retry-after") ?? Number.NaN) * 1000;
  const own = 500 * 4 ** (attempt - 1);
  return Math.min(limits.modelWaitMs, Number.isFinite(asked) && asked > 0 ? asked : own);
}

async function refusal(response: Response, { url, key }: Post): Promise<RepriseError> {
  const text = await firstText(response);
  const said = messageIn(text) ?? text.slice(0, 500);
  const masked = key === undefined || key === "" ? said : said.replaceAll(key, "***");
  const hint =
    response.status === 401 || response.status === 403
      ? "Check the key in the environment: it was refused."
      : undefined;
  return new RepriseError(
    "model_failed",
    `${hostOf(url)} refused the request (${response.status})${masked === "" ? "" : `: ${masked}`}`,
    { details: { status: response.status }, ...(hint !== undefined && { hint }) },
  );
}

async function firstText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > limits.modelErrorBytes) break;
    }
  } catch {
    // What came until here has to do.
  }
  return text.trim();
}

/** What the APIs say in `error.message`, alone or in a list. */
function messageIn(text: string): string | undefined {
  const list = text.startsWith("[") ? text.slice(1, text.lastIndexOf("]")) : text;
  const error = parseObject(list)?.["error"];
  return isObject(error) ? asString(error["message"]) : asString(error);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the given address";
}

/** An error of a model or its server. */
export function failure(message: string, cause?: unknown): RepriseError {
  return new RepriseError("model_failed", message, cause === undefined ? {} : { cause });
}
