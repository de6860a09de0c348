// Starts the page that is a single file. Its programs are in script elements of the document:
// compressed with LZMA, each byte as the character of windows-1252 that it stands for. Bytes that
// a document can't hold come after an equals sign, with 64 added.
function unpack(text) {
  const codes = Uint8Array.from({ length: 256 }, (_, code) => code);
  const byteOf = new Uint8Array(1 << 16);
  [...new TextDecoder("windows-1252").decode(codes)].forEach((sign, byte) => {
    byteOf[sign.charCodeAt(0)] = byte;
  });
  const data = new Uint8Array(text.length);
  for (let at = 0, end = 0; at < text.length; at++) {
    const isEscaped = text[at] === "=";
    if (isEscaped) at++;
    data[end++] = byteOf[text.charCodeAt(at)] - (isEscaped ? 64 : 0);
  }

  // The header of the format: lc, lp and pb in one byte, the size of the dictionary, the size of
  // the content.
  const lc = data[0] % 9;
  const lp = Math.floor(data[0] / 9) % 5;
  const pb = Math.floor(data[0] / 45);
  const out = new Uint8Array(new DataView(data.buffer).getUint32(5, true));

  // The range decoder.
  let at = 18;
  let range = 2 ** 32 - 1;
  let code = new DataView(data.buffer).getUint32(14);
  const refill = () => {
    if (range < 1 << 24) {
      range *= 256;
      code = code * 256 + data[at++];
    }
  };

  // All probabilities are in one array; these are where its parts begin.
  let size = 0;
  const part = (length) => {
    size += length;
    return size - length;
  };
  const [isMatch, isRepLong] = [part(192), part(192)];
  const [isRep, isRep0, isRep1, isRep2] = [part(12), part(12), part(12), part(12)];
  const [slots, distances, align] = [part(256), part(115), part(16)];
  const [lengths, repLengths] = [part(514), part(514)];
  const literals = part(0x300 << (lc + lp));
  const chances = new Uint16Array(size).fill(1024);

  const bit = (index) => {
    const chance = chances[index];
    const bound = (range >>> 11) * chance;
    const isSet = code >= bound;
    if (isSet) {
      range -= bound;
      code -= bound;
      chances[index] = chance - (chance >> 5);
    } else {
      range = bound;
      chances[index] = chance + ((2048 - chance) >> 5);
    }
    refill();
    return isSet ? 1 : 0;
  };
  const tree = (index, length) => {
    let node = 1;
    for (let n = 0; n < length; n++) node = (node << 1) | bit(index + node);
    return node - (1 << length);
  };
  const reversed = (index, length) => {
    let [node, number] = [1, 0];
    for (let n = 0; n < length; n++) {
      const next = bit(index + node);
      node = (node << 1) | next;
      number |= next << n;
    }
    return number;
  };
  const direct = (length) => {
    let number = 0;
    for (let n = 0; n < length; n++) {
      range = Math.floor(range / 2);
      number *= 2;
      if (code >= range) {
        code -= range;
        number++;
      }
      refill();
    }
    return number;
  };
  const copied = (index, place) => {
    if (!bit(index)) return 2 + tree(index + 2 + (place << 3), 3);
    if (!bit(index + 1)) return 10 + tree(index + 130 + (place << 3), 3);
    return 18 + tree(index + 258, 8);
  };

  let state = 0;
  let [rep0, rep1, rep2, rep3] = [0, 0, 0, 0];
  for (let end = 0; end < out.length; ) {
    const place = end & ((1 << pb) - 1);
    if (!bit(isMatch + (state << 4) + place)) {
      const before = end ? out[end - 1] : 0;
      const context = ((end & ((1 << lp) - 1)) << lc) + (before >> (8 - lc));
      const index = literals + 0x300 * context;
      let symbol = 1;
      if (state >= 7) {
        let likely = out[end - rep0 - 1];
        while (symbol < 256) {
          const guess = (likely >> 7) & 1;
          likely <<= 1;
          const next = bit(index + ((1 + guess) << 8) + symbol);
          symbol = (symbol << 1) | next;
          if (next !== guess) break;
        }
      }
      while (symbol < 256) symbol = (symbol << 1) | bit(index + symbol);
      out[end++] = symbol;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length;
    if (bit(isRep + state)) {
      if (!bit(isRep0 + state)) {
        if (!bit(isRepLong + (state << 4) + place)) {
          state = state < 7 ? 9 : 11;
          out[end] = out[end - rep0 - 1];
          end++;
          continue;
        }
      } else if (!bit(isRep1 + state)) {
        [rep0, rep1] = [rep1, rep0];
      } else if (!bit(isRep2 + state)) {
        [rep0, rep1, rep2] = [rep2, rep0, rep1];
      } else {
        [rep0, rep1, rep2, rep3] = [rep3, rep0, rep1, rep2];
      }
      length = copied(repLengths, place);
      state = state < 7 ? 8 : 11;
    } else {
      [rep1, rep2, rep3] = [rep0, rep1, rep2];
      length = copied(lengths, place);
      state = state < 7 ? 7 : 10;
      const slot = tree(slots + (Math.min(length - 2, 3) << 6), 6);
      const nBits = (slot >> 1) - 1;
      if (slot < 4) {
        rep0 = slot;
      } else {
        rep0 = (2 | (slot & 1)) * 2 ** nBits;
        rep0 +=
          slot < 14
            ? reversed(distances + rep0 - slot, nBits)
            : direct(nBits - 4) * 16 + reversed(align, 4);
      }
    }
    for (; length > 0; length--, end++) out[end] = out[end - rep0 - 1];
  }
  return new Response(out, { headers: { "content-type": "application/wasm" } });
}

function take(id) {
  const element = document.getElementById(id);
  element.remove();
  return element.textContent;
}

// Stands in for the network in the worker, which fetches its weights by name. They are a matrix
// that was packed by its columns, of which there are 128.
async function fetchPacked(name) {
  const columns = new Uint8Array(await unpack(packedFiles[name]).arrayBuffer());
  const nRows = Math.floor(columns.length / 128);
  const rows = columns.slice();
  for (let at = 0; at < nRows * 128; at++) {
    rows[(at % nRows) * 128 + Math.floor(at / nRows)] = columns[at];
  }
  return new Response(rows);
}

(async () => {
  const files = document.querySelectorAll("script[id$='.weights']");
  const names = Array.from(files, (element) => element.id);
  const weights = Object.fromEntries(names.map((name) => [name, take(name)]));

  // The worker unpacks its own module.
  const worker = [
    `${unpack}\nconst packed = ${JSON.stringify(take("worker.wasm"))};\n`,
    `const packedFiles = ${JSON.stringify(weights)};\n${fetchPacked}\nself.fetch = fetchPacked;\n`,
    await unpack(take("worker.js")).text(),
  ];
  const address = URL.createObjectURL(new Blob(worker, { type: "text/javascript" }));
  document.querySelector("meta[name=parlour-worker]").content = address;

  // The page's module and its parts are one content, which is smaller than several.
  const modules = await unpack(take("app.wasm")).arrayBuffer();
  const headers = { "content-type": "application/wasm" };
  globalThis.moduleAt = (start, end) => new Response(modules.slice(start, end), { headers });
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = await unpack(take("app.js")).text();
  document.head.append(script);
})();
