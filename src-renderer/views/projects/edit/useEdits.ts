import { useState } from 'react'
import { call } from '../../../client/call'
import { useEvent } from '../../../client/events'
import { useAnswer } from '../../../client/useAnswer'

/** Those of the edits that can be undone as the files are now; none while that is found out. @param version of the files */
export function useUndoable(project: number, edits: readonly number[], version: number): ReadonlySet<number> {
  const { data } = useAnswer(
    `${project} ${edits.join(' ')}`,
    edits.length > 0,
    (signal) => call('projects.undoable', { project, edits: [...edits] }, { signal }),
    version,
  )
  return new Set(data?.edits)
}

/** What was written into a run for the person, the newest first; read again with each edit of the project. */
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
