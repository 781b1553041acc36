import { graphicsImageNow } from '../../frames/graphicsImage'
import { spriteMemoryNow } from '../../frames/sprites'

const CHARACTER_ROM_BYTES = 4096

/** Of the machine in front, a copy; zeros where it shows none. */
export const characterRomNow = (): Uint8Array =>
  graphicsImageNow(spriteMemoryNow())?.characterRom?.slice() ?? new Uint8Array(CHARACTER_ROM_BYTES)
