import { Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Edit } from '@shared/contract/edits'
import { call, useEvent } from '../../../app/client'
import { attempt, wordsOf } from '../../../app/messages'
import { Button } from '../../../widgets/Button'
import { Source } from '../Source'
import { agoText, visibleText } from '../words'
import { undo } from './editing'

/** What was written into a run for the person, the newest first, with what can be taken back. */
export function EditList({ project, run, now }: { readonly project: number; readonly run: string; readonly now: number }) {
  const [edits, setEdits] = useState<readonly Edit[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [version, setVersion] = useState(0)
  useEvent('projects.edited', (event) => {
    if (event.project === project) setVersion((last) => last + 1)
  })
  useEffect(() => {
    let ended = false
    call('projects.edits', { project, run }).then(
      (read) => {
        if (!ended) setEdits(read.edits)
      },
      (error: unknown) => {
        if (!ended) setProblem(wordsOf(error))
      },
    )
    return () => {
      ended = true
    }
  }, [project, run, version])
  if (problem !== null) return <p className="problem">{problem}</p>
  if (edits === null) return null
  if (edits.length === 0) return <p className="muted">You have changed nothing in this run yet.</p>
  return (
    <ul className="projects-items edits">
      {edits.map(({ edit, time, summary, files, undoneAt, overwritten }) => (
        <li key={edit}>
          <p>
            {visibleText(summary)} <span className="muted">{agoText(time, now)}</span>{' '}
            {undoneAt !== null ? <span className="muted">undone</span> : <Button label="Undo" icon={Undo2} onClick={() => attempt(() => undo({ project, run }, edit))} />}
          </p>
          {overwritten === null ? null : (
            <p className="warn-text">
              overwritten at {new Date(overwritten.at).toLocaleTimeString()} by {overwritten.by === null ? 'another program' : visibleText(overwritten.by)}
            </p>
          )}
          {files.map((file) => (
            <Source key={file} project={project} source={{ file, line: 1 }} />
          ))}
        </li>
      ))}
    </ul>
  )
}
