// Requires every entry of the built package, then imports it: both are the same module.
const names = process.argv.slice(2);
const load = async () => {
  const told = {};
  for (const name of names) {
    const specifier = name.replace(/^\./, "reprise");
    const required = require(specifier);
    const imported = await import(specifier);
    const values = Object.keys(imported);
    const isSame = values.length > 0 && values.every((key) => imported[key] === required[key]);
    told[name] = isSame ? "same" : "different";
  }
  return told;
};
load().then((told) => process.stdout.write(JSON.stringify(told)));
