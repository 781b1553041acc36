import { X } from 'lucide-react'
import { describeFailure } from '@shared/contract/errors'
import { call } from '../../client/call'
import { useAnswer } from '../../client/useAnswer'
import { IconButton } from '../../widgets/IconButton'
import { visibleText } from '../../widgets/visibleText'
import { FileLines } from './FileLines'
import { ProjectFile } from './ProjectFile'
import { hideShown, useProjects, type Place } from './store'
import { dayAndTime } from '../../widgets/times'

interface RawFileProps {
  readonly place: Place
  readonly version: number
}

/** Shown as plain text: nothing in it is followed or run. */
export function RawFile({ place: { project, source }, version }: RawFileProps) {
  const { file, line = 1 } = source
  const at = useProjects((state) => state.at)

  const { data, failure } = useAnswer(
    `${project} ${file} ${line}`,
    true,
    (signal) => call('projects.file', { project, file, line, ...(at === null ? {} : { at }) }, { signal }),
    `${version} ${at ?? 'now'}`,
  )
  const content = failure === null ? data : null
  const problem = failure === null ? null : describeFailure(failure)

  const lines = content?.text.split('\n') ?? []
  const last = content ? content.firstLine + lines.length - 1 : 0
  return (
    <section
      className="projects-file"
      aria-label={`File ${file}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') hideShown()
      }}
    >
      <div className="projects-file-head">
        <ProjectFile project={project} file={file} />
        {source.pointer ? <span className="muted data">{visibleText(source.pointer)}</span> : null}
        <span className="muted">
          {content && (content.firstLine > 1 || last < content.lines)
            ? `lines ${content.firstLine} to ${last} of ${content.lines}`
            : ''}
        </span>
        {at === null ? null : <span className="warn-text">as it was at {dayAndTime(at)}</span>}
        <IconButton label="Hide the file" icon={X} look="plain" shortcut="Esc" onClick={hideShown} />
      </div>
      {problem === null ? null : <p className="problem">{visibleText(problem)}</p>}
      {content === null ? null : (
        <FileLines firstLine={content.firstLine} lines={lines} marked={line} centre={`${file} ${line}`} />
      )}
    </section>
  )
}
