import { frontMachine } from '../../client/machines'
import { graphicsImageNow } from '../../frames/graphicsImage'

const CHARACTER_ROM_BYTES = 4096

export const ramNow = (): 'ram' | 'cpu' => ((frontMachine()?.capabilities.ramUnderRom ?? null) === null ? 'ram' : 'cpu')

/** Of the machine in front, a copy; zeros where it shows none. */
export const characterRomNow = (): Uint8Array =>
  graphicsImageNow(ramNow())?.characterRom?.slice() ?? new Uint8Array(CHARACTER_ROM_BYTES)
