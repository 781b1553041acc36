import { Copy } from 'lucide-react'
import { useState } from 'react'
import type { Commit, CommitDetails, DifferenceDetails } from '@shared/contract/commits'
import { call } from '../../../client/call'
import { attempt, notify } from '../../../client/messages'
import { useAnswer } from '../../../client/useAnswer'
import { IconButton } from '../../../widgets/IconButton'
import { visibleText } from '../../../widgets/visibleText'
import { timeText } from '../details/parts'
import { DiffText } from '../details/DiffText'
import { agoText, shortHash } from '../labels'
import { commitProblem } from './commitProblem'
import './commits.css'

interface CommitEntryProps {
  readonly project: number
  readonly run: string
  readonly commit: Commit
  readonly now: number
  readonly onOpen?: () => void
}

export function CommitEntry({ project, run, commit, now, onOpen }: CommitEntryProps) {
  const [isOpen, setOpen] = useState(false)
  const { data, failure } = useAnswer(`${project} ${commit.commit}`, isOpen, (signal) =>
    call('projects.commit', { project, run, commit: commit.commit }, { signal }),
  )
  return (
    <details
      className="commit"
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open)
        if (currentTarget.open) onOpen?.()
      }}
    >
      <summary>
        <span className="data">{shortHash(commit.commit)}</span>
        <span className="commit-subject" title={visibleText(commit.subject)}>
          {visibleText(commit.subject) || 'no subject'}
        </span>
        <span className="muted">
          {visibleText(commit.author)}, {agoText(commit.time, now)}
        </span>
      </summary>
      {failure !== null ? (
        <p className="problem">{commitProblem(failure)}</p>
      ) : data === null ? (
        <p className="muted">Loading the commit…</p>
      ) : (
        <CommitChanges commit={data} />
      )}
    </details>
  )
}

export function CommitChanges({
  commit: { commit, parents, author, time, body, files, moreFiles, diff, isCut },
}: {
  readonly commit: CommitDetails
}) {
  return (
    <>
      <p className="commit-facts">
        <Hash hash={commit} />
        <span className="muted">
          {visibleText(author)}, {timeText(time)}
          {parents.length === 0 ? ', the first commit' : ''}
        </span>
      </p>
      {parents.length < 2 ? null : (
        <p className="muted">
          A merge of <span className="data">{parents.map(shortHash).join(', ')}</span>. Compared with the first of them.
        </p>
      )}
      {body === '' ? null : <pre className="projects-text">{visibleText(body)}</pre>}
      <Changes difference={{ files, moreFiles, diff, isCut }} command={`git show ${shortHash(commit)}`} />
    </>
  )
}

interface ChangesProps {
  readonly difference: DifferenceDetails
  readonly command: string | null
}

function Changes({ difference: { files, moreFiles, diff, isCut }, command }: ChangesProps) {
  return (
    <>
      {files.length === 0 ? <p className="muted">No file was changed.</p> : null}
      <ul className="commit-files data" aria-label="Files" tabIndex={0}>
        {files.map(({ path, added, deleted }) => (
          <li key={path}>
            {added === null || deleted === null ? (
              <span className="muted">binary</span>
            ) : (
              <span>
                <span className="ok-text">+{added}</span> <span className="bad-text">−{deleted}</span>
              </span>
            )}
            <span>{visibleText(path)}</span>
          </li>
        ))}
      </ul>
      {moreFiles === 0 ? null : <p className="muted">And {moreFiles.toLocaleString('en')} more files.</p>}
      {diff === '' ? null : <DiffText text={diff.trimEnd()} />}
      {isCut ? (
        <p className="muted">The diff is longer.{command === null ? '' : ` See all of it with ${command}.`}</p>
      ) : null}
    </>
  )
}

interface CombinedEntryProps {
  readonly project: number
  readonly run: string
  readonly commits: readonly string[]
}

export function CombinedEntry({ project, run, commits }: CombinedEntryProps) {
  const [isOpen, setOpen] = useState(false)
  const { data, failure } = useAnswer(`${project} ${run} ${commits.join(' ')}`, isOpen, (signal) =>
    call('projects.difference', { project, run, commits: [...commits] }, { signal }),
  )
  return (
    <details className="commit" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="commit-subject">All {commits.length} commits together</span>
      </summary>
      {failure !== null ? (
        <p className="problem">{commitProblem(failure)}</p>
      ) : data === null ? (
        <p className="muted">Loading the difference…</p>
      ) : (
        <Changes difference={data} command={null} />
      )}
    </details>
  )
}

export const Hash = ({ hash }: { readonly hash: string }) => (
  <span className="commit-hash">
    <span className="data">{visibleText(hash)}</span>
    <IconButton
      label="Copy hash"
      icon={Copy}
      look="plain"
      onClick={() =>
        attempt(async () => {
          await call('window.copyText', { text: hash })
          notify('Hash copied.')
        })
      }
    />
  </span>
)
