// Starts the page that is one file. Everything is in script elements of the document: compressed
// with gzip, and each byte as the character of windows-1252 that it stands for. Bytes that a
// document can't hold come after an equals sign, with 64 added.
function unpack(text) {
  const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
  const byteOf = new Uint8Array(1 << 16);
  [...new TextDecoder("windows-1252").decode(codes)].forEach((sign, byte) => {
    byteOf[sign.charCodeAt(0)] = byte;
  });
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const isEscaped = text[at] === "=";
    if (isEscaped) at++;
    bytes[length++] = byteOf[text.charCodeAt(at)] - (isEscaped ? 64 : 0);
  }
  const packed = new Blob([bytes.subarray(0, length)]).stream();
  const stream = packed.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "content-type": "application/wasm" } });
}

function take(id) {
  const element = document.getElementById(id);
  element.remove();
  return element.textContent;
}

(async () => {
  // The worker unpacks its own module.
  const worker = [
    `${unpack}\nconst packed = ${JSON.stringify(take("worker.wasm"))};\n`,
    await unpack(take("worker.js")).text(),
  ];
  const address = URL.createObjectURL(new Blob(worker, { type: "text/javascript" }));
  document.querySelector("meta[name=parlour-worker]").content = address;

  globalThis.unpacked = unpack(take("app.wasm"));
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = await unpack(take("app.js")).text();
  document.head.append(script);
})();
