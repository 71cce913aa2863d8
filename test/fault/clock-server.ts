/**
 * A server whose clock stands in a file: `bun clock-server.ts <root of the source> <file>`. The file says `<number of the jump>
 * <milliseconds to add>`; what has been taken over is printed.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [root, file] = process.argv.slice(2) as [string, string];
const { compose } = (await import(join(root, "src/cli/compose.ts"))) as typeof import("../../src/cli/compose.ts");
const { readConfig } = (await import(join(root, "src/config.ts"))) as typeof import("../../src/config.ts");

const clock = new SharedArrayBuffer(8);
let taken = "";
const set = () => {
  const text = readFileSync(file, "utf8");
  if (text === taken || text === "") return;
  new Float64Array(clock)[0] = Number((taken = text).split(" ")[1]);
  console.log(`clock ${text}`);
};
set();
setInterval(set, 5);
const { url } = await compose(readConfig(process.env), {
  clock,
  write: line => void process.stderr.write(`${line}\n`),
});
console.log(`Gatehouse is ready at ${url}`);
