export const programFiles = {
  prg: { title: 'PRG, P00', ending: /\.(prg|p\d\d)$/i, effect: 'Runs it, and again whenever it is rebuilt' },
  cartridge: { title: 'CRT', ending: /\.crt$/i, effect: 'Inserts the cartridge and starts it' },
  disk: {
    title: 'D64, G64, D71, D81',
    ending: /\.(d64|g64|d71|g71|d81)$/i,
    effect: 'Inserts the disk and runs its first program',
  },
  tape: { title: 'TAP, T64', ending: /\.(tap|t64)$/i, effect: 'Inserts the tape and runs its first program' },
  snapshot: { title: 'VSF', ending: /\.vsf$/i, effect: 'Restores the machine as VICE saved it' },
  music: { title: 'SID', ending: /\.sid$/i, effect: 'Plays its first song' },
} as const satisfies Readonly<Record<string, ProgramFileEntry>>

interface ProgramFileEntry {
  readonly title: string
  readonly ending: RegExp
  readonly effect: string
}

export type ProgramFileKind = keyof typeof programFiles

const isKind = (name: string): name is ProgramFileKind => Object.hasOwn(programFiles, name)
export const programFileKinds: readonly ProgramFileKind[] = Object.keys(programFiles).filter(isKind)

export const programFileKindOf = (name: string): ProgramFileKind | undefined =>
  programFileKinds.find((kind) => programFiles[kind].ending.test(name))
