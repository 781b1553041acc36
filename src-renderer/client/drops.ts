import { labelFileEndings } from '@shared/c64/labels/programLabel'
import type { MachineState } from '@shared/contract/machine'
import { programFileKindOf, programFileKinds, programFiles, type ProgramFileKind } from '@shared/programFiles'
import { limitOf } from './machines'

export interface Drop {
  readonly title: string
  readonly effect: string
  readonly why: string | null
}

const savedState = {
  title: 'Bridgedeck state',
  ending: /\.bridgedeck-state$/i,
  effect: 'Goes back to the saved state; what runs now is lost',
}

const labels = {
  title: labelFileEndings.map((ending) => ending.toUpperCase()).join(', '),
  effect: 'Loads the labels of the program',
}

const isLabelFile = (name: string): boolean =>
  labelFileEndings.some((ending) => name.toLowerCase().endsWith(`.${ending}`))

const graphics = {
  title: 'SPD, SPM, CTM, Petmate, Koala',
  ending: /\.(spd|spr|spm|ctm|petmate|koa|kla|art|ocp|aas|mpic|fli|fd2|bml|apng)$/i,
  effect: 'Shows the graphics in it, to import them',
}

export function describeDrops(state: MachineState | undefined): Drop[] {
  const limit = limitOf(state, 'runProgram')
  return [
    ...programFileKinds.map((kind): Drop => {
      const { title, effect } = programFiles[kind]
      return { title, effect, why: limit ?? state?.programFiles[kind] ?? null }
    }),
    { title: savedState.title, effect: savedState.effect, why: limitOf(state, 'saveState') },
    { ...labels, why: null },
    { title: 'PNG, JPEG, GIF', effect: 'Opens it in the picture studio', why: null },
    {
      title: 'PRG with a D64',
      effect: 'Inserts the disk in drive A, then runs the program',
      why: limitOf(state, 'drives'),
    },
    { title: graphics.title, effect: graphics.effect, why: null },
    { title: 'Folder', effect: 'Opens it as a project', why: null },
    { title: 'Several files', effect: 'Opens the first that the machine takes', why: null },
  ]
}

export const isGraphicsFile = (name: string): boolean => graphics.ending.test(name)

export const isSavedState = (name: string): boolean => savedState.ending.test(name)

/** Null where it is opened; a file of an unknown kind is left to the machine. */
export function limitOfDrop(name: string, state: MachineState | undefined): string | null {
  if (isSavedState(name)) return limitOf(state, 'saveState')
  const kind = programFileKindOf(name)
  return kind === undefined ? null : (state?.programFiles[kind] ?? null)
}

export interface DropPlan<File> {
  readonly inserted: File | null
  readonly labels: readonly File[]
  readonly opened: File | null
  readonly left: readonly { readonly name: string; readonly why: string }[]
}

const isKnown = (name: string): boolean =>
  isSavedState(name) || isGraphicsFile(name) || programFileKindOf(name) !== undefined

/**
 * A machine runs one file; one of a known kind comes first. A disk beside a program goes into its drive, and labels are
 * always loaded.
 */
export function planDrop<File extends { readonly name: string }>(
  dropped: readonly File[],
  state: MachineState | undefined,
): DropPlan<File> {
  const labels = dropped.filter(({ name }) => isLabelFile(name))
  const files = dropped.filter((file) => !labels.includes(file))
  const limits = new Map(files.map((file) => [file, limitOfDrop(file.name, state)]))
  const taken = files.filter((file) => limits.get(file) === null)
  const ofKind = (kind: ProgramFileKind) => taken.find(({ name }) => programFileKindOf(name) === kind) ?? null
  const program = limitOf(state, 'drives') === null ? ofKind('prg') : null
  const inserted = program === null ? null : ofKind('disk')
  const first = taken.find(({ name }) => isKnown(name)) ?? taken[0] ?? null
  const opened = inserted === null ? first : program
  return {
    labels,
    inserted,
    opened,
    left: files
      .filter((file) => file !== opened && file !== inserted)
      .map((file) => ({ name: file.name, why: limits.get(file) ?? 'One file is opened at a time.' })),
  }
}
