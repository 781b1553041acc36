import { useEffect, useState } from 'react'
import type { LabelledCheckpoint } from '@shared/contract/checkpoints'
import { call } from '../client/call'
import { useEvent } from '../client/events'
import { useFrontMachine } from '../client/machines'
import { attempt } from '../client/messages'
import { useFrameSummary } from './frames'

export function useCheckpoints(machine: string, isRead: boolean): readonly LabelledCheckpoint[] {
  const execution = useFrontMachine()?.execution
  const stoppedAt = useFrontMachine()?.stop?.time
  // A paused machine sends a new sample only when it has stopped again.
  const { seq } = useFrameSummary()
  const stop = execution === 'paused' ? seq : null
  const [list, setList] = useState<readonly LabelledCheckpoint[]>([])
  const [changes, setChanges] = useState(0)

  // A stop changes the counts and drops temporary checkpoints. Reading stops the machine for a moment, so not more often.
  useEffect(() => {
    if (!isRead) return undefined
    const controller = new AbortController()
    attempt(async () => {
      const { checkpoints } = await call('machine.checkpoints', { machine }, { signal: controller.signal })
      if (!controller.signal.aborted) setList(checkpoints)
    })
    return () => controller.abort()
  }, [isRead, machine, execution, stop, stoppedAt, changes])
  useEvent('machine.checkpointsChanged', (changed) => {
    if (changed.machine === machine) setChanges((count) => count + 1)
  })
  return list
}
