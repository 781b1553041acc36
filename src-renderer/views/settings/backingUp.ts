import { create } from 'zustand'
import type { Payload } from '@shared/contract/contract'
import { counted } from '@shared/countedText'
import { call } from '../../client/call'
import { attempt, warn } from '../../client/messages'
import { notifySaved } from '../../client/savedFile'
import { visibleText } from '../../widgets/visibleText'

interface BackingUp {
  readonly percent: number | null
  readonly cancel: () => void
}

export const useBackingUp = create<{ readonly backingUp: BackingUp | null }>(() => ({ backingUp: null }))

export function backUp(): void {
  if (useBackingUp.getState().backingUp) return
  const controller = new AbortController()
  useBackingUp.setState({ backingUp: { percent: null, cancel: () => controller.abort() } })
  attempt(async () => {
    try {
      const { saved, left, leftCount } = await call('data.backUp', {}, { signal: controller.signal })
      notifySaved(saved)
      if (leftCount > 0)
        warn(
          `${counted(leftCount, 'file')} could not be read and are not in the backup.`,
          left.map(({ file, reason }) => visibleText(`${file}: ${reason}`)).join(' '),
          null,
        )
    } finally {
      useBackingUp.setState({ backingUp: null })
    }
  })
}

export const receiveBackedUp = ({ percent }: Payload<'data.backedUp'>): void =>
  useBackingUp.setState(({ backingUp }) => (backingUp ? { backingUp: { ...backingUp, percent } } : {}))
