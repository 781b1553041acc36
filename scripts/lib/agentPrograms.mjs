/**
 * The command lines of agents that the tests drive for real, in pinned versions. They are kept in a cache outside of the tree, each version
 * in a folder of its own. Imports Node only.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { npm, run, say, tail } from './process.mjs'

/** Without its optional parts Gemini CLI keeps no keys in the person's keychain, and nothing is compiled. */
export const agentPrograms = {
  claude: { title: 'Claude Code', package: '@anthropic-ai/claude-code', version: '2.1.332', flags: [] },
  gemini: { title: 'Gemini CLI', package: '@google/gemini-cli', version: '0.61.0', flags: ['--omit=optional'] },
  codex: { title: 'Codex CLI', package: '@openai/codex', version: '0.171.0', flags: [] },
}

/** @typedef {keyof typeof agentPrograms} AgentProgram */

/** @type {AgentProgram[]} */
export const agentProgramNames = ['claude', 'gemini', 'codex']

/** The system's cache of the person, by its conventions. */
export function programCache(environment = process.env, platform = process.platform) {
  const { XDG_CACHE_HOME: given, LOCALAPPDATA: local } = environment
  if (given && isAbsolute(given)) return join(given, 'bridgedeck', 'agents')
  if (platform === 'win32') return join(local ?? join(homedir(), 'AppData', 'Local'), 'bridgedeck', 'agents')
  return join(homedir(), platform === 'darwin' ? 'Library/Caches' : '.cache', 'bridgedeck', 'agents')
}

/** @param {AgentProgram} name */
const folderOf = (name, version = agentPrograms[name].version) => join(programCache(), `${name}-${version}`)

/** @param {string} folder @param {AgentProgram} name */
const programIn = (folder, name) =>
  join(folder, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name)

/**
 * The program of the version that the tests are run with, or undefined where it is not installed.
 * @param {AgentProgram} name
 */
export function agentProgram(name) {
  const path = programIn(folderOf(name, versionUsed(name)), name)
  return existsSync(path) ? path : undefined
}

/**
 * The pinned version, or the newest one where `--latest` put it into the environment.
 * @param {AgentProgram} name
 */
export const versionUsed = (name) => process.env[variableOf(name)] || agentPrograms[name].version

/** @param {AgentProgram} name */
export const variableOf = (name) => `BRIDGEDECK_TEST_${name.toUpperCase()}_VERSION`

/** @param {AgentProgram} name */
export const notInstalled = (name) =>
  `${agentPrograms[name].title} ${versionUsed(name)} is not installed. Install it with: npm run test:agents -- --install`

/**
 * Installs a version unless it is there.
 * @param {AgentProgram} name
 * @returns {Promise<string | undefined>} why it cannot be
 */
export async function installAgentProgram(name, version = versionUsed(name)) {
  const { title, package: packageName, flags } = agentPrograms[name]
  const folder = folderOf(name, version)
  if (existsSync(programIn(folder, name))) return undefined
  say(`installing ${title} ${version}…`)
  mkdirSync(programCache(), { recursive: true })
  const made = mkdtempSync(join(programCache(), `${name}-`))
  try {
    const exact = `${packageName}@${version}`
    const options = ['--prefix', made, '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error', ...flags]
    const installed = await npm(['install', '--save-exact', ...options, exact], { cwd: made })
    if (installed.code !== 0) return `npm could not install it: ${withoutAddresses(tail(installed.output, 3))}`
    const started = await run(programIn(made, name), ['--version'], { cwd: made })
    if (started.code !== 0 || !started.output.includes(version))
      return `it was installed and does not start: ${tail(started.output, 3)}`
    renameSync(made, folder)
    return undefined
  } catch (error) {
    // Another run was as fast.
    if (existsSync(programIn(folder, name))) return undefined
    throw error
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** A registry's address is nobody's business in a log. */
const withoutAddresses = (text) => text.replace(/\bhttps?:\/\/\S+/g, '(registry)')

/**
 * @param {AgentProgram} name
 * @returns {Promise<string | undefined>} undefined where the registry does not tell
 */
export async function newestVersion(name) {
  const { code, output } = await npm(['view', agentPrograms[name].package, 'version', '--loglevel=silent'])
  const version = output.trim().split('\n').at(-1) ?? ''
  return code === 0 && /^\d+\.\d+\.\d+/.test(version) ? version : undefined
}
