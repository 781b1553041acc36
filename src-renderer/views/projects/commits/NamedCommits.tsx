import { isCommitName, isSameCommit } from '@shared/commitName'
import { MAX_COMMITS } from '@shared/contract/commits'
import type { Run } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { visibleText } from '../../../widgets/visibleText'
import { useTrusted } from '../store'
import { CombinedEntry, CommitEntry, Hash } from './CommitEntry'
import { commitProblem } from './commitProblem'

type State = 'found' | 'missing' | 'unknown'

interface NamedCommitsProps {
  readonly project: number
  readonly run: Run
  /** As written; at most `MAX_COMMITS` of them are looked up. */
  readonly names: readonly string[]
  /** Without it, a commit that git does not find is missing. */
  readonly states?: readonly State[]
  readonly now: number
}

export function NamedCommits({ project, run, names, states, now }: NamedCommitsProps) {
  const asked = names.filter(isCommitName).slice(0, MAX_COMMITS)
  const trusted = useTrusted(project)
  const { data, failure } = useAnswer(
    `${project} ${run.key} ${asked.join(' ')}`,
    asked.length > 0,
    (signal) => call('projects.namedCommits', { project, run: run.key, names: asked }, { signal }),
    `${trusted} ${states?.join()}`,
  )
  const found = failure === null ? data?.commits : undefined
  const stateOf = (name: string, index: number): State =>
    states ? (states[index] ?? 'unknown') : found && asked.includes(name) ? 'missing' : 'unknown'
  return (
    <div>
      {failure === null ? null : <p className="muted">{commitProblem(failure)}</p>}
      {failure !== null || asked.length < 2 ? null : <CombinedEntry project={project} run={run.key} commits={asked} />}
      {names.map((name, index) => {
        const commit = found?.find((known) => isSameCommit(known.commit, name))
        return commit ? (
          <CommitEntry key={index} project={project} run={run.key} commit={commit} now={now} />
        ) : (
          <p key={index}>
            <Hash hash={visibleText(name)} />
            <span className="warn-text">{absence(name, stateOf(name, index))}</span>
          </p>
        )
      })}
    </div>
  )
}

function absence(name: string, state: State): string {
  if (!isCommitName(name)) return ' is not a commit hash'
  return state === 'missing' ? ' is not in the repository' : ''
}
