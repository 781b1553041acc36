import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { create } from 'zustand'
import { ROM_NOT_SHOWN, romNoteOf, type StandInRom } from '@shared/c64/standInRom'
import { IO_SIZE, IO_START } from '@shared/c64/video'
import type { MachineState } from '@shared/contract/machine'
import { call } from '../client/call'
import { frontMachine, isConnected, useBridge, useFrontMachine } from '../client/machines'
import { reportError } from '../client/messages'
import { useSettings } from '../client/settings'
import { frames, useFrameWish } from './frames'
import { usePlayback } from './shownMoment'

export interface CharacterRom {
  /** A copy of what the machine in front has, or of what stands in for it; zeros before either is known. */
  readonly bytes: Uint8Array
  /** Another one for other bytes; null before they are known. */
  readonly stamp: string | null
  /** Why these are not the machine's own, and whose they are; null where they are, or nothing is known yet. */
  readonly note: string | null
}

const unknownRom = new Uint8Array(IO_SIZE)

const useStandIn = create<{
  /** The settings that it was asked for with. */
  readonly asked: string | null
  readonly rom: StandInRom | null
  /** How often it could not be had. */
  readonly failures: number
}>(() => ({ asked: null, rom: null, failures: 0 }))

/** After a failure. */
const RETRY_MS = 5_000

/** While `isNeeded`, asks the machine in front for its character ROM, and follows it. */
export function useCharacterRom(isNeeded: boolean): CharacterRom {
  useFrameWish(isNeeded, ['rom'])
  useStandInRom(isNeeded)
  const standIn = useStandIn(({ rom }) => rom)
  const stamp = useSyncExternalStore(frames.onSummary, () => (isNeeded ? romStamp() : null))
  const machine = useFrontMachine()
  const isRecorded = usePlayback(({ shown }) => shown !== null)
  const lack = lackOf(machine, isRecorded)
  return useMemo(() => {
    if (stamp !== null) return { stamp, bytes: romNow().slice(), note: null }
    if (!isNeeded || standIn === null || lack === null) return { stamp: null, bytes: unknownRom, note: null }
    return { stamp: `stand-in ${sumOf(standIn.bytes)}`, bytes: standIn.bytes, note: romNoteOf(standIn, lack) }
  }, [stamp, isNeeded, standIn, lack])
}

/** While `isNeeded`, knows what stands in for the character ROM of a machine that does not show it. */
export function useStandInRom(isNeeded: boolean): void {
  const { characterRom, useViceRoms, viceExecutable } = useSettings()
  const wanted = JSON.stringify([characterRom, useViceRoms, viceExecutable])
  const isReady = useBridge().state === 'ready'
  const failures = useStandIn((state) => state.failures)
  useEffect(() => {
    if (!isNeeded || !isReady || useStandIn.getState().asked === wanted) return
    useStandIn.setState({ asked: wanted })
    call('memory.standInRom', {}).then(
      (rom) => {
        if (useStandIn.getState().asked !== wanted) return
        useStandIn.setState({ rom })
        frames.requestDraw()
      },
      (error: unknown) => {
        if (useStandIn.getState().asked !== wanted) return
        if (failures === 0) reportError(error)
        setTimeout(() => useStandIn.setState({ asked: null, failures: failures + 1 }), RETRY_MS)
      },
    )
  }, [isNeeded, isReady, failures, wanted])
}

/** Of the machine in front, or what stands in for it; null before either is known. The array is the frame store's own: never write to it. */
export function characterRomNow(): { readonly characterRom: Uint8Array | null; readonly romNote?: string } {
  if (frames.known('rom')) return { characterRom: romNow() }
  const { rom } = useStandIn.getState()
  const lack = rom === null ? null : lackOf(frontMachine(), usePlayback.getState().shown !== null)
  return rom === null || lack === null
    ? { characterRom: null }
    : { characterRom: rom.bytes, romNote: romNoteOf(rom, lack) }
}

const romNow = (): Uint8Array => frames.image('rom').subarray(IO_START, IO_START + IO_SIZE)

/** The ROM may come page by page. */
const romStamp = (): string | null =>
  frames.known('rom') ? `${frames.machine} ${frames.epoch} ${sumOf(romNow())}` : null

const sumOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => (Math.imul(sum, 31) + byte) | 0, 0)

/** Why the ROM will not be known; null where it is, or is on its way. */
function lackOf(machine: MachineState | undefined, isRecorded: boolean): string | null {
  if (isRecorded) return 'The recording lacks the character ROM.'
  if (!machine || !isConnected(machine)) return 'No connected machine shows its character ROM.'
  return machine.capabilities.readMemory ?? (machine.capabilities.ramUnderRom === null ? null : ROM_NOT_SHOWN)
}
