export interface StandInRom {
  /** 4,096 bytes. */
  readonly bytes: Uint8Array
  readonly file: string | null
  readonly problem: string | null
}

export const ROM_NOT_SHOWN = 'This machine does not show its character ROM.'

export const drawnWith = ({ file, problem }: StandInRom): string =>
  `Text is drawn with ${file === null ? 'Bridgedeck’s own characters' : `the characters of ${file}`}.${problem === null ? '' : ` ${problem}`}`

export const romNoteOf = (rom: StandInRom, why = ROM_NOT_SHOWN): string => `${why} ${drawnWith(rom)}`
