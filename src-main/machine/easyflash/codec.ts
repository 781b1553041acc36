/**
 * The menu of EasyFlash 3 or Kung Fu Flash is greeted with the kind of file, answers with five characters, and then the
 * C64 requests pieces of the file. All numbers are little-endian, 16 bits.
 */
import { AppError } from '@shared/contract/errors'

export type FileKind = 'PRG' | 'CRT'

export const greeting = (kind: FileKind): Uint8Array => new TextEncoder().encode(`EFSTART:${kind}\0`)

const CARTRIDGE_SIGNATURE = 'C64 CARTRIDGE   '

export const isCartridge = (bytes: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(0, CARTRIDGE_SIGNATURE.length)) === CARTRIDGE_SIGNATURE

export const ANSWER_BYTES = 5

export type Answer = 'load' | 'wait'

const titles: Record<FileKind, string> = { PRG: 'programs (PRG)', CRT: 'cartridge images (CRT)' }

/** @throws AppError with the menu's refusal */
export function parseAnswer(bytes: Uint8Array, kind: FileKind): Answer {
  const text = new TextDecoder('latin1').decode(bytes).replace(/\0.*$/s, '')
  switch (text) {
    case 'LOAD':
      return 'load'
    case 'WAIT':
      return 'wait'
    case 'STOP':
      throw new AppError('CANCELLED', 'Loading was cancelled on the C64.')
    case 'ETYP':
    case 'BTYP':
      throw new AppError('UNSUPPORTED', `The cartridge’s menu does not take ${titles[kind]} now.`, {
        hint:
          kind === 'CRT'
            ? 'An EasyFlash 3 takes them in its menu; a Kung Fu Flash starts them from its SD card.'
            : 'Close its disk or cartridge browser, then try again.',
      })
    default:
      throw new AppError(
        'CONFLICT',
        'The device on this port does not speak the protocol of EasyFlash 3 and Kung Fu Flash.',
        {
          hint: 'Check that this is the cartridge’s port, and that its menu is on the screen.',
          details: { reply: text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 20) },
        },
      )
  }
}

export const NUMBER_BYTES = 2

/** 0 once the C64 has closed the file. */
export const parseRequest = ([low = 0, high = 0]: Uint8Array): number => low | (high << 8)

/** An empty piece ends the file. */
export const encodePiece = (bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.of(bytes.length & 0xff, bytes.length >> 8), bytes])
