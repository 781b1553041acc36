/** PRG files: a little-endian load address, then the bytes that go there. A P00 file is a PRG behind a 26-byte header. */
import { AppError } from '../contract/errors'
import { formatAddress } from './address'

export interface Program {
  readonly loadAddress: number
  /** Without the header and load address; 1 to 65536 bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The address after the last byte, at most $10000. */
  readonly end: number
}

const P00_HEADER = 26
const P00_SIGNATURE = 'C64File\0'

/** @throws AppError INVALID, with the reason, for what cannot be loaded */
export function parsePrg(file: Uint8Array): Program {
  const prg = isP00(file) ? file.subarray(P00_HEADER) : file
  const low = prg[0]
  const high = prg[1]
  if (low === undefined) throw refuse('The program is empty.')
  if (high === undefined)
    throw refuse('The program is cut short: it has one byte, and its load address alone takes two.')
  const loadAddress = low | (high << 8)
  const bytes = prg.slice(2)
  if (bytes.length === 0)
    throw refuse(`The program is cut short: nothing follows its load address ${formatAddress(loadAddress)}.`)
  const end = loadAddress + bytes.length
  if (end > 0x10000) {
    throw refuse(
      `The program is too long: ${bytes.length} bytes from ${formatAddress(loadAddress)} go ${end - 0x10000} past the end of memory ($FFFF).`,
    )
  }
  return { loadAddress, bytes, end }
}

const refuse = (message: string): AppError =>
  new AppError('INVALID', message, { hint: 'Choose a PRG or P00 file as an assembler or BASIC saves it.' })

function isP00(file: Uint8Array): boolean {
  return (
    file.length >= P00_HEADER &&
    Array.from(P00_SIGNATURE).every((character, index) => file[index] === character.charCodeAt(0))
  )
}
