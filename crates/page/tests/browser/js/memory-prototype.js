// Found in the memory of a page or a worker by its prototype.
WebAssembly.Memory.prototype;
