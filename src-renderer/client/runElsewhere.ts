import { create } from 'zustand'
import { describeFailure, toFailure } from '@shared/contract/errors'
import type { ImageContents, MachineState } from '@shared/contract/machine'
import { needsBasic } from '@shared/c64/basic/typedBasic'
import { programFileKindOf } from '@shared/programFiles'
import { call } from './call'
import { frontMachine, useMachines } from './machines'

export interface GrantedFile {
  readonly grant: string
  readonly name: string
}

export type Wanted = ({ readonly kind: 'file' } & GrantedFile) | { readonly kind: 'text'; readonly text: string }

export interface Refused {
  readonly id: number
  readonly wanted: Wanted
  readonly machine: string
  readonly why: string
  readonly needsBasic: boolean
  readonly programs: ImageContents['programs']
  readonly problem: string | null
}

export const useRefused = create<{ readonly refused: Refused | null }>(() => ({ refused: null }))
export const closeRefused = (): void => useRefused.setState({ refused: null })

let nextId = 0

const show = (refused: Omit<Refused, 'id'>): void => useRefused.setState({ refused: { ...refused, id: nextId++ } })

export async function offerElsewhere(file: GrantedFile, why: string, needsBasic = false): Promise<void> {
  const { front } = useMachines.getState()
  const refused = { wanted: { kind: 'file', ...file }, machine: front, why, needsBasic } as const
  try {
    const { programs } = await call('program.listGranted', { grant: file.grant })
    show({ ...refused, programs, problem: null })
  } catch (error) {
    show({ ...refused, programs: [], problem: describeFailure(toFailure(error)) })
  }
}

export function limitOfTyping(text: string, state: MachineState | undefined): string | null {
  if (state === undefined || state.hasBasic || state.program !== null) return null
  const word = needsBasic(text)
  return word === null
    ? null
    : `${state.title} has no BASIC for ${word}: it uses Bridgedeck’s own ROMs, which know RUN, SYS, POKE, PRINT and LIST.`
}

export function offerBasic(text: string): boolean {
  const why = limitOfTyping(text, frontMachine())
  if (why === null) return false
  const { front } = useMachines.getState()
  show({ wanted: { kind: 'text', text }, machine: front, why, needsBasic: true, programs: [], problem: null })
  return true
}

/** Null where it does, or is not known yet. */
export function limitOfVice(wanted: Wanted, vice: MachineState | undefined): string | null {
  if (vice === undefined) return null
  if (wanted.kind === 'text') return vice.hasBasic ? null : NO_BASIC_IN_VICE
  const kind = programFileKindOf(wanted.name)
  return kind === undefined ? null : vice.programFiles[kind]
}

const NO_BASIC_IN_VICE = 'This VICE has no BASIC either: its Commodore ROMs are not installed.'
