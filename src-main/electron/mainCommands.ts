import { writeFile } from 'atomically'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { AppError } from '@shared/contract/errors'
import type { exportFormats } from '@shared/contract/recorder'
import type { PathSetting } from '@shared/contract/settings'
import { trustQuestion } from '@shared/contract/trust'
import type { appInfoSchema } from '@shared/contract/window'
import { z } from 'zod'
import { describeFileError } from '../files/fileErrors'
import { diagnosticsZip } from './diagnostics'
import type { Dialogs, FileFilter } from './dialogs'
import type { Grants } from './grants'
import type { BridgeCall, MainHandlers } from './router'
import type { Secrets } from './secrets'
import type { RunningBridge, Supervisor } from './supervisor'
import type { WindowStore } from './windowState'

export interface MainServices {
  readonly app: z.infer<typeof appInfoSchema>
  readonly bridge: BridgeCall
  readonly supervisor: Pick<Supervisor<RunningBridge>, 'start' | 'state'>
  readonly store: Pick<WindowStore, 'remember' | 'stored' | 'windowState'>
  readonly grants: Grants
  readonly secrets: Pick<Secrets, 'authenticate' | 'forget' | 'forgetPassword' | 'limit'>
  readonly dialogs: Pick<Dialogs, 'confirm' | 'open' | 'openFolder' | 'save'>
  readonly clipboard: {
    readText(): Promise<string>
    writeText(text: string): Promise<void>
    writePicture(png: Uint8Array): Promise<void>
  }
  readonly logFolder: string
  /** The program for the C64 that answers on a serial line, as assembled. */
  readonly stubPath: string
  readonly openFolder: (path: string) => Promise<string>
  readonly useTheme: (theme: 'light' | 'dark' | 'system') => void
  /** The page has started and listens for events. */
  readonly pageStarted: () => void
}

const everything: FileFilter = { name: 'All files', extensions: ['*'] }
const programs = [
  { name: 'C64 programs', extensions: ['prg', 'p00', 'd64', 'g64', 'd71', 'd81', 't64', 'crt', 'sid', 'mod'] },
  everything,
]
const diskImages = [{ name: 'Disk images', extensions: ['d64', 'g64', 'd71', 'g71', 'd81'] }, everything]
const exportTypes: Record<(typeof exportFormats)[number], { extension: string; name: string }> = {
  csv: { extension: 'csv', name: 'Values, one change a line' },
  raw: { extension: 'bin', name: 'Bytes' },
  png: { extension: 'png', name: 'PNG picture' },
  apng: { extension: 'png', name: 'Animated PNG picture' },
}
const states = [{ name: 'Bridgedeck state', extensions: ['bridgedeck-state'] }, everything]

const pathDialogs: Record<PathSetting, { title: string; filters: FileFilter[] }> = {
  viceExecutable: { title: 'Choose VICE’s program (x64sc or x64)', filters: [everything] },
  kernalRom: { title: 'Choose a KERNAL ROM (8 KiB)', filters: [everything] },
  basicRom: { title: 'Choose a BASIC ROM (8 KiB)', filters: [everything] },
  characterRom: { title: 'Choose a character ROM (4 KiB)', filters: [everything] },
}

/** Characters of clipboard text that are typed at most. */
const LONGEST_PASTE = 16_384

/** What main does itself for the page: everything that needs a native dialog, a path, the clipboard or the window. */
export function createMainHandlers(services: MainServices): MainHandlers {
  const { app, bridge, supervisor, store, grants, secrets, dialogs, clipboard, logFolder, stubPath } = services
  return {
    'program.choose': async ({ machine, watch }, signal) => {
      const path = await dialogs.open('program', 'Load and run a program', programs)
      return path === undefined ? { name: null } : bridge('machine.runProgram', { machine, path, watch }, signal)
    },
    'program.runGranted': ({ machine, grant, watch }, signal) =>
      bridge('machine.runProgram', { machine, path: grants.take(grant), watch }, signal),
    'drive.choose': async ({ machine, drive, mode }, signal) => {
      const path = await dialogs.open('image', `Put a disk image into drive ${drive}`, diskImages)
      if (path === undefined) return { name: null }
      await bridge('machine.mountImage', { machine, drive, path, mode }, signal)
      return { name: basename(path) }
    },
    'state.save': async ({ machine }, signal) => {
      const path = await dialogs.save(
        'state',
        'Save the machine’s state',
        `${machine.replace(/\W/g, '-')}.bridgedeck-state`,
        states,
      )
      if (path === undefined) return { name: null }
      await bridge('machine.saveState', { machine, path }, signal)
      return { name: basename(path) }
    },
    'state.load': async ({ machine }, signal) => {
      const path = await dialogs.open('state', 'Load a machine’s state', states)
      if (path === undefined) return { name: null }
      await bridge('machine.loadState', { machine, path }, signal)
      return { name: basename(path) }
    },

    'recorder.export': async ({ recording, wish }, signal) => {
      const { extension, name } = exportTypes[wish.format]
      const path = await dialogs.save(
        'recording',
        'Export from a recording',
        `${recording.replace(/[^\w.-]/g, '-')}.${extension}`,
        [{ name, extensions: [extension] }],
      )
      if (path === undefined) return { name: null, damages: [] }
      const { damages } = await bridge('recorder.exportTo', { recording, path, wish }, signal)
      return { name: basename(path), damages }
    },

    'settings.choosePath': async ({ setting }, signal) => {
      const path = await dialogs.open('path', pathDialogs[setting].title, pathDialogs[setting].filters)
      return path === undefined
        ? bridge('settings.get', {}, signal)
        : bridge('settings.setPaths', { [setting]: path }, signal)
    },
    'settings.clearPath': ({ setting }, signal) => bridge('settings.setPaths', { [setting]: null }, signal),

    'connections.authenticate': ({ machine, password, remember }, signal) =>
      secrets.authenticate(machine, password, remember, signal),
    'connections.forget': async ({ machine }, signal) => {
      await secrets.forget(machine, signal)
      return {}
    },
    'connections.forgetPassword': async ({ machine }, signal) => {
      await secrets.forgetPassword(machine, signal)
      return {}
    },
    'connections.secretStore': async () => ({ limit: await secrets.limit() }),

    'tasks.chooseFile': async () => {
      const path = await dialogs.open('taskFile', 'Choose a file for the task', [])
      return { file: path === undefined ? null : grants.issue(path) }
    },
    'tasks.startGranted': async ({ files, ...task }, signal) => {
      const { operations } = await bridge('tasks.operations', {}, signal)
      const paths = pathArguments(operations.find(({ name }) => name === task.operation)?.arguments)
      const given = [
        ...Object.keys(task.args).filter((name) => paths.has(name)),
        ...Object.keys(files).filter((name) => !paths.has(name)),
      ]
      if (given[0] !== undefined)
        throw new AppError(
          'FORBIDDEN',
          `${given[0]} is not given as it has to be: a file is chosen, and nothing else is.`,
        )
      const chosen = Object.fromEntries(Object.entries(files).map(([name, grant]) => [name, grants.look(grant)]))
      const started = await bridge('tasks.start', { ...task, args: { ...task.args, ...chosen } }, signal)
      for (const grant of Object.values(files)) grants.take(grant)
      return started
    },
    'tasks.openFolder': async ({ id }, signal) => {
      const problem = await services.openFolder((await bridge('tasks.folder', { id }, signal)).path)
      if (problem !== '')
        throw new AppError('INTERNAL', 'The task’s folder could not be opened.', {
          details: { problem: problem.slice(0, 2000) },
        })
      return {}
    },

    'projects.choose': async (_input, signal) => {
      const path = await dialogs.openFolder('project', 'Open a project’s folder')
      return path === undefined ? { project: null } : bridge('projects.open', { path }, signal)
    },
    'projects.trust': async ({ project }, signal) => {
      const { path, root, identity } = await bridge('projects.folder', { project }, signal)
      if (!(await dialogs.confirm(trustQuestion(root)))) return { trusted: false }
      await bridge('projects.setTrusted', { path, identity }, signal)
      return { trusted: true }
    },
    'projects.rollBack': async (input, signal) => {
      const { project, run, request, token } = input
      const { root } = await bridge('projects.folder', { project }, signal)
      const preview = await bridge('projects.preview', { project, run, request }, signal)
      if (preview.token !== token)
        return { outcome: 'conflict', reason: 'What it would do changed since you saw it.', preview, changed: [] }
      const changed = `${preview.files.length} file${preview.files.length === 1 ? ' changes' : 's change'}.`
      const agreed = await dialogs.confirm({
        message: `Change git’s history in ${basename(root)}?`,
        detail: [root, preview.git ?? '', changed].join('\n\n'),
        button: 'Roll back',
      })
      if (!agreed) throw new AppError('CANCELLED', 'Nothing was rolled back.')
      return bridge('projects.writeWithGit', input, signal)
    },
    'projects.openGranted': ({ grant }, signal) => bridge('projects.open', { path: grants.take(grant) }, signal),

    'window.info': () => {
      services.pageStarted()
      return { app, window: store.windowState, bridge: supervisor.state }
    },
    'window.remember': ({ theme, layout, viewState }) => {
      if (theme !== undefined) services.useTheme(theme)
      store.remember({
        ...(theme === undefined ? {} : { theme }),
        ...(layout === undefined ? {} : { layout }),
        ...(viewState === undefined ? {} : { viewState }),
      })
      return {}
    },
    'window.savePicture': async ({ png, name }) => {
      requirePng(png)
      return saveTo(
        await dialogs.save('picture', 'Save a screenshot', name, [{ name: 'PNG picture', extensions: ['png'] }]),
        png,
      )
    },
    'program.saveStub': async () =>
      saveTo(
        await dialogs.save('program', 'Save the stub for the C64', 'stub.prg', [
          { name: 'C64 program', extensions: ['prg'] },
        ]),
        await readFile(stubPath),
      ),
    'window.copyPicture': async ({ png }) => {
      requirePng(png)
      await clipboard.writePicture(png)
      return {}
    },
    'window.copyText': async ({ text }) => {
      await clipboard.writeText(text)
      return {}
    },
    'window.readClipboardText': async () => ({ text: (await clipboard.readText()).slice(0, LONGEST_PASTE) }),
    'window.saveDiagnostics': async () => {
      const path = await dialogs.save('diagnostics', 'Save diagnostics', 'bridgedeck-diagnostics.zip', [
        { name: 'Zip archive', extensions: ['zip'] },
      ])
      if (path === undefined) return { name: null }
      const zip = await diagnosticsZip(logFolder, {
        versions: () => ({ ...app, node: process.versions.node }),
        window: () => store.stored,
        bridge: () => supervisor.state,
        settings: () => bridge('settings.get', {}),
        machines: () => bridge('machine.list', {}),
      })
      return saveTo(path, zip)
    },
    'window.openLogs': async () => {
      const problem = await services.openFolder(logFolder)
      if (problem !== '')
        throw new AppError('INTERNAL', 'The log folder could not be opened.', {
          hint: 'Help > Save diagnostics puts the logs into a file.',
        })
      return {}
    },
    'window.restartBridge': () => {
      supervisor.start()
      return {}
    },
  }
}

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

function requirePng(bytes: Uint8Array): void {
  if (!PNG_SIGNATURE.every((byte, index) => bytes[index] === byte))
    throw new AppError('INVALID', 'The picture is no PNG file.')
}

async function saveTo(path: string | undefined, bytes: Uint8Array): Promise<{ name: string | null }> {
  if (path === undefined) return { name: null }
  try {
    await writeFile(path, Buffer.from(bytes))
  } catch (error) {
    throw describeFileError(error, basename(path), 'written')
  }
  return { name: basename(path) }
}

const schemaWithFormats = z.object({ properties: z.record(z.string(), z.object({ format: z.string().optional() })) })

/** The arguments that name a file of this computer, by an operation's schema. */
function pathArguments(schema: unknown): ReadonlySet<string> {
  const { data } = schemaWithFormats.safeParse(schema)
  return new Set(
    Object.entries(data?.properties ?? {}).flatMap(([name, { format }]) => (format === 'path' ? [name] : [])),
  )
}
