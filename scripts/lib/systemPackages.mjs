/**
 * The parts that npm cannot bring: the libraries that Electron links to, a virtual display, VICE, pseudo serial ports. On Debian and Ubuntu
 * they are installed where we are root in CI or in a container; elsewhere the person is told the line that does it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, say, tail, which } from './process.mjs'

/** @typedef {'electron' | 'xvfb' | 'vice' | 'socat'} Part */

/** Debian's names before 64-bit time. */
export const librariesOfElectron = 'libgtk-3-0 libnss3 libasound2 libgbm1 libatk-bridge2.0-0 libxss1 libxtst6'.split(
  ' ',
)

/** Debian 13 and Ubuntu 24.04 have these under names that end in t64, for 64-bit time. */
export const isRenamed = (name) => /^lib(gtk-3-0|asound2|atk-bridge)/.test(name)

const packagesOf = {
  electron: librariesOfElectron,
  xvfb: ['xvfb', 'xauth'],
  vice: ['vice'],
  socat: ['socat'],
}

/** The archive areas, beside the one every system has, that hold VICE. */
const areas = { debian: ['contrib'], ubuntu: ['universe', 'multiverse'] }

const sourcesFolder = '/etc/apt/sources.list.d'

/** What this module asks of the machine it runs on; a test brings its own. */
export const thisSystem = {
  platform: process.platform,
  which,
  run,
  isRoot: () => process.getuid?.() === 0,
  isContained,
  osRelease: () => parseOsRelease(readText('/etc/os-release')),
  readSources: () => [
    { name: 'sources.list', text: readText('/etc/apt/sources.list') },
    ...(existsSync(sourcesFolder) ? readdirSync(sourcesFolder) : []).map((name) => ({
      name,
      text: readText(join(sourcesFolder, name)),
    })),
  ],
  writeSource: (name, text) => writeFileSync(join(sourcesFolder, name), text),
}

const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** True in CI and in a container, where installing system packages is what is expected of root. */
function isContained() {
  if (process.env.CI === 'true' || process.env.container) return true
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return true
  return /docker|containerd|kubepods|lxc/.test(readText('/proc/1/cgroup'))
}

/**
 * Sees to it that the wanted parts are there, installing them where that is ours to do.
 * @param {Part[]} wanted
 * @param {string | undefined} executable the Electron whose libraries are looked at
 * @returns {Promise<Map<Part, string>>} the parts that are still missing, each with why and what to do
 */
export async function provideParts(wanted, executable, system = thisSystem) {
  const missing = await missingParts(wanted, executable, system)
  if (missing.size === 0) return missing
  const canInstall = system.platform === 'linux' && system.which('apt-get') !== undefined
  if (!canInstall) return missing
  if (!system.isRoot() || !system.isContained()) return withAptLine(missing, system)
  const refusal = await install([...missing.keys()], system)
  const stillMissing = await missingParts(wanted, executable, system)
  if (refusal === undefined) return stillMissing
  return new Map([...stillMissing].map(([part, why]) => [part, `${why}; apt-get could not install it: ${refusal}`]))
}

/** @returns {Promise<Map<Part, string>>} what is missing, each with the sentence that says so */
async function missingParts(wanted, executable, system) {
  const missing = new Map()
  const onLinux = system.platform === 'linux'
  if (wanted.includes('electron') && onLinux && executable !== undefined) {
    const libraries = await missingLibraries(executable, system)
    if (libraries.length > 0) missing.set('electron', `Electron lacks ${some(libraries)}`)
  }
  if (wanted.includes('xvfb') && onLinux && !system.which('Xvfb'))
    missing.set('xvfb', 'Xvfb, the virtual display, is not installed')
  if (wanted.includes('vice') && !system.which('x64sc') && !system.which('x64'))
    missing.set('vice', 'VICE (x64sc) is not on the PATH')
  if (wanted.includes('socat') && !system.which('socat'))
    missing.set('socat', 'socat, which makes pairs of serial ports, is not on the PATH')
  return missing
}

/** The shared libraries that the loader does not find. */
async function missingLibraries(executable, system) {
  const { output } = await system.run('ldd', [executable])
  return [...output.matchAll(/^\s*(\S+) => not found/gm)].map(([, library]) => library)
}

const some = (names) =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more libraries` : names.join(', ')

/** What a person on Debian or Ubuntu has to type, added to each reason. */
async function withAptLine(missing, system) {
  const { names, known } = await packageNames([...missing.keys()], system)
  const area = missing.has('vice') && known.size > 0 && !known.has('vice') ? areaOf(system) : undefined
  const line = `sudo apt-get update && sudo apt-get install --no-install-recommends ${names.join(' ')}`
  const first = area ? ` (first add ${area.join(' and ')} to the areas of your apt source: VICE is there)` : ''
  return new Map([...missing].map(([part, why]) => [part, `${why}. Install it with: ${line}${first}`]))
}

/** The packages of these parts under the names that this release has for them, and the names that apt knows at all. */
async function packageNames(parts, system) {
  const plain = parts.flatMap((part) => packagesOf[part])
  const renamed = new Map(plain.map((name) => [name, `${name}t64`]))
  const { output } = await system.run('apt-cache', ['policy', ...plain, ...renamed.values()], {
    env: { ...process.env, LC_ALL: 'C' },
  })
  const known = new Set(
    [...output.matchAll(/^(\S+):\n(?: .*\n)*? {2}Candidate: (?!\(none\))/gm)].map(([, name]) => name),
  )
  // Without package lists, go by the release.
  const renames =
    known.size > 0 ? (name) => known.has(renamed.get(name)) : (name) => isRenamed(name) && hasNewNames(system)
  return { names: plain.map((name) => (renames(name) ? `${name}t64` : name)), known }
}

function hasNewNames(system) {
  const { id, version } = system.osRelease()
  return id === 'ubuntu' ? version >= 24.04 : version >= 13
}

/** @returns {Promise<string | undefined>} why it failed */
async function install(parts, system) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (...args) =>
    system.run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3', '-qq', ...args], { env })
  say(`installing system packages for ${parts.join(', ')}…`)
  const updated = await aptGet('update')
  let { names, known } = await packageNames(parts, system)
  if (parts.includes('vice') && !known.has('vice') && addArea(system)) {
    await aptGet('update')
    ;({ names } = await packageNames(parts, system))
  }
  const installed = await aptGet('install', '-y', '--no-install-recommends', ...names)
  return installed.code === 0
    ? undefined
    : hideHosts(tail(updated.code === 0 ? installed.output : updated.output + installed.output, 3))
}

/** A mirror's address is nobody's business in a log. */
const hideHosts = (text) => text.replace(/\bhttps?:\/\/\S+/g, '(mirror)')

const areaOf = (system) => areas[system.osRelease().id] ?? areas.debian

/** Adds a source file of our own that names the area VICE is in, on the mirror that the system already uses. */
function addArea(system) {
  const { codename } = system.osRelease()
  for (const { name, text } of system.readSources()) {
    const format = name.endsWith('.sources') ? 'deb822' : name.endsWith('.list') ? 'line' : undefined
    const added = format && sourceWithAreas(text, format, codename, areaOf(system))
    if (!added) continue
    system.writeSource(format === 'deb822' ? 'bridgedeck.sources' : 'bridgedeck.list', added)
    return true
  }
  return false
}

/**
 * The apt source entries of the release `codename`, in the format they came in, with their areas replaced.
 * @param {'deb822' | 'line'} format
 * @param {string[]} wanted
 * @returns {string | undefined} undefined where the text has no such entry
 */
export function sourceWithAreas(text, format, codename, wanted) {
  const entries = format === 'deb822' ? stanzas(text, codename, wanted) : lines(text, codename, wanted)
  return entries.length > 0 ? entries.join('') : undefined
}

function stanzas(text, codename, wanted) {
  const field = (stanza, name) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'mi').exec(stanza)?.[1]?.trim() ?? ''
  return text
    .split(/\n(?:[ \t]*\n)+/)
    .map((stanza) => stanza.replace(/^#.*\n?/gm, '').trim())
    .filter((stanza) => field(stanza, 'Suites').split(/\s+/).includes(codename))
    .filter((stanza) => field(stanza, 'Components').split(/\s+/).includes('main'))
    .filter((stanza) => !/^no$/i.test(field(stanza, 'Enabled')) && field(stanza, 'Types').split(/\s+/).includes('deb'))
    .map(
      (stanza) =>
        `${stanza.replace(/^Components:.*$/im, `Components: ${wanted.join(' ')}`).replace(/^Types:.*$/im, 'Types: deb')}\n\n`,
    )
}

function lines(text, codename, wanted) {
  return [...text.matchAll(/^deb\s+(\[[^\]]*\]\s+)?(\S+)\s+(\S+)\s+(.*)$/gm)]
    .filter(([, , , suite, components]) => suite === codename && components.split(/\s+/).includes('main'))
    .map(([, options = '', address]) => `deb ${options}${address} ${codename} ${wanted.join(' ')}\n`)
}

function parseOsRelease(text) {
  const value = (name) => new RegExp(`^${name}="?([^"\\n]*)"?$`, 'm').exec(text)?.[1] ?? ''
  return { id: value('ID'), codename: value('VERSION_CODENAME'), version: Number.parseFloat(value('VERSION_ID')) || 0 }
}
