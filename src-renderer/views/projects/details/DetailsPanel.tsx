import type { Run } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { asShown } from '../store'
import { panels } from './panels'
import './details.css'

export function DetailsPanel({ project, run: { key, revision } }: { readonly project: number; readonly run: Run }) {
  const { data: read, failure } = useAnswer(
    `${project} ${key}`,
    true,
    (signal) => call('projects.details', { project, run: key, ...asShown() }, { signal }),
    revision,
  )
  if (failure !== null) return <p className="problem">{failure.message}</p>
  if (read === null) return <p className="muted">Loading details…</p>
  return (
    <div className="details-panel">
      {panels.get(read.details.system)?.({ project, details: read.details, version: read.revision })}
      {read.more === 0 ? null : (
        <p className="muted">
          {read.more.toLocaleString('en')} entries or texts are shortened; the files have all of them.
        </p>
      )}
    </div>
  )
}
