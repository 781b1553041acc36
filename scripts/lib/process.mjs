/** Small helpers around child processes and npm. Imports Node only: it runs before anything is installed. */
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** Where what was fetched or made for this clone is kept; `npm ci` empties it. */
export const cacheFolder = join(root, 'node_modules', '.cache', 'bridgedeck')

/** A failure that the person can do something about: `message` says what happened and what to do, without a stack. */
export class SetupError extends Error {}

/** Prints one line of progress. Standard error, so that a command's own output stays clean. */
export const say = (line) => process.stderr.write(`bridgedeck: ${line}\n`)

/** Prints a {@link SetupError} as its sentence, anything else with its stack, and ends with exit code 1. */
export function fail(error) {
  process.stderr.write(error instanceof SetupError ? `bridgedeck: ${error.message}\n` : `${error?.stack ?? error}\n`)
  process.exit(1)
}

/** The full path of a program on PATH, or undefined. */
export function which(program, path = process.env.PATH ?? '') {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/**
 * Runs a program to its end and collects what it prints. Never rejects for an exit code: `code` is null where the
 * program could not be started or was ended by a signal or by the time limit.
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeout?: number, show?: boolean }} options `timeout` in ms;
 *   `show` also passes the output on to standard error.
 * @returns {Promise<{ code: number | null, output: string, timedOut: boolean }>}
 */
export function run(command, args, { cwd = root, env = process.env, timeout = 0, show = false } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let timedOut = false
    const collect = (chunk) => {
      output += chunk
      if (show) process.stderr.write(chunk)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    const timer =
      timeout > 0
        ? setTimeout(() => {
            timedOut = true
            child.kill('SIGKILL')
          }, timeout)
        : undefined
    child.on('error', (error) => {
      clearTimeout(timer)
      done({ code: null, output: `${output}${error.message}`, timedOut })
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      done({ code, output, timedOut })
    })
  })
}

/** How to call the npm that called us, or the one on PATH: npm is a script on every system, so Node runs it. */
function npmCommand() {
  const script = process.env.npm_execpath
  if (script?.endsWith('.js')) return [process.execPath, script]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}

/** Runs npm in the project's folder with the user's own configuration. */
export function npm(args, options = {}) {
  const [command, ...script] = npmCommand()
  return run(command, [...script, ...args], options)
}

/** The last lines of a program's output, for an error message. */
export const tail = (output, lines = 15) => output.trimEnd().split('\n').slice(-lines).join('\n')

/** True where `command args` ends with 0. */
export const succeeds = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0
