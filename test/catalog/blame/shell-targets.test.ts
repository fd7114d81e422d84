import { expect, test } from "vitest";
import { shellTargets } from "../../../src/catalog/blame/shell-targets.ts";

const folder = "/srv/app";

test.each<[command: string, paths: readonly string[]]>([
  [`python3 -c "\nwith open('src/a.tsx', 'w') as f:\n    f.write(x)\n"`, ["src/a.tsx"]],
  [`python3 -c "open(\\"a.txt\\", mode='a')"`, ["a.txt"]],
  [
    "python3 - <<'EOF'\nfrom pathlib import Path\nPath('/srv/app/b.py').write_text('')\nEOF",
    ["b.py"],
  ],
  ["node -e \"require('fs').writeFileSync('c.json', '{}')\"", ["c.json"]],
  ["python3 -c \"print(open('a.txt').read())\"", []],
  ["python3 -c \"open('/tmp/a.txt', 'w')\"", []],
  ["sed -i '' -e s/a/b/ src/a.ts", ["src/a.ts"]],
  ["sed -n '1,5p' src/a.ts", []],
  ["grep -rl old src | xargs sed -i s/old/new/", ["."]],
  ["find src -name '*.ts' -exec sed -i s/a/b/ {} +", ["."]],
  ["perl -pi -e 's/a/b/' lib/x.pm", ["lib/x.pm"]],
  ["echo hi > 'a b.txt'; echo > /tmp/log 2>&1", ["a b.txt"]],
  ["npm test src/a.test.ts > /tmp/out.txt 2>/dev/null", []],
  ["make 2>&1 | tee build.log", ["build.log"]],
  ["cd sub && mv one.ts two.ts", ["sub/one.ts", "sub/two.ts"]],
  ["cd /tmp && touch x.ts", []],
  ["cp src/a.ts /tmp/", []],
  ["cp /tmp/a.ts src/a.ts", ["src/a.ts"]],
  ["rm -rf dist", ["dist"]],
  ["git checkout -- src/a.ts", ["src/a.ts"]],
  ["git checkout -b feature/x", []],
  ["git checkout main && git diff a.ts", []],
  ["git restore .", ["."]],
  ["git apply /tmp/fix.patch", ["."]],
  ["git apply --check fix.patch", []],
  ["git add a.ts && git commit -m 'rm > old.ts'", []],
  ["npx prettier --write src/a.ts", ["src/a.ts"]],
  ["npx prettier --check src/a.ts", []],
  ["bash -lc 'echo 1 > a.txt'", ["a.txt"]],
  ["cat <<'EOF' | grep x\nrm a.ts > b.ts\nEOF", []],
  ["echo > $HOME/x; echo > ~/y", []],
])("%j may change %j", (command, paths) => {
  expect(shellTargets(command, { folder })).toEqual(paths);
});
