import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Output } from '@shared/contract/contract'
import { listNames } from '@shared/listNames'
import { call } from '../../client/call'
import { attempt, notify } from '../../client/messages'
import { useAnswer } from '../../client/useAnswer'
import { Button } from '../../widgets/Button'
import { visibleText } from '../../widgets/visibleText'
import { Section } from './details/parts'
import { shortHash } from './labels'
import { choose } from './store'

interface WorktreesProps {
  readonly project: number
  readonly version: unknown
}

type Worktree = Output<'loops.worktrees'>['worktrees'][number]

export function Worktrees({ project, version }: WorktreesProps) {
  const [removed, setRemoved] = useState(0)
  const { data, failure } = useAnswer(
    String(project),
    true,
    (signal) => call('loops.worktrees', { project }, { signal }),
    `${JSON.stringify(version)} ${removed}`,
  )
  if (failure !== null) return <p className="problem">{visibleText(failure.message)}</p>
  if (!data || data.worktrees.length === 0) return null
  return (
    <Section title="Worktrees" count={data.worktrees.length}>
      <div>
        {data.worktrees.map((worktree) => (
          <Entry
            key={worktree.path}
            project={project}
            worktree={worktree}
            onRemoved={() => setRemoved((count) => count + 1)}
          />
        ))}
      </div>
    </Section>
  )
}

interface EntryProps {
  readonly project: number
  readonly worktree: Worktree
  readonly onRemoved: () => void
}

function Entry({ project, worktree, onRemoved }: EntryProps) {
  const { branch, path, isMissing, run } = worktree
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="commit" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="data">{visibleText(branch)}</span>
        <span className={run === null ? 'warn-text' : 'muted'}>
          {run === null ? 'left: no run works in it' : visibleText(run)}
          {isMissing ? ', its folder is gone' : ''}
        </span>
      </summary>
      <p className="muted data">{visibleText(path)}</p>
      {isOpen ? <Contents project={project} worktree={worktree} /> : null}
      {run === null ? (
        <Button label="Remove…" icon={Trash2} onClick={() => attempt(() => remove(project, branch, onRemoved))} />
      ) : (
        <Button label="Show its run" onClick={() => choose({ project, run })} />
      )}
    </details>
  )
}

function Contents({ project, worktree: { branch, head } }: Omit<EntryProps, 'onRemoved'>) {
  const { data, failure } = useAnswer(`${project} ${branch} ${head}`, true, (signal) =>
    call('loops.worktree', { project, branch }, { signal }),
  )
  if (failure !== null) return <p className="problem">{visibleText(failure.message)}</p>
  if (!data) return <p className="muted">Reading what is in it…</p>
  const { commits, files, uncommitted } = data
  return (
    <>
      {commits.length === 0 ? <p className="muted">No commit that is not checked out.</p> : null}
      <ul className="commit-files" aria-label="Commits" tabIndex={0}>
        {commits.map(({ commit, subject }) => (
          <li key={commit}>
            <span className="data">{shortHash(commit)}</span> {visibleText(subject)}
          </li>
        ))}
      </ul>
      {files.length === 0 ? null : <p>Changed: {visibleText(listNames(files, 20))}</p>}
      {uncommitted.length === 0 ? null : (
        <p className="warn-text">Uncommitted: {visibleText(listNames(uncommitted, 20))}</p>
      )}
    </>
  )
}

async function remove(project: number, branch: string, onRemoved: () => void): Promise<void> {
  const kept = await call('projects.removeWorktree', { project, branch })
  if (kept === null) return
  onRemoved()
  notify(`Removed ${branch}. Its commits are kept as ${kept.backup}.`)
}
