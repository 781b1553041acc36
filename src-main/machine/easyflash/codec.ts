/**
 * The USB protocol that the menus of EasyFlash 3 and Kung Fu Flash speak: a greeting that names the kind of file, an answer
 * of five characters, and then the C64 asks for pieces of the file. All numbers are little-endian, 16 bits.
 */
import { AppError } from '@shared/contract/errors'

/** Asks the menu to take a program. */
export const greeting: Uint8Array = new TextEncoder().encode('EFSTART:PRG\0')

export const ANSWER_SIZE = 5

export type Answer = 'load' | 'wait'

/** What the menu says to the greeting; throws its refusal. */
export function parseAnswer(bytes: Uint8Array): Answer {
  const text = new TextDecoder('latin1').decode(bytes).replace(/\0.*$/s, '')
  switch (text) {
    case 'LOAD':
      return 'load'
    case 'WAIT':
      return 'wait'
    case 'STOP':
      throw new AppError('CANCELLED', 'The loading was stopped at the C64.')
    case 'ETYP':
    case 'BTYP':
      throw new AppError('UNSUPPORTED', 'The cartridge’s menu does not take programs (PRG) just now.', {
        hint: 'Leave what the menu shows (the disk or cartridge browser’s dialogs), then try again.',
      })
    default:
      throw new AppError('CONFLICT', 'What answers on this port does not speak as an EasyFlash 3 or Kung Fu Flash.', {
        hint: 'Check that it is the cartridge’s port, and that its menu is on the screen.',
        details: { said: text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 20) },
      })
  }
}

export const NUMBER_SIZE = 2

/** How many bytes the C64 asks for; 0 once it has closed the file. */
export const parseRequest = ([low = 0, high = 0]: Uint8Array): number => low | (high << 8)

/** A piece of the file with its size; an empty one says that the file ends. */
export const encodePiece = (bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.of(bytes.length & 0xff, bytes.length >> 8), bytes])
