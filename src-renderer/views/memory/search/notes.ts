import { create } from 'zustand'
import { parseAddress, parseAddressRange } from '@shared/c64/address'
import type { Names } from '@shared/c64/labels/names'
import { toFailure, type Failure } from '@shared/contract/errors'
import type { Note, Notebook } from '@shared/contract/notes'
import { call } from '../../../client/call'

interface Draft {
  /** As typed; empty for the program as a whole. */
  readonly place: string
  readonly text: string
}

/** Stands for the note that is not there yet. */
const NEW = ''

interface Notes {
  /** The folder whose notes are shown; null for the first one. */
  readonly notebook: number | null
  /** By its id; what somebody else has changed since has another. */
  readonly chosen: string
  /** Of notes that are not saved yet, by their ids. */
  readonly drafts: Readonly<Record<string, Draft>>
  /** Counts how often notes changed, by whoever. */
  readonly changes: number
  readonly failure: Failure | null
}

/** What is chosen and typed; kept while the view is closed. */
export const useNotes = create<Notes>(() => ({ notebook: null, chosen: NEW, drafts: {}, changes: 0, failure: null }))

export const receiveNotesChanged = (): void => useNotes.setState(({ changes }) => ({ changes: changes + 1 }))

export const chooseNote = (note: Note | null): void => useNotes.setState({ chosen: note?.id ?? NEW, failure: null })

export const chooseNotebook = (notebook: number): void => useNotes.setState({ notebook, chosen: NEW, failure: null })

export const typeNote = (draft: Draft): void =>
  useNotes.setState(({ drafts, chosen }) => ({ drafts: { ...drafts, [chosen]: draft }, failure: null }))

/** Adds the note, or changes the one that it is a draft of. One that is gone by now is added, beside what became of it. */
export const saveNote = ({ notebook }: Notebook, note: Note | undefined, { place, text }: Draft): Promise<void> =>
  write(async () => {
    const words = { place: place.trim() === '' ? null : place.trim(), text, evidence: null }
    const change = note ? { kind: 'replace' as const, note: note.id, ...words } : { kind: 'add' as const, ...words }
    const { now } = await call('notes.edit', { notebook, change })
    return now?.id ?? NEW
  })

export const removeNote = ({ notebook }: Notebook, { id }: Note): Promise<void> =>
  write(async () => {
    await call('notes.edit', { notebook, change: { kind: 'remove', note: id } })
    return NEW
  })

/** @param edit returns the note that is chosen afterwards */
async function write(edit: () => Promise<string>): Promise<void> {
  const { chosen } = useNotes.getState()
  try {
    const next = await edit()
    useNotes.setState(({ drafts }) => {
      const { [chosen]: _, ...others } = drafts
      return { chosen: next, drafts: others, failure: null }
    })
  } catch (error) {
    useNotes.setState({ failure: toFailure(error) })
  }
}

/** Where a note's place is now; undefined for none, or for a label that the program does not have. */
export function addressOf({ place }: Note, names: Names): number | undefined {
  if (place === null) return undefined
  try {
    return parseAddressRange(place, parseAddress, names).start
  } catch {
    return undefined
  }
}
