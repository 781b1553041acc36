/**
 * Cloning a view clones its whole backing buffer, which takes time and leaks other content, such as Node's `Buffer`
 * pool. So all bytes are copied into buffers of exactly their size.
 */
export function exactCopies(value: unknown): unknown {
  if (value instanceof Uint8Array) return isExact(value) ? value : new Uint8Array(value)
  if (value instanceof Int16Array) return isExact(value) ? value : new Int16Array(value)
  if (Array.isArray(value)) return value.map(exactCopies)
  if (typeof value === 'object' && value !== null && isPlain(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, exactCopies(inner)]))
  }
  return value
}

const isExact = (bytes: Uint8Array | Int16Array) =>
  bytes.byteLength === bytes.buffer.byteLength && !Buffer.isBuffer(bytes)

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

export function sizeOf(value: unknown, limit: number): number {
  let size = 0
  const open: unknown[] = [value]
  while (open.length > 0 && size <= limit) {
    const next = open.pop()
    size += 8
    if (typeof next === 'string') size += next.length * 2
    else if (ArrayBuffer.isView(next)) size += next.buffer.byteLength
    else if (next instanceof ArrayBuffer) size += next.byteLength
    else if (next instanceof Map || next instanceof Set) return Infinity
    else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        size += key.length * 2
        open.push(inner)
      }
    }
  }
  return size
}
