const ROW = 16

export function hexDump(address: number, bytes: Uint8Array, asText: (byte: number) => string): string {
  const rows: string[] = []
  for (let from = 0; from < bytes.length; from += ROW) {
    const row = [...bytes.subarray(from, from + ROW)]
    const hex = row
      .map(hexByte)
      .join(' ')
      .padEnd(ROW * 3 - 1)
    rows.push(`${(address + from).toString(16).toUpperCase().padStart(4, '0')}  ${hex}  ${row.map(asText).join('')}`)
  }
  return rows.join('\n')
}

export const hexByte = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0')

export const hexString = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
