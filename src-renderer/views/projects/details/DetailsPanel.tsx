import type { Run } from '@shared/contract/orchestration'
import type { RunDetails } from '@shared/contract/runDetails'
import { call } from '../../../client/call'
import { useAnswer } from '../../../client/useAnswer'
import { asShown } from '../store'
import { MaestroPanel } from './MaestroPanel'
import { MetaShellPanel } from './MetaShellPanel'
import { NcrewPanel } from './NcrewPanel'
import { TuningPanel } from './TuningPanel'
import './details.css'

/** What the run's format has of its own. Read again with each change of the run; what was read stays until then. */
export function DetailsPanel({ project, run: { key, revision } }: { readonly project: number; readonly run: Run }) {
  const { data: read, failure } = useAnswer(
    `${project} ${key}`,
    true,
    (signal) => call('projects.details', { project, run: key, ...asShown() }, { signal }),
    revision,
  )
  if (failure !== null) return <p className="problem">{failure.message}</p>
  if (read === null) return <p className="muted">The details are being read.</p>
  return (
    <div className="details-panel">
      <FormatPanel project={project} details={read.details} version={read.revision} />
      {read.more === 0 ? null : (
        <p className="muted">{read.more.toLocaleString('en')} entries or texts were cut; the files have them whole.</p>
      )}
    </div>
  )
}

function FormatPanel({
  details,
  ...rest
}: {
  readonly project: number
  readonly details: RunDetails
  readonly version: number
}) {
  switch (details.system) {
    case 'metashell':
      return <MetaShellPanel details={details} {...rest} />
    case 'ncrew':
      return <NcrewPanel details={details} {...rest} />
    case 'maestro':
      return <MaestroPanel details={details} {...rest} />
    case 'tuning':
      return <TuningPanel details={details} {...rest} />
  }
}
