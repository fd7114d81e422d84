/** A prompt taken apart: what a person typed, and what the program put around it for the model. */
export interface TypedText {
  readonly typed: string;
  readonly around: string;
}

const query = /<user_query>\n?([\s\S]*?)\n?<\/user_query>/g;

/** Elements the program puts before a prompt, or sends in place of one. */
const ofProgram =
  /^\s*<(?:user_info|project_layout|git_status|attached_files|additional_data|open_and_recently_viewed_files|system_reminder|rules|agent_transcripts|agent_skills|timestamp)\b/;

/** Takes a prompt apart; without the program's mark all of it was typed, unless it begins with one of its elements. */
export function typedText(text: string): TypedText {
  const typed = [...text.matchAll(query)].map(([, inside]) => inside ?? "");
  if (typed.length > 0)
    return { typed: typed.join("\n"), around: text.replaceAll(query, "").trim() };
  return ofProgram.test(text) ? { typed: "", around: text } : { typed: text, around: "" };
}
