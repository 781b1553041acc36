import { useMemo, useSyncExternalStore } from 'react'
import { IO_SIZE, IO_START } from '@shared/c64/video'
import { isConnected, useFrontMachine, useLack } from '../client/machines'
import { frames, useFrameWish } from './frames'
import { usePlayback } from './shownMoment'

export interface CharacterRom {
  /** Of the machine in front, a copy; zeros where it is not known. */
  readonly bytes: Uint8Array
  /** Another one for other bytes; null where they are not known. */
  readonly stamp: string | null
  /** Why it will not be known; null where it is, or is on its way. */
  readonly lack: string | null
}

const unknownRom = new Uint8Array(IO_SIZE)

/** While `isNeeded`, asks the machine in front for its character ROM, and follows it. */
export function useCharacterRom(isNeeded: boolean): CharacterRom {
  useFrameWish(isNeeded, ['rom'])
  const stamp = useSyncExternalStore(frames.onSummary, () => (isNeeded ? romStamp() : null))
  const bytes = useMemo(() => (stamp === null ? unknownRom : romNow().slice()), [stamp])
  const why = useRomLack()
  return { bytes, stamp, lack: isNeeded && stamp === null ? why : null }
}

/** Of the machine in front; null where it is not known. The array is the frame store's own: never write to it. */
export const characterRomNow = (): Uint8Array | null => (frames.known('rom') ? romNow() : null)

const romNow = (): Uint8Array => frames.image('rom').subarray(IO_START, IO_START + IO_SIZE)

/** The ROM may come page by page. */
function romStamp(): string | null {
  if (!frames.known('rom')) return null
  return `${frames.machine} ${frames.epoch} ${romNow().reduce((sum, byte) => (Math.imul(sum, 31) + byte) | 0, 0)}`
}

function useRomLack(): string | null {
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  const lack = useLack('readMemory')
  const machine = useFrontMachine()
  if (isRecorded) return 'The recording lacks the character ROM.'
  if (lack !== null) return lack
  if (!machine || !isConnected(machine)) return 'No machine is connected that shows its character ROM.'
  return machine.capabilities.ramUnderRom === null ? null : 'This machine does not show its character ROM.'
}
