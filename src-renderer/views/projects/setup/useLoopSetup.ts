import type { Output } from '@shared/contract/contract'
import type { LoopName } from '@shared/contract/loops'
import { call } from '../../../client/call'
import { useSettings } from '../../../client/settings'
import { useAnswer } from '../../../client/useAnswer'
import { keyOf } from '../loops'
import { useRepositories } from './prepareFolder'

export type Setup = Output<'loops.setup'>

interface LoopSetup {
  /** Null until it was read. */
  readonly setup: Setup | null
  /** Why it could not be read. */
  readonly problem: string | null
  readonly reread: () => void
}

/** What a run would start with, read again with each change of the agents and of `version`. */
export function useLoopSetup(name: LoopName, version: string): LoopSetup {
  const { agents } = useSettings()
  const repositories = useRepositories(({ version }) => version)
  const { project, system, place } = name
  const { data, failure, again } = useAnswer(
    keyOf(name),
    true,
    (signal) => call('loops.setup', { project, system, place }, { signal }),
    `${version} ${repositories} ${JSON.stringify(agents)}`,
  )
  return {
    setup: failure === null ? data : null,
    problem: failure === null ? null : [failure.message, failure.hint].filter(Boolean).join(' '),
    reread: again,
  }
}
