import { formatAddress } from '@shared/c64/address'

const BYTES_PER_LINE = 16

export const hexLines = (address: number, bytes: Uint8Array): string[] =>
  Array.from({ length: Math.ceil(bytes.length / BYTES_PER_LINE) }, (_, line) => {
    const at = line * BYTES_PER_LINE
    const row = [...bytes.subarray(at, at + BYTES_PER_LINE)]
    return `${formatAddress(address + at)}  ${row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')}`
  })
