import { AppError } from '@shared/contract/errors'
import { takesPassword } from '@shared/contract/connections'
import { canonicalMachineName, parseMachineName } from '@shared/contract/machineName'
import { loadC64bridgeConfig, readC64bridgeConfig, WORKING_FOLDER_FILE } from '../connections/c64bridgeConfig'
import type { StandardStreams } from './streams'

export interface PasswordSource {
  /** The configuration in the caller's folder may be unknown to the bridge. */
  given(machine: string): Promise<string | undefined>
  ask(machine: string, signal: AbortSignal): Promise<string | undefined>
}

/**
 * Security: `C64U_PASSWORD` applies to the machine in `C64U_HOST`, otherwise only to machines that the person named in
 * the call, never to one that an agent or a file names.
 * @param words of the call
 */
export function givenPassword(
  machine: string,
  environment: NodeJS.ProcessEnv,
  words: readonly string[],
): string | undefined {
  const { C64U_PASSWORD: password, C64U_HOST: host } = environment
  if (!takesPassword(machine) || !password) return undefined
  const isNamed = host
    ? readC64bridgeConfig('{}', '', environment).machines.some((entry) => entry.machine === machine)
    : words.some((word) => machineIn(word) === machine)
  return isNamed ? password : undefined
}

function machineIn(word: string): string | undefined {
  try {
    return canonicalMachineName(parseMachineName(word.replace(/^--[a-z-]+=/, '').replace(/^@/, '')))
  } catch {
    return undefined
  }
}

export const terminalPasswords = (
  environment: NodeJS.ProcessEnv,
  streams: StandardStreams,
  words: readonly string[],
): PasswordSource => ({
  given: async (machine) => givenPassword(machine, environment, words) ?? (await passwordInFolder(machine)),
  ask: (machine, signal) => askAtTerminal(streams, machine, signal),
})

async function passwordInFolder(machine: string): Promise<string | undefined> {
  const { machines } = await loadC64bridgeConfig()
  const entry = machines.find((known) => known.machine === machine && known.source === WORKING_FOLDER_FILE)
  return entry?.password ?? undefined
}

const ENTER = /[\r\n]/
const INTERRUPT = '\u0003'
const END = '\u0004'
const ERASE = /[\b\u007f]/

/** The question goes to standard error, so that results can be piped. */
async function askAtTerminal(
  { stdin, stderr }: StandardStreams,
  machine: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!stdin.isTTY || !stderr.isTTY) return undefined
  // Set before the question, so that nothing typed is echoed.
  stdin.setRawMode?.(true)
  stderr.write(`Password for ${machine}: `)
  stdin.setEncoding('utf8')
  stdin.resume()
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      let typed = ''
      const interrupted = () => reject(new AppError('CANCELLED', 'Interrupted.'))
      signal.addEventListener('abort', interrupted, { once: true })
      stdin.on('data', (text: string) => {
        for (const key of text) {
          if (key === INTERRUPT) interrupted()
          else if (ENTER.test(key) || key === END) resolve(typed === '' ? undefined : typed)
          else typed = ERASE.test(key) ? typed.slice(0, -1) : typed + key
        }
      })
    })
  } finally {
    stdin.removeAllListeners('data')
    stdin.setRawMode?.(false)
    stdin.pause()
    stderr.write('\n')
  }
}
