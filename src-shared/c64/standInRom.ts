/** The character ROM that text is drawn with where the machine's own is not known. */

export interface StandInRom {
  /** 4,096 bytes. */
  readonly bytes: Uint8Array
  /** The name of the person's ROM file; null for Bridgedeck's own characters. */
  readonly file: string | null
  /** Why the person's file is not used, in a sentence; null where it is, or there is none. */
  readonly problem: string | null
}

export const ROM_NOT_SHOWN = 'This machine does not show its character ROM.'

/** Whose characters text is drawn with, in sentences. */
export const drawnWith = ({ file, problem }: StandInRom): string =>
  `Text is drawn with ${file === null ? 'Bridgedeck’s own characters' : `the characters of ${file}`}.${problem === null ? '' : ` ${problem}`}`

/** @param why the machine's own ROM is not known, in a sentence */
export const romNoteOf = (rom: StandInRom, why = ROM_NOT_SHOWN): string => `${why} ${drawnWith(rom)}`
