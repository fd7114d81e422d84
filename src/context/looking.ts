const looks =
  /^(?:sed(?! .*-i)|ls|ll|cat|bat|head|tail|nl|wc|pwd|cd|rg|grep|find(?! .*-(?:exec|delete))|fd|tree|which|type|file|stat|du|sort|uniq|cut|echo|true|jq|git (?:--\S+ )*(?:log|status|diff|show|branch|rev-parse|remote|blame|ls-files))(?!\S)/;

const strings = /'[^']*(?:'|$)|"[^"]*(?:"|$)/g;
const intoFile = />(?!&|\s*\/dev\/null)/;

/** Whether a shell command does nothing but look: every part of it reads or prints. */
export function isLook(command: string): boolean {
  const bare = command.replace(strings, "''");
  const parts = bare.split(/&&|\|\|?|;/).map((part) => part.trim());
  return !intoFile.test(bare) && parts.every((part) => part === "" || looks.test(part));
}
