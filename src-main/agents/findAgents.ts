import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { presetNames, presets, type PresetName } from '@shared/agentPresets'
import { agentEnvironment } from './environment'
import { findProgram } from '../files/findProgram'

export interface FoundAgent {
  readonly preset: PresetName
  readonly program: string
  readonly version: string | null
}

/** Programs of this size take a while to start on a busy computer. */
const VERSION_LIMIT_MS = 10_000
const MAX_OUTPUT_BYTES = 64 * 1024

/** Each program is only asked for its version; nothing else of it is run. */
export async function findAgents(
  signal: AbortSignal,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<FoundAgent[]> {
  const found = presetNames.flatMap((preset) => {
    const { command } = presets[preset]
    const program = command === '' ? null : findProgram(command, environment)
    return program === null ? [] : [{ preset, program }]
  })
  return Promise.all(
    found.map(async ({ preset, program }) => ({
      preset,
      program,
      version: await readVersion(program, environment, signal),
    })),
  )
}

const readVersion = (program: string, environment: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string | null> =>
  new Promise((resolve) => {
    const options = {
      // Not in a project, which could hold settings for it.
      cwd: tmpdir(),
      env: agentEnvironment([], environment),
      timeout: VERSION_LIMIT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
      windowsHide: true,
      signal,
    } as const
    const child = execFile(program, ['--version'], options, (error, output) =>
      resolve(error ? null : versionIn(output)),
    )
    child.stdin?.end()
  })

export const versionIn = (output: string): string | null => /\d+\.\d+[\w.+-]*/.exec(output)?.[0].slice(0, 100) ?? null
