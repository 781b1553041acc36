/** Tar as in POSIX.1-2001 (pax): blocks of 512 bytes, a header before each file. */

const BLOCK = 512
/** The octal digits of a header hold no larger size; above it a pax record is needed. */
const MAX_HEADER_SIZE = 8 ** 11 - 1
const MAX_HEADER_NAME = 100

export interface TarEntry {
  readonly name: string
  readonly bytes: number
  /** ms since 1970 */
  readonly mtimeMs: number
}

export function tarHeader({ name, bytes, mtimeMs }: TarEntry): Buffer {
  const records: Record<string, string> = {}
  if (Buffer.byteLength(name) > MAX_HEADER_NAME || /[^\x20-\x7e]/.test(name)) records['path'] = name
  if (bytes > MAX_HEADER_SIZE) records['size'] = String(bytes)
  const own = block({
    name: Object.hasOwn(records, 'path') ? 'file' : name,
    size: Math.min(bytes, MAX_HEADER_SIZE),
    seconds: Math.floor(mtimeMs / 1000),
    type: '0',
  })
  if (Object.keys(records).length === 0) return own
  const text = Buffer.from(
    Object.entries(records)
      .map(([key, value]) => paxRecord(key, value))
      .join(''),
  )
  const pax = block({ name: 'PaxHeader', size: text.length, seconds: 0, type: 'x' })
  return Buffer.concat([pax, text, tarPadding(text.length), own])
}

export const tarPadding = (bytes: number): Buffer => Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK)

export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK)

/** A record begins with its own length in decimal digits. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  let length = bytes + String(bytes).length
  if (String(length).length > String(bytes).length) length = bytes + String(length).length
  return `${length}${rest}`
}

interface HeaderFields {
  readonly name: string
  readonly size: number
  readonly seconds: number
  readonly type: '0' | 'x'
}

function block({ name, size, seconds, type }: HeaderFields): Buffer {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1')
  header.write(name, 0, 'utf8')
  octal(0o600, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(size, 124, 11)
  octal(Math.max(0, seconds), 136, 11)
  header.write(' '.repeat(8), 148, 'latin1')
  header.write(type, 156, 'latin1')
  header.write('ustar\u000000', 257, 'latin1')
  const checksum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}
