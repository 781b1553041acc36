import type { DataPart } from '@shared/contract/data'

const cacheFolders: readonly string[] = ['chromium', 'chromium-screenshot', 'compiled', 'crashes', 'programs', 'backup']
const logNames: readonly string[] = ['logs', 'agents', 'vice.log']

/** An SQLite database is copied by SQLite, as it may be written meanwhile. */
export type Content = 'plain' | 'settings' | 'recording'

/** The rest of the data folder, such as `serve.json` with its token, is never backed up. */
const keptFiles: Readonly<Record<string, Content>> = {
  'bridgedeck.sqlite': 'settings',
  'builtin.state': 'plain',
  'prices.yaml': 'plain',
  'version.json': 'plain',
  'window.json': 'plain',
}
const keptFolders: readonly string[] = ['loops', 'sample-project']

const taskFiles: readonly string[] = ['tasks.json', '.bridgedeck.last-id']
const taskFolders: readonly string[] = ['tasks', 'sessions', '.bridgedeck.tasks']

export const isTaskFolder = (path: string): boolean => taskFolders.includes(topOf(path))

const RECORDING = 'recording.sqlite'

const topOf = (path: string): string => path.split('/', 1)[0] ?? ''
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export function partOfData(path: string): DataPart {
  const top = topOf(path)
  if (cacheFolders.includes(top)) return 'cache'
  return logNames.includes(top) ? 'logs' : 'rest'
}

export function partOfTasks(path: string): DataPart | undefined {
  if (!taskFiles.includes(path) && !(path.includes('/') && isTaskFolder(path))) return undefined
  return nameOf(path).startsWith(RECORDING) ? 'recordings' : 'tasks'
}

/** A loop's worktree is not backed up: its repository has what was committed. */
export const isKeptFolder = (path: string, names: readonly string[]): boolean =>
  keptFolders.includes(topOf(path)) && (topOf(path) !== 'loops' || !names.includes('.git'))

export function keptOfData(path: string): Content | undefined {
  if (path.includes('/')) return keptFolders.includes(topOf(path)) ? 'plain' : undefined
  return Object.hasOwn(keptFiles, path) ? keptFiles[path] : undefined
}

export function keptOfTasks(path: string): Content | undefined {
  if (partOfTasks(path) === undefined) return undefined
  const name = nameOf(path)
  if (name === RECORDING) return 'recording'
  return name.startsWith(`${RECORDING}-`) ? undefined : 'plain'
}
