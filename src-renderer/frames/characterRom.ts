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
  readonly bytes: Uint8Array
  readonly stamp: string | null
  readonly note: string | null
}

const unknownRom = new Uint8Array(IO_SIZE)

const useStandIn = create<{
  readonly asked: string | null
  readonly rom: StandInRom | null
  readonly failures: number
}>(() => ({ asked: null, rom: null, failures: 0 }))

const RETRY_MS = 5_000

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

/**
 * The machine's own ROM, or what stands in for it; null before either is known. The array is the frame store's own:
 * never write to it.
 */
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

function lackOf(machine: MachineState | undefined, isRecorded: boolean): string | null {
  if (isRecorded) return 'The recording lacks the character ROM.'
  if (!machine || !isConnected(machine)) return 'No connected machine shows its character ROM.'
  return machine.capabilities.readMemory ?? (machine.capabilities.ramUnderRom === null ? null : ROM_NOT_SHOWN)
}
