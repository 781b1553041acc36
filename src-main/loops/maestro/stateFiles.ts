/**
 * The four helpers of specification 003 that read and write a project's Maestro state. What they throw has the words that
 * the specification's programs print.
 */
import { access, constants, lstat, mkdir, readFile, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, sep, win32 } from 'node:path'
import { AppError } from '@shared/contract/errors'
import { repositoryAround } from '../../files/repositoryAt'
import { stageFile } from '../../files/stagedWrite'
import {
  DEFAULT_STATE_DIR,
  NEWER_STATE_DIR,
  stateDirSetting,
  type Setting,
  type SettingLayers,
} from '../../formats/maestro/settings'

const refuse = (what: string, path: string) => new AppError('INVALID', `${what} (got: ${path})`)

/** @throws AppError INVALID for an absolute path and for one with `..` in it */
export function requireRelative(path: string): void {
  if (isAbsolute(path) || win32.isAbsolute(path)) throw refuse('Path must be relative', path)
  if (path.split(/[/\\]/).includes('..')) throw refuse('Path traversal not allowed', path)
}

const isInside = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** @param path relative to the project's `root`; a link on the way may not lead out of it */
export async function readState(root: string, path: string): Promise<Buffer> {
  requireRelative(path)
  const target = join(root, path)
  // What does not exist is left to the read, whose message names it.
  const real = await realpath(target).catch(() => target)
  if (real !== target && !isInside(await realpath(root), real)) throw refuse('Path must stay inside the project', path)
  return readFile(target)
}

/**
 * Replaces the file in one step. A new file is for its owner only; an existing one keeps its mode and owner.
 * @param path relative to the project's `root`, without a link on the way
 */
export async function writeState(root: string, path: string, content: Uint8Array): Promise<void> {
  requireRelative(path)
  if (content.length === 0) throw new AppError('INVALID', 'stdin content is empty')
  const target = join(root, path)
  await requireNoLink(root, target, () => refuse('Path must not go through a symlink', path))
  const existing = await lstat(target).catch(() => undefined)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const file = await stageFile(target, content, existing ?? { mode: 0o600 })
  try {
    await file.commit()
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** @param refusal thrown when `target`, or a folder between it and `root`, is a symbolic link */
async function requireNoLink(root: string, target: string, refusal: () => AppError): Promise<void> {
  for (let path = target; path !== root && isInside(root, path); path = dirname(path)) {
    const found = await lstat(path).catch(() => undefined)
    if (found?.isSymbolicLink()) throw refusal()
  }
}

const workspaceFolders = ['state', 'state/archive', 'plans', 'plans/archive', 'parallel']

/** Makes the folders of a state that are missing, and checks that all can be written to. */
export async function ensureWorkspace(root: string, stateDir: string = DEFAULT_STATE_DIR): Promise<void> {
  requireRelative(stateDir)
  await requireNoLink(root, join(root, stateDir), () => refuse('STATE_DIR must not be a symlink', stateDir))
  for (const folder of workspaceFolders) {
    const path = join(root, stateDir, folder)
    const name = relative(root, path)
    await requireNoLink(root, path, () => refuse('STATE_DIR must not be a symlink', name))
    await mkdir(path, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
      throw new AppError('FORBIDDEN', `Failed to create directory: ${name}`, { cause })
    })
    await access(path, constants.W_OK).catch((cause: unknown) => {
      throw new AppError('FORBIDDEN', `Directory not writable: ${name}`, { cause })
    })
  }
}

/** What is in a state folder that is in use, the surest first. */
const stateMarks = ['state/active-session.md', 'state', 'plans']

/** As the settings name it. Where they do not, that of an older or newer Maestro, whichever is in use; the older one before the newer. */
export async function findStateDir(root: string, layers: SettingLayers): Promise<Setting> {
  const setting = stateDirSetting(layers)
  if (setting.source !== 'default') return setting
  for (const mark of stateMarks)
    for (const value of [DEFAULT_STATE_DIR, NEWER_STATE_DIR])
      if (await lstat(join(root, value, mark)).catch(() => undefined)) return { ...setting, value }
  return setting
}

export interface ActiveSession {
  /** Undefined when there is none. */
  readonly content?: Buffer
  /** Why the state folder that the settings name is not read. */
  readonly refusal?: string
  /** Which state folder was meant. */
  readonly setting: Setting
}

/**
 * The session that is under way, from the state folder that the settings name. Only what is the person's own may lead out of the
 * project: an absolute path in the environment or in the extension's `.env`.
 * @param folder anywhere in the project
 */
export async function readActiveSession(folder: string, environment: NodeJS.ProcessEnv): Promise<ActiveSession> {
  return readSessionBelow(projectRoot(folder), environment)
}

/** The same for the state folder of this very folder. */
export async function readSessionBelow(root: string, environment: NodeJS.ProcessEnv): Promise<ActiveSession> {
  const setting = await findStateDir(root, await settingLayers(root, environment))
  const { value, source } = setting
  const refuse = (why: string) => ({
    setting,
    refusal: `MAESTRO_STATE_DIR of the ${source} is not read: ${why} (got: ${value})`,
  })
  if (!isAbsolute(value) && value.split(/[/\\]/).includes('..')) return refuse('path traversal is not allowed')
  const isOwn = isAbsolute(value) && (source === 'environment' || source === 'extension .env')
  const target = resolve(root, value)
  const realRoot = await realpath(root).catch(() => root)
  if (!isOwn && !isInside(root, target) && !isInside(realRoot, target)) return refuse('it is outside the project')
  try {
    const path = await realpath(join(target, 'state', 'active-session.md'))
    if (!isOwn && !isInside(realRoot, path)) return refuse('a symbolic link leads out of the project')
    // A pipe in its place would never end.
    if (!(await lstat(path)).isFile()) return { setting }
    return { setting, content: await readFile(path) }
  } catch {
    return { setting }
  }
}

/** The nearest folder that holds a repository, or `folder` itself. Git is not asked: a repository's settings can run programs. */
export const projectRoot = (folder: string): string => repositoryAround(resolve(folder)) ?? resolve(folder)

/** @param folder whose `.env` counts as the workspace's */
export async function settingLayers(folder: string, environment: NodeJS.ProcessEnv): Promise<SettingLayers> {
  const text = (folder: string) => readFile(join(folder, '.env'), 'utf8').catch(() => undefined)
  return { environment, workspace: await text(folder), extension: await text(extensionFolder(environment)) }
}

/** Of Maestro’s extension; an empty variable counts as not set. */
export const extensionFolder = (environment: NodeJS.ProcessEnv): string =>
  environment.MAESTRO_EXTENSION_PATH || join(homedir(), '.gemini/extensions/maestro')
