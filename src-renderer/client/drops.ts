import type { MachineState } from '@shared/contract/machine'
import { programFileKindOf, programFileKinds, programFiles } from '@shared/programFiles'
import { limitOf } from './machines'

/** What dropping one kind of file does. */
export interface Drop {
  readonly title: string
  readonly effect: string
  /** Why it does nothing; null where it does. */
  readonly why: string | null
}

const notOpened: readonly { readonly title: string; readonly ending: RegExp; readonly why: string }[] = [
  { title: 'VSF', ending: /\.vsf$/i, why: 'Load snapshots in VICE’s own window.' },
  { title: 'SPD', ending: /\.spd$/i, why: 'Bridgedeck does not import SpritePad files.' },
]

/** Every kind of file, with what dropping it on the machine does. */
export function describeDrops(state: MachineState | undefined): Drop[] {
  const limit = limitOf(state, 'runProgram')
  return [
    ...programFileKinds.map((kind): Drop => {
      const { title, effect } = programFiles[kind]
      return { title, effect, why: limit ?? state?.programFiles[kind] ?? null }
    }),
    ...notOpened.map(({ title, why }): Drop => ({ title, effect: '', why })),
    { title: 'Folder', effect: 'Opens it as a project', why: null },
  ]
}

/** Why a file that is dropped is not opened; null where it is. A file of an unknown kind is left to the machine. */
export function limitOfDrop(name: string, state: MachineState | undefined): string | null {
  const refused = notOpened.find(({ ending }) => ending.test(name))
  if (refused) return refused.why
  const kind = programFileKindOf(name)
  return kind === undefined ? null : (state?.programFiles[kind] ?? null)
}
