// Runs an example that compares WebAssembly with native code: each call of its `main`
// computes the next thing, such as the table of a board or the puzzle of a seed, and
// returns 0 if it is the same.
import { readFileSync } from "node:fs";

const [path, count, name] = process.argv.slice(1);
const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
for (let n = 0; n < Number(count); n++) {
  const before = process.cpuUsage();
  const status = instance.exports.main(0, 0);
  const { user, system } = process.cpuUsage(before);
  const megabytes = instance.exports.memory.buffer.byteLength / 1e6;
  const verdict = status === 0 ? "same as native" : "ANOTHER ONE";
  console.log(
    `${name} ${n}: ${verdict}, ${((user + system) / 1e6).toFixed(2)} s of CPU, ${megabytes.toFixed(0)} MB`,
  );
  if (status !== 0) process.exit(1);
}
