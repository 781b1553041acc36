import { useEffect, useState } from 'react'
import type { Output } from '@shared/contract/contract'
import { toFailure } from '@shared/contract/errors'
import type { Run } from '@shared/contract/orchestration'
import type { RunDetails } from '@shared/contract/runDetails'
import { call } from '../../../app/client'
import { asShown } from '../store'
import { MaestroPanel } from './MaestroPanel'
import { MetaShellPanel } from './MetaShellPanel'
import { NcrewPanel } from './NcrewPanel'
import { TuningPanel } from './TuningPanel'
import './details.css'

/** What the run's format has of its own. Read again with each change of the run; what was read stays until then. */
export function DetailsPanel({ project, run: { key, revision } }: { readonly project: number; readonly run: Run }) {
  const [read, setRead] = useState<Output<'projects.details'> | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let ended = false
    call('projects.details', { project, run: key, ...asShown() }).then(
      (told) => {
        if (ended) return
        setRead(told)
        setProblem(null)
      },
      (error: unknown) => {
        if (!ended) setProblem(toFailure(error).message)
      },
    )
    return () => {
      ended = true
    }
  }, [project, key, revision])
  if (problem !== null) return <p className="problem">{problem}</p>
  if (read === null) return <p className="muted">The details are being read.</p>
  return (
    <div className="details-panel">
      <FormatPanel project={project} details={read.details} version={read.revision} />
      {read.more === 0 ? null : <p className="muted">{read.more.toLocaleString('en')} entries or texts were cut; the files have them whole.</p>}
    </div>
  )
}

function FormatPanel({ details, ...rest }: { readonly project: number; readonly details: RunDetails; readonly version: number }) {
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
