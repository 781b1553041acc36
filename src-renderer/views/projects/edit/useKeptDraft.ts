import { useEffect, useState } from 'react'
import type { EditValues, OfferedAction } from '@shared/contract/edits'
import { call } from '../../../client/call'
import { reportError } from '../../../client/messages'
import { FormDraft } from './formDraft'

/** A draft is kept this long after the last key, ms. */
const SAVE_DRAFT_MS = 300

interface DraftPlace {
  readonly project: number
  readonly run: string
  readonly values?: EditValues
}

export function useKeptDraft({ project, run, values }: DraftPlace, action: OfferedAction) {
  const of = { project, run, name: action.name, target: action.target }
  const [draft] = useState(
    () =>
      new FormDraft(values ?? null, (kept) => {
        call('projects.keepDraft', { ...of, values: kept }).catch(reportError)
      }),
  )
  const [typed, setTyped] = useState(draft.typed)
  const [keptAt, setKeptAt] = useState<number | null>(null)

  useEffect(() => {
    if (values !== undefined) return
    const load = (kept: EditValues) => {
      draft.load(kept)
      setTyped(draft.typed)
    }
    call('projects.draft', of).then(
      ({ draft: kept }) => {
        load(kept?.values ?? {})
        setKeptAt(kept?.at ?? null)
      },
      (error: unknown) => {
        reportError(error)
        load({})
      },
    )
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  useEffect(() => {
    const timer = setTimeout(() => draft.keep(), SAVE_DRAFT_MS)
    return () => clearTimeout(timer)
  }, [draft, typed])
  useEffect(() => {
    const keep = () => draft.keep()
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [draft])

  return {
    typed,
    keptAt,
    keep: () => draft.keep(),
    type: (name: string, value: EditValues[string]) => {
      draft.type(name, value)
      setTyped(draft.typed)
    },
    discard: () => {
      draft.clear()
      setTyped(draft.typed)
      setKeptAt(null)
    },
  }
}
