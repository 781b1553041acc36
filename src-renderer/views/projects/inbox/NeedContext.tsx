import { MAX_ROW_PAGE, type RunNeed, type RunRow } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { visibleText } from '../../../widgets/visibleText'
import { standingWords } from '../labels'
import { LinesAround } from '../LinesAround'
import { StateLabel } from '../StateLabel'

interface NeedContextProps {
  readonly project: number
  readonly run: string
  readonly revision: number
  readonly need: RunNeed
}

export function NeedContext({ project, run, revision, need }: NeedContextProps) {
  return (
    <>
      {need.unblocks.length === 0 ? null : <Unblocked project={project} run={run} revision={revision} need={need} />}
      <LinesAround project={project} revision={revision} source={need.source} />
    </>
  )
}

function Unblocked({ project, run, revision, need }: NeedContextProps) {
  const { data } = useAnswer(
    `${project} ${run}`,
    true,
    (signal) => call('projects.rows', { project, run, from: 0, most: MAX_ROW_PAGE }, { signal }),
    revision,
  )
  const rows = new Map(data?.rows.map((row) => [row.key, row]))
  return (
    <section className="need-unblocks" aria-label="Waiting for this">
      <h3>Waiting for this</h3>
      <ul>
        {need.unblocks.map((key, index) => (
          <li key={index}>
            <BlockedRow name={key} row={rows.get(key)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function BlockedRow({ name, row }: { readonly name: string; readonly row: RunRow | undefined }) {
  const title = row?.title.value ?? null
  return (
    <>
      <span className="data">{visibleText(name)}</span>{' '}
      {title === null || title === name ? null : <span>{visibleText(title)} </span>}
      {row === undefined ? null : <StateLabel {...standingWords[row.standing]} />}
    </>
  )
}
