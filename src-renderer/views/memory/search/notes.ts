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

/** Key of the note that does not exist yet. */
const NEW = ''

interface Notes {
  /** The folder of the notes; null for the first one. */
  readonly notebook: number | null
  /** Id of the note; it changes when somebody else edits the note. */
  readonly chosen: string
  readonly drafts: Readonly<Record<string, Draft>>
  readonly changes: number
  readonly failure: Failure | null
}

export const useNotes = create<Notes>(() => ({ notebook: null, chosen: NEW, drafts: {}, changes: 0, failure: null }))

export const receiveNotesChanged = (): void => useNotes.setState(({ changes }) => ({ changes: changes + 1 }))

export const chooseNote = (note: Note | null): void => useNotes.setState({ chosen: note?.id ?? NEW, failure: null })

export const chooseNotebook = (notebook: number): void => useNotes.setState({ notebook, chosen: NEW, failure: null })

export const typeNote = (draft: Draft): void =>
  useNotes.setState(({ drafts, chosen }) => ({ drafts: { ...drafts, [chosen]: draft }, failure: null }))

/** A note that no longer exists is added anew, beside what became of it. */
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

export function addressOf({ place }: Note, names: Names): number | undefined {
  if (place === null) return undefined
  try {
    return parseAddressRange(place, parseAddress, names).start
  } catch {
    return undefined
  }
}
