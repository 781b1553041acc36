import type { Output } from '@shared/contract/contract'
import type { LoopName } from '@shared/contract/loops'
import { call } from '../../../client/call'
import { useSettings } from '../../../client/settings'
import { useAnswer } from '../../../client/useAnswer'
import { keyOf } from '../loops'
import { useFolderSetups } from './prepareFolder'

export type Setup = Output<'loops.setup'>

interface LoopSetup {
  readonly setup: Setup | null
  readonly problem: string | null
  readonly reread: () => void
}

const nothing: LoopName = { project: 0, system: 'maestro', place: '' }

export function useLoopSetup(name: LoopName | null, version: string): LoopSetup {
  const { agents } = useSettings()
  const folders = useFolderSetups(({ version }) => version)
  const { project, system, place } = name ?? nothing
  const { data, failure, again } = useAnswer(
    keyOf({ project, system, place }),
    name !== null,
    (signal) => call('loops.setup', { project, system, place }, { signal }),
    `${version} ${folders} ${JSON.stringify(agents)}`,
  )
  return {
    setup: failure === null ? data : null,
    problem: failure === null ? null : [failure.message, failure.hint].filter(Boolean).join(' '),
    reread: again,
  }
}
