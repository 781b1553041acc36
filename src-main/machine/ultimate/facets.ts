import { AppError } from '@shared/contract/errors'
import type { Picture } from '@shared/contract/memory'
import type {
  ConfigurationControl,
  DriveControl,
  ExecutionControl,
  FileControl,
  ImageControl,
  PowerControl,
  TransferControl,
} from '../facets'
import { imageTypeOf, runStoredFile } from './programs'
import type { Session } from './session'

const PICTURE_DEADLINE_MS = 2_000

/** @throws AppError LOST where the machine is not connected */
type LiveSession = () => Session

export const executionControl = (live: LiveSession, sampleNow: () => Promise<void>): ExecutionControl => ({
  pause: async (signal) => {
    await live().pause(signal)
    await sampleNow()
  },
  resume: (signal) => live().resume(signal),
  reset: (kind, signal) => live().restart(({ api }) => (kind === 'soft' ? api.reset(signal) : api.reboot(signal))),
})

export const powerControl = (live: LiveSession): PowerControl => ({
  reboot: (signal) => live().replaceMemory(({ api }) => api.reboot(signal)),
  powerOff: (signal) => live().ask('powerOff', ({ api }) => api.powerOff(signal)),
  pressMenuButton: (signal) => live().ask('menuButton', ({ api }) => api.pressMenuButton(signal)),
})

export const driveControl = (live: LiveSession): DriveControl => ({
  list: (signal) => live().ask('drives', ({ api }) => api.drives(signal)),
  mount: async (drive, { name, bytes }, mode, signal) => {
    const image = { name, type: imageTypeOf(name), bytes }
    return live().api.mount(drive, image, mode, signal)
  },
  mountStored: async (drive, path, mode, signal) =>
    live().api.mountStored(drive, { path, type: imageTypeOf(path) }, mode, signal),
  remove: async (drive, signal) => live().api.remove(drive, signal),
  setMode: async (drive, mode, signal) => live().api.setDriveMode(drive, mode, signal),
  setEnabled: async (drive, enabled, signal) => live().api.setDriveEnabled(drive, enabled, signal),
  reset: async (drive, signal) => live().api.resetDrive(drive, signal),
  loadRom: async (drive, rom, signal) => live().api.loadDriveRom(drive, rom, signal),
})

export const configurationControl = (live: LiveSession): ConfigurationControl => ({
  categories: (signal) => live().ask('configuration', ({ api }) => api.categories(signal)),
  read: async (category, signal) => live().api.describeConfiguration(category, signal),
  set: async (category, item, value, signal) => live().api.setConfiguration(category, item, value, signal),
  keep: async (action, category, signal) => live().api.keepConfiguration(action, category, signal),
})

export const fileControl = (live: LiveSession): FileControl => ({
  list: async (path, signal) => {
    const session = live()
    try {
      return await session.ftp.list(path, signal)
    } catch (error) {
      if (!mayBeFile(path, error)) throw error
      const found = await session.ask('files', ({ api }) => api.fileInfo(path, signal)).catch(() => undefined)
      if (!found) throw error
      return [{ name: found.filename, size: found.size, folder: false }]
    }
  },
  run: (path, signal, song) => live().replaceMemory((session) => runStoredFile(path, song, session, signal)),
})

/** A listing also fails so for the path of a file, or where the FTP service is off; REST knows files only. */
const mayBeFile = (path: string, error: unknown): boolean =>
  !path.endsWith('/') && error instanceof AppError && ['NOT_FOUND', 'CONFLICT'].includes(error.code)

export const transferControl = (live: LiveSession): TransferControl => ({
  read: async (path, signal, onBytes) => live().ftp.read(path, signal, onBytes),
  write: async (path, bytes, replace, signal, onBytes) => {
    const { ftp } = live()
    const [, folder = '/', name = ''] = /^(.*\/)([^/]*)$/.exec(path) ?? []
    const others = await ftp.list(folder, signal)
    // Its file systems do not tell case apart.
    const existing = others.find((other) => other.name.toLowerCase() === name.toLowerCase())
    if (existing?.folder) throw new AppError('INVALID', `${path} is a folder.`)
    if (existing && !replace) throw new AppError('CONFLICT', `${path} is there already.`, { details: { exists: true } })
    await ftp.write(path, bytes, signal, onBytes)
  },
})

export const imageControl = (live: LiveSession): ImageControl => ({
  create: async (path, title, signal) => {
    const kind = (['d64', 'd71', 'd81', 'dnp'] as const).find((ending) => path.toLowerCase().endsWith(`.${ending}`))
    if (!kind) {
      throw new AppError('INVALID', `${path} has no disk image extension.`, {
        hint: 'Use .d64, .d71, .d81 or .dnp.',
      })
    }
    await live().ask('createImage', ({ api }) => api.createImage(kind, path, title, signal))
  },
})

export async function readPicture(session: Session, signal: AbortSignal): Promise<Picture> {
  const wasOn = session.streams.isOn('video')
  if (!wasOn && session.streams.isOn('debug')) {
    throw new AppError('CONFLICT', 'The Ultimate sends no picture while the debug stream runs.', {
      hint: 'End the notes of writes, or switch the debug stream off.',
    })
  }
  if (!wasOn) await session.ask('videoStream', () => session.streams.set('video', true, signal))
  try {
    return await session.nextPicture(AbortSignal.any([signal, AbortSignal.timeout(PICTURE_DEADLINE_MS)]))
  } finally {
    if (!wasOn) await session.streams.set('video', false, signal)
  }
}
