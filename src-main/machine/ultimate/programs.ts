import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import { parsePrg } from '@shared/c64/prg'
import type { ProgramFile } from '../facets'
import type { Runner, UltimateApi } from './api'
import { MAX_PAYLOAD_BYTES, runImage, type DmaService } from './dmaService'
import type { Input } from './input'

const imageTypes = ['d64', 'g64', 'd71', 'g71', 'd81'] as const
export type ImageType = (typeof imageTypes)[number]

const endingOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** @throws AppError INVALID for a file that is no disk image */
export function imageTypeOf(name: string): ImageType {
  const found = imageTypes.find((type) => type === endingOf(name))
  if (found) return found
  throw new AppError('INVALID', `${name} is not a disk image that the Ultimate can mount.`, {
    hint: `Supported types: ${imageTypes.join(', ')}.`,
  })
}

const runners: Partial<Record<string, Runner>> = { crt: 'run_crt', sid: 'sidplay', mod: 'modplay' }
const notRunnable: Partial<Record<string, string>> = {
  t64: 'Extract the PRG from it and run that.',
  tap: 'Start it in the Ultimate’s own menu.',
  reu: 'Load it in the Ultimate’s own menu.',
}

const driveModeOf: Record<ImageType, string> = { d64: '1541', g64: '1541', d71: '1571', g71: '1571', d81: '1581' }

const BOOT_TIME_MS = 3_000

interface Device {
  readonly api: UltimateApi
  readonly dma: DmaService
  readonly input: Input
}

const cannotRun = (name: string, hint: string): AppError =>
  new AppError('UNSUPPORTED', `The Ultimate cannot run ${name} over the network.`, { hint })

export async function runProgram(
  { name, bytes, song }: Pick<ProgramFile, 'name' | 'bytes' | 'song'>,
  device: Device,
  signal: AbortSignal,
): Promise<void> {
  const { api } = device
  const ending = endingOf(name)
  const hint = notRunnable[ending]
  if (hint !== undefined) throw cannotRun(name, hint)
  const runner = runners[ending]
  if (runner !== undefined) await api.run(runner, { name, bytes, song }, signal)
  else if (imageTypes.some((type) => type === ending)) await runUploadedDisk(name, bytes, device, signal)
  else await api.run('run_prg', { name, bytes: asPrg(bytes) }, signal)
}

export async function runStoredFile(
  path: string,
  song: number | undefined,
  device: Device,
  signal: AbortSignal,
): Promise<void> {
  const ending = endingOf(path)
  const runner = ending === 'prg' ? 'run_prg' : runners[ending]
  const type = imageTypes.find((type) => type === ending)
  if (runner !== undefined) await device.api.runStored(runner, path, song, signal)
  else if (type !== undefined)
    await runDisk(type, () => device.api.mountStored('a', { path, type }, 'readwrite', signal), device, signal)
  else throw cannotRun(path, notRunnable[ending] ?? 'Choose a PRG, CRT, SID, MOD or disk image.')
}

/** @throws AppError INVALID for a file that cannot be loaded */
function asPrg(file: Uint8Array): Uint8Array {
  const { loadAddress, bytes } = parsePrg(file)
  return Uint8Array.from([loadAddress & 0xff, loadAddress >> 8, ...bytes])
}

async function runUploadedDisk(name: string, bytes: Uint8Array, device: Device, signal: AbortSignal): Promise<void> {
  const type = imageTypeOf(name)
  if (type === 'd64' && (await runByDmaService(bytes, device.dma, signal))) return
  await runDisk(type, () => device.api.mount('a', { name, type, bytes }, 'readwrite', signal), device, signal)
}

async function runDisk(
  type: ImageType,
  mount: () => Promise<void>,
  { api, input }: Device,
  signal: AbortSignal,
): Promise<void> {
  const drive = (await api.drives(signal)).find((one) => one.drive === 'a')
  if (drive?.enabled === false) await api.setDriveEnabled('a', true, signal)
  if (drive?.type !== driveModeOf[type]) await api.setDriveMode('a', driveModeOf[type], signal)
  await mount()
  await api.reset(signal)
  input.forget()
  await sleep(BOOT_TIME_MS, undefined, { signal })
  await input.typeText(`load"*",${drive?.busId ?? 8},1\nrun\n`, signal)
}

async function runByDmaService(image: Uint8Array, dma: DmaService, signal: AbortSignal): Promise<boolean> {
  if (image.length > MAX_PAYLOAD_BYTES) return false
  try {
    await dma.burst([runImage(image)], signal)
    return true
  } catch (error) {
    if (error instanceof AppError && ['UNREACHABLE', 'FORBIDDEN', 'LOST'].includes(error.code)) return false
    throw error
  }
}
