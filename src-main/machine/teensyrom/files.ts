import { AppError } from '@shared/contract/errors'
import type { MachineFile } from '@shared/contract/machineStorage'
import type { TeensyRomClient } from './client'
import type { Drive } from './codec'

export async function listFiles(client: TeensyRomClient, path: string, signal: AbortSignal): Promise<MachineFile[]> {
  if (/^\/*$/.test(path)) return drives.map((name) => ({ name, size: null, folder: true }))
  const file = splitPath(path)
  return client.listDirectory(file.drive, file.path, signal)
}

export async function launchFile(client: TeensyRomClient, path: string, signal: AbortSignal): Promise<void> {
  const file = splitPath(path)
  await client.launch(file.drive, file.path, signal)
}

const drives = ['sd', 'usb'] as const satisfies readonly Drive[]

/** @throws AppError NOT_FOUND where the path does not begin with a drive */
function splitPath(path: string): { readonly drive: Drive; readonly path: string } {
  const [, top, rest = ''] = /^\/*([^/]*)(.*)$/.exec(path) ?? []
  const drive = drives.find((name) => name === top)
  if (drive) return { drive, path: rest === '' ? '/' : rest }
  throw new AppError('NOT_FOUND', `TeensyROM has no storage for ${path.slice(0, 40)}.`, {
    hint: 'Use a path under /sd or /usb.',
  })
}
