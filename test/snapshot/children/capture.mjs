// Captures a folder and says what it found.
import { homeAt, readScope, WorkingTree, walkTree } from "../../../dist/snapshot.js";

const [folder, root] = process.argv.slice(2);
const tree = WorkingTree.open(folder, { home: homeAt(root), userHome: "/nowhere", sync: false });
const snapshot = tree.capture();
const paths = [...walkTree(tree.store, snapshot.tree)].map(({ path }) => path).sort();
const { skipped } = readScope(tree.store, snapshot.scope).facts;
tree.close();
process.stdout.write(JSON.stringify({ paths, skipped: Object.fromEntries(skipped) }));
