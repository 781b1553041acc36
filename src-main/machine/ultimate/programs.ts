/** Which of an Ultimate's calls a program file goes to, by the ending of its name. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '@shared/contract/errors'
import { parsePrg } from '@shared/c64/prg'
import type { Runner, UltimateApi } from './api'
import { MAX_PAYLOAD, runImage, type DmaService } from './dmaService'
import type { Input } from './input'

const imageTypes = ['d64', 'g64', 'd71', 'g71', 'd81'] as const
export type ImageType = (typeof imageTypes)[number]

const endingOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** Throws INVALID for what is no image of a disk. */
export function imageTypeOf(name: string): ImageType {
  const found = imageTypes.find((type) => type === endingOf(name))
  if (found) return found
  throw new AppError('INVALID', `${name} is no disk image that the Ultimate’s drives take.`, {
    hint: `It takes ${imageTypes.join(', ')}.`,
  })
}

const runners: Partial<Record<string, Runner>> = { crt: 'run_crt', sid: 'sidplay', mod: 'modplay' }
const notRunnable: Partial<Record<string, string>> = {
  t64: 'take the PRG out of it',
  tap: 'choose it in the Ultimate’s own menu',
  reu: 'choose it in the Ultimate’s own menu',
}

const driveModeOf: Record<ImageType, string> = { d64: '1541', g64: '1541', d71: '1571', g71: '1571', d81: '1581' }

/** BASIC is ready this long after a reset, ms. */
const BOOT_TIME = 3_000

interface Device {
  readonly api: UltimateApi
  readonly dma: DmaService
  readonly input: Input
}

const cannotRun = (name: string, instead: string): AppError =>
  new AppError('UNSUPPORTED', `The Ultimate cannot be given ${name} to run from here.`, {
    hint: `To run it, ${instead}.`,
  })

/** A program starts at once; a disk goes into drive A, and what is first on it is loaded and run. */
export async function runProgram(
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  device: Device,
  signal: AbortSignal,
): Promise<void> {
  const { api } = device
  const ending = endingOf(name)
  const instead = notRunnable[ending]
  if (instead !== undefined) throw cannotRun(name, instead)
  const runner = runners[ending]
  if (runner !== undefined) await api.run(runner, name, bytes, signal)
  else if (imageTypes.some((type) => type === ending)) await runUploadedDisk(name, bytes, device, signal)
  else await api.run('run_prg', name, asPrg(bytes), signal)
}

/** The same for a file of the Ultimate's own storage. */
export async function runStoredFile(path: string, device: Device, signal: AbortSignal): Promise<void> {
  const ending = endingOf(path)
  const runner = ending === 'prg' ? 'run_prg' : runners[ending]
  const type = imageTypes.find((type) => type === ending)
  if (runner !== undefined) await device.api.runStored(runner, path, signal)
  else if (type !== undefined)
    await runDisk(type, () => device.api.mountStored('a', { path, type }, 'readwrite', signal), device, signal)
  else throw cannotRun(path, notRunnable[ending] ?? 'choose a PRG, CRT, SID, MOD or disk image')
}

/** Without the header that a P00 has. Throws INVALID for what cannot be loaded. */
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
  await sleep(BOOT_TIME, undefined, { signal })
  await input.typeText(`load"*",${drive?.busId ?? 8},1\nrun\n`, signal)
}

/** It has one command for all of it, but may be switched off or taken by another program. */
async function runByDmaService(image: Uint8Array, dma: DmaService, signal: AbortSignal): Promise<boolean> {
  if (image.length > MAX_PAYLOAD) return false
  try {
    await dma.burst([runImage(image)], signal)
    return true
  } catch (error) {
    if (error instanceof AppError && ['UNREACHABLE', 'FORBIDDEN', 'LOST'].includes(error.code)) return false
    throw error
  }
}
