// Runs the example `tables` of the Lilypads solver: each call of its `main` solves the
// next board and returns 0 if the table is the one that native code makes.
import { readFileSync } from "node:fs";

const [path, count] = process.argv.slice(1);
const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
for (let n = 0; n < Number(count); n++) {
  const before = process.cpuUsage();
  const status = instance.exports.main(0, 0);
  const { user, system } = process.cpuUsage(before);
  const megabytes = instance.exports.memory.buffer.byteLength / 1e6;
  const verdict = status === 0 ? "same table as native" : "ANOTHER TABLE";
  console.log(
    `board ${n}: ${verdict}, ${((user + system) / 1e6).toFixed(2)} s of CPU, ${megabytes.toFixed(0)} MB`,
  );
  if (status !== 0) process.exit(1);
}
