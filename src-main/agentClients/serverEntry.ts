/** The entry of our server in the configuration of an agent's program: it works from any folder, with nothing on the PATH. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { GrantableRight } from '@shared/contract/steering'
import { dataFolder } from '../files/dataFolder'

export interface ServerEntry {
  /** Absolute. */
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

interface Where {
  /** The folder of the built programs. */
  readonly out: string
  readonly environment: NodeJS.ProcessEnv
}

/** @param options of `bridgedeck mcp` */
export function serverEntry({ out, environment }: Where, options: readonly string[]): ServerEntry {
  const own = dataFolder(environment)
  // The client’s environment may lack what moved the data folder.
  const moved =
    own === dataFolder({ APPDATA: environment.APPDATA }, process.platform, homedir()) ? {} : { BRIDGEDECK_DATA: own }
  const { command, args, env } = ownProgram(out)
  return { command, args: [...args, 'mcp', ...options], env: { ...env, ...moved } }
}

/** Of `bridgedeck mcp`. */
export const allowOptions = (rights: readonly GrantableRight[]): string[] =>
  rights.flatMap((right) => ['--allow', right])

/** A checkout runs the script that builds what is missing; a package runs its own program, without a window. */
function ownProgram(out: string): ServerEntry {
  const root = dirname(out)
  const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const script = join(root, 'scripts', 'cli.mjs')
  if (existsSync(node) && existsSync(script)) return { command: node, args: [script], env: {} }
  return {
    command: process.execPath,
    args: [join(out, 'main', 'cli.cjs')],
    env: 'electron' in process.versions ? { ELECTRON_RUN_AS_NODE: '1' } : {},
  }
}
