import { Undo2 } from 'lucide-react'
import { describeFailure } from '@shared/contract/errors'
import type { Run } from '@shared/contract/orchestration'
import { attempt } from '../../../client/messages'
import { Button } from '../../../widgets/Button'
import { dayAndTime } from '../../../widgets/times'
import { visibleText } from '../../../widgets/visibleText'
import { FileLink } from '../Source'
import { agoText } from '../labels'
import { undo } from './editing'
import { useEdits, useUndoable } from './useEdits'

export function EditList({
  project,
  run: { key: run, revision },
  now,
}: {
  readonly project: number
  readonly run: Pick<Run, 'key' | 'revision'>
  readonly now: number
}) {
  const { edits, failure } = useEdits(project, run)
  const open = (edits ?? []).filter(({ undoneAt }) => undoneAt === null).map(({ edit }) => edit)
  const undoable = useUndoable(project, open, revision)
  if (failure !== null) return <p className="problem">{describeFailure(failure)}</p>
  if (edits === null) return null
  if (edits.length === 0) return <p className="muted">No edits yet.</p>
  return (
    <ul className="projects-items edits">
      {edits.map(({ edit, time, summary, files, undoneAt, overwritten }) => (
        <li key={edit}>
          <p>
            {visibleText(summary)} <span className="muted">{agoText(time, now)}</span>{' '}
            {undoneAt !== null ? (
              <span className="muted">undone</span>
            ) : !undoable.has(edit) ? null : (
              <Button label="Undo" icon={Undo2} onClick={() => attempt(() => undo({ project, run }, edit))} />
            )}
          </p>
          {overwritten === null ? null : (
            <p className="warn-text">
              overwritten at {dayAndTime(overwritten.at)} by{' '}
              {overwritten.by === null ? 'another program' : visibleText(overwritten.by)}
            </p>
          )}
          {files.map((file) => (
            <FileLink key={file} project={project} source={{ file, line: 1 }} />
          ))}
        </li>
      ))}
    </ul>
  )
}
