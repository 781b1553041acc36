import { useEffect, useState } from 'react'
import { formatAddress } from '@shared/c64/address'
import type { Logged } from '@shared/contract/checkpoints'
import { counted } from '@shared/countedText'
import { call } from '../../client/call'
import { useFrontMachine } from '../../client/machines'
import { showInMemory } from '../../client/memoryCursor'
import { attempt } from '../../client/messages'

/** Newest first; `bridgedeck checkpoint log` has the others. */
const SHOWN_LINES = 100

export function CheckpointLog({ machine, visible }: { readonly machine: string; readonly visible: boolean }) {
  const count = useFrontMachine()?.logged ?? 0
  const [lines, setLines] = useState<readonly Logged[]>([])
  useEffect(() => {
    if (!visible || count === 0) return undefined
    const controller = new AbortController()
    attempt(async () => {
      const after = Math.max(0, count - SHOWN_LINES)
      const read = await call('machine.checkpointLog', { machine, after }, { signal: controller.signal })
      if (!controller.signal.aborted) setLines(read.lines)
    })
    return () => controller.abort()
  }, [machine, visible, count])
  if (count === 0) return null
  return (
    <>
      <h3 className="checkpoint-log-title">
        Log <span className="muted">{counted(count, 'line')}</span>
      </h3>
      <ol className="checkpoint-lines data" tabIndex={0} aria-label="Log of the checkpoints, newest first">
        {lines
          .slice(-SHOWN_LINES)
          .reverse()
          .map(({ line, pc, text }) => (
            <li key={line}>
              <button type="button" className="link" title="Show in memory" onClick={() => showInMemory(pc)}>
                {formatAddress(pc)}
              </button>{' '}
              {text}
            </li>
          ))}
      </ol>
    </>
  )
}
