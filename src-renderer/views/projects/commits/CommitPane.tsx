import { X } from 'lucide-react'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { IconButton } from '../../../widgets/IconButton'
import { visibleText } from '../../../widgets/visibleText'
import { shortHash } from '../labels'
import { hideShown } from '../store'
import { CommitChanges } from './CommitEntry'
import { commitProblem } from './commitProblem'

interface CommitPaneProps {
  readonly project: number
  readonly run: string
  /** A hash, or the beginning of one. */
  readonly commit: string
}

export function CommitPane({ project, run, commit }: CommitPaneProps) {
  const { data, failure } = useAnswer(`${project} ${run} ${commit}`, true, (signal) =>
    call('projects.commit', { project, run, commit }, { signal }),
  )
  return (
    <section
      className="projects-file"
      aria-label={`Commit ${commit}`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') hideShown()
      }}
    >
      <div className="projects-file-head">
        <span>
          <span className="data">{shortHash(commit)}</span> {data === null ? '' : visibleText(data.subject)}
        </span>
        <IconButton label="Hide the commit" icon={X} look="plain" shortcut="Esc" onClick={hideShown} />
      </div>
      <div className="commit-pane" tabIndex={0} role="group" aria-label="What it changed">
        {failure !== null ? (
          <p className="problem">{commitProblem(failure)}</p>
        ) : data === null ? (
          <p className="muted">Loading the commit…</p>
        ) : (
          <CommitChanges commit={data} />
        )}
      </div>
    </section>
  )
}
