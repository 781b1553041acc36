import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { EditValues, OfferedAction } from '@shared/contract/edits'
import { call } from '../../../client/call'
import { reportError } from '../../../client/messages'
import { isSameValue } from './actionFields'

/** A draft is kept this long after the last key, ms. */
const SAVE_DRAFT_MS = 300

interface DraftPlace {
  readonly project: number
  readonly run: string
  /** In place of what was kept. */
  readonly values?: EditValues
}

/** What was typed into the form of an action: kept by the bridge, and there again when the form is opened again. */
export function useKeptDraft({ project, run, values }: DraftPlace, action: OfferedAction) {
  const [typed, setTyped] = useState<EditValues>(values ?? {})
  /** ms since 1970; null where nothing was kept. */
  const [keptAt, setKeptAt] = useState<number | null>(null)
  const of = { project, run, name: action.name, target: action.target }
  const loaded = useRef(values !== undefined)
  const kept = useRef<EditValues>({})

  useEffect(() => {
    if (loaded.current) return
    loaded.current = true
    call('projects.draft', of).then(({ draft }) => {
      if (draft === null) return
      kept.current = draft.values
      setTyped((now) => ({ ...draft.values, ...now }))
      setKeptAt(draft.at)
    }, reportError)
    // The form is of one action for as long as it is there.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const keep = () => {
    if (isSameValue(typed, kept.current)) return
    kept.current = typed
    call('projects.keepDraft', { ...of, values: Object.keys(typed).length === 0 ? null : typed }).catch(reportError)
  }
  const keepNow = useEffectEvent(keep)
  useEffect(() => {
    const timer = setTimeout(keepNow, SAVE_DRAFT_MS)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(() => () => keepNow(), [])

  return {
    typed,
    keptAt,
    /** Without waiting for the next key. */
    keep,
    type: (name: string, value: EditValues[string]) => setTyped((now) => ({ ...now, [name]: value })),
    discard: () => {
      setTyped({})
      setKeptAt(null)
    },
  }
}
