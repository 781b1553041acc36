/** Messages as lines of JSON, in which bytes stand as `{ "$bytes": "hex" }`. */

export const encodeLine = (message: unknown): string => `${JSON.stringify(message, encodeBytes)}\n`

function encodeBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('hex') } : value
}

/** @returns undefined, which is no message either, for a line that is no JSON or has more than `maxValues` values */
export function decodeLine(line: string, maxValues: number): unknown {
  let values = 0
  try {
    return JSON.parse(line, (_key, value: unknown) => {
      if (++values > maxValues) throw new RangeError('too many values')
      return isEncodedBytes(value) ? (decodeBytes(value.$bytes) ?? value) : value
    }) as unknown
  } catch {
    return undefined
  }
}

function isEncodedBytes(value: unknown): value is { readonly $bytes: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    '$bytes' in value &&
    typeof value.$bytes === 'string' &&
    Object.keys(value).length === 1
  )
}

/** Buffer.from stops silently at the first character that is no hex digit. */
function decodeBytes(hex: string): Uint8Array | undefined {
  const bytes = Buffer.from(hex, 'hex')
  return bytes.length * 2 === hex.length ? new Uint8Array(bytes) : undefined
}
