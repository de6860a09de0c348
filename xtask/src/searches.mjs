// Runs the engine's recorded searches in WebAssembly: each call of `main` repeats the next one
// and returns 0 if the result is the recorded one. Prints the least processor time of each, in
// seconds.
import { readFileSync } from "node:fs";

const [path, count, rounds] = process.argv.slice(1);
const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
const least = Array(Number(count)).fill(Infinity);
for (let round = 0; round < Number(rounds); round++) {
  for (let n = 0; n < least.length; n++) {
    const before = process.cpuUsage();
    const status = instance.exports.main(0, 0);
    const { user, system } = process.cpuUsage(before);
    if (status !== 0) {
      console.error(`search ${n + 1} has another result in WebAssembly`);
      process.exit(1);
    }
    least[n] = Math.min(least[n], (user + system) / 1e6);
  }
}
console.log(least.map((time) => time.toFixed(6)).join("\n"));
