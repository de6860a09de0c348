function sumOfMemories() {
  return this.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
}
