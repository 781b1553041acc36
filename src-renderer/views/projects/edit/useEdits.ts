import { useState } from 'react'
import { call } from '../../../client/call'
import { useEvent } from '../../../client/events'
import { useAnswer } from '../../../client/useAnswer'

/**
 * Empty until it is known.
 * @param version of the files
 */
export function useUndoable(project: number, edits: readonly number[], version: number): ReadonlySet<number> {
  const { data } = useAnswer(
    `${project} ${edits.join(' ')}`,
    edits.length > 0,
    (signal) => call('projects.undoable', { project, edits: [...edits] }, { signal }),
    version,
  )
  return new Set(data?.edits)
}

/** Newest first; read again with each edit of the project. */
export function useEdits(project: number, run: string) {
  const [version, setVersion] = useState(0)
  useEvent('projects.edited', (event) => {
    if (event.project === project) setVersion((last) => last + 1)
  })
  const { data, failure } = useAnswer(
    `${project} ${run}`,
    true,
    (signal) => call('projects.edits', { project, run }, { signal }),
    version,
  )
  return { edits: data?.edits ?? null, failure }
}
