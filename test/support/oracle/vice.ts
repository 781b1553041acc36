/** x64sc as fast as it goes, which runs one image after the other. */
import { unpackPixels } from '@shared/c64/picture'
import { ciaModels, defaultModels, type ChipModels, type VideoStandard } from '@shared/contract/machine'
import { MonitorClient, type Send } from '../../../src-main/machine/vice/client'
import {
  exit,
  nameRegisters,
  readDisplay,
  readMemory,
  setCheckpoint,
  writeMemory,
  writeRegister,
} from '../../../src-main/machine/vice/commands'
import { cropDisplay } from '../../../src-main/machine/vice/display'
import { startVice } from '../../vice/support'
import { DONE, START, START_FLAGS } from './image'
import type { TestedMachine } from './machine'

const RAM_BANK = 1
/** An image takes well below a second; a starved machine needs longer. */
const DEADLINE_MS = 60_000
const IMAGE_DEADLINE_MS = 120_000

/** By VICE's names. */
export const vicModelNames = {
  '6569': { pal: '6569', ntsc: '6567' },
  '8565': { pal: '8565', ntsc: '8562' },
} as const

export interface OracleVice extends TestedMachine {
  stop(): Promise<void>
}

export async function startOracle(
  { ciaModel, vicModel }: ChipModels = defaultModels,
  standard: VideoStandard = 'pal',
): Promise<OracleVice> {
  const chips = ['-ciamodel', String(ciaModels.indexOf(ciaModel)), '-VICIImodel', vicModelNames[vicModel][standard]]
  const vice = await startVice('x64sc', ['-warp', `-${standard}`, ...chips])
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const client = await MonitorClient.connect({ host: '127.0.0.1', port: vice.port }, signal, DEADLINE_MS)
    const run = await prepare(client, signal)
    const stop = async (): Promise<void> => {
      client.close()
      await vice.stop()
    }
    const picture = async (): Promise<Uint8Array> => {
      const display = await client.trap((send) => send(readDisplay()), AbortSignal.timeout(DEADLINE_MS), DEADLINE_MS)
      return unpackPixels(cropDisplay(display, 0).pixels)
    }
    return { run, picture, stop }
  } catch (error) {
    await vice.stop()
    throw error
  }
}

async function prepare(client: MonitorClient, signal: AbortSignal): Promise<TestedMachine['run']> {
  const names = await client.trap(
    async (send) => {
      const done = setCheckpoint({
        start: DONE,
        end: DONE,
        operations: ['exec'],
        stop: true,
        enabled: true,
        temporary: false,
      })
      const [found] = await Promise.all([send(nameRegisters()), send(done), send(exit())])
      return new Map(found.map(({ id, name }) => [name, id]))
    },
    signal,
    DEADLINE_MS,
  )
  const pc = names.get('PC')
  const flags = names.get('FL')
  if (pc === undefined || flags === undefined) throw new Error('VICE has no register PC or FL.')

  return async (image) => {
    const finished = stopped(client)
    const begin = [
      writeMemory(RAM_BANK, 0x0002, image.subarray(0x0002)),
      writeRegister(flags, START_FLAGS),
      writeRegister(pc, START),
      exit(),
    ]
    const trap = <Reply>(work: (send: Send) => Promise<Reply>) =>
      client.trap(work, AbortSignal.timeout(DEADLINE_MS), DEADLINE_MS)
    await trap((send) => Promise.all(begin.map((request) => send<unknown>(request))))
    const isFinished = await finished
    const ram = await trap((send) => send(readMemory(RAM_BANK, 0, 0xffff)))
    return isFinished ? { ram } : { ram, stopped: 'x64sc does not get through the case.' }
  }
}

/** Whether the machine stops at the end of an image in good time. */
function stopped(client: MonitorClient): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (finished: boolean): void => {
      clearTimeout(timer)
      forget()
      resolve(finished)
    }
    const timer = setTimeout(() => settle(false), IMAGE_DEADLINE_MS)
    const forget = client.onEvent((event) => {
      if (event.kind === 'stopped' && event.pc === DONE) settle(true)
    })
  })
}
