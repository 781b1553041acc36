/** The character ROM that pictures are drawn with where the machine's own is not known. */

export interface StandInRom {
  /** 4,096 bytes. */
  readonly bytes: Uint8Array
  /** The name of the person's ROM file; null for Bridgedeck's own characters. */
  readonly file: string | null
}

export const ROM_NOT_SHOWN = 'This machine does not show its character ROM.'

export const drawnWith = ({ file }: StandInRom): string => `Characters are drawn with ${file ?? 'Bridgedeck’s own'}.`

/** In place of the ROM of a machine that does not show it. */
export const inPlaceOfRom = (rom: StandInRom) => ({
  characterRom: rom.bytes,
  romNote: `${ROM_NOT_SHOWN} ${drawnWith(rom)}`,
})
