import { graphicsImageNow } from '../../frames/graphicsImage'

const CHARACTER_ROM_BYTES = 4096

/** Of the machine in front, a copy; zeros where it shows none. */
export const characterRomNow = (): Uint8Array =>
  graphicsImageNow()?.characterRom?.slice() ?? new Uint8Array(CHARACTER_ROM_BYTES)
