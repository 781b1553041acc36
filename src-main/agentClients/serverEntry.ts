import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { GrantableRight } from '@shared/contract/steering'
import { dataFolder } from '../files/dataFolder'
import { installationOf } from '../files/installation'
import { nodeProgram } from '../files/nodeProgram'

export interface ServerEntry {
  /** Absolute, or a program on the PATH. */
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

interface Where {
  readonly out: string
  readonly environment: NodeJS.ProcessEnv
}

export function serverEntry({ out, environment }: Where, options: readonly string[]): ServerEntry {
  const { command, args } = ownProgram(out)
  return { command, args: [...args, 'mcp', ...options], env: movedData(environment) }
}

interface PackageWhere extends Where {
  readonly packageName: string
  readonly platform?: NodeJS.Platform
}

/** Neither npm's cache nor the folder of a running AppImage lasts, so the npm package is named instead of files. */
export function lastingEntry(where: PackageWhere, options: readonly string[]): ServerEntry {
  const { out, environment, packageName, platform = process.platform } = where
  const lasts = { checkout: true, package: false, app: !where.environment.APPIMAGE }
  if (lasts[installationOf(out)]) return serverEntry(where, options)
  const words = ['-y', packageName, 'mcp', ...options]
  const env = movedData(environment)
  // On Windows npx is a script, not a program.
  return platform === 'win32'
    ? { command: 'cmd', args: ['/c', 'npx', ...words], env }
    : { command: 'npx', args: words, env }
}

/** The client's environment may lack the variable that moved the data folder. */
function movedData(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const own = dataFolder(environment)
  const usual = dataFolder({ APPDATA: environment.APPDATA }, process.platform, homedir())
  return own === usual ? {} : { BRIDGEDECK_DATA: own }
}

export const allowOptions = (rights: readonly GrantableRight[]): string[] =>
  rights.flatMap((right) => ['--allow', right])

/** A checkout runs the script that builds what is missing; the npm package and the app run their own program. */
function ownProgram(out: string): Pick<ServerEntry, 'command' | 'args'> {
  const root = dirname(out)
  const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const script = join(root, 'scripts', 'cli.mjs')
  if (existsSync(node) && existsSync(script)) return { command: node, args: [script] }
  return { command: nodeProgram(), args: [join(out, 'main', 'cli.cjs')] }
}
