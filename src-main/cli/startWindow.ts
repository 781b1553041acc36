import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AppError } from '@shared/contract/errors'

/**
 * @param words without the program's name; not the words of a command
 * @returns the window's arguments: none, or the full path of a file or folder; undefined where the words ask for no
 * window
 */
export function windowArguments(words: readonly string[], folder: string): string[] | undefined {
  const [word, ...more] = words
  if (word === undefined) return []
  const path = resolve(folder, word)
  return more.length === 0 && statSync(path, { throwIfNoEntry: false }) ? [path] : undefined
}

export const hasDisplay = (environment: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): boolean =>
  platform !== 'linux' || Boolean(environment.DISPLAY) || Boolean(environment.WAYLAND_DISPLAY)

export function windowProgram(resources: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return join(resources, '..', 'MacOS', 'Bridgedeck')
  return join(resources, '..', platform === 'win32' ? 'Bridgedeck.exe' : 'bridgedeck-window')
}

/**
 * Resolves when the window's process runs.
 * @throws AppError UNSUPPORTED without a display, UNREACHABLE where it does not start
 */
export function startWindow(program: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  if (!hasDisplay(environment)) throw new AppError('UNSUPPORTED', 'There is no display to open a window on.')
  // Chromium has no sandbox for root, and exits without this option.
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const child = spawn(program, [...asRoot, ...args], { detached: true, stdio: 'ignore', env: environment })
  return new Promise((done, reject) => {
    child.once('spawn', () => {
      child.unref()
      done()
    })
    child.once('error', ({ message }) =>
      reject(
        new AppError('UNREACHABLE', `The window (${program}) does not start: ${message}. Install Bridgedeck anew.`),
      ),
    )
  })
}
