import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { machineNameSchema } from '@shared/contract/machine'
import { toFailure } from '@shared/contract/errors'
import { readBounded } from '../files/readBounded'

/** The password is plain text and never leaves the bridge. */
export interface ConfiguredEntry {
  readonly machine: string
  readonly title: string
  readonly source: string
  readonly password: string | null
}

export interface C64bridgeConfig {
  readonly machines: readonly ConfiguredEntry[]
  readonly problems: readonly string[]
}

const DEFAULT_ULTIMATE_HOST = 'c64u'
const DEFAULT_VICE_HOST = '127.0.0.1'
const MAX_FILE_BYTES = 1024 * 1024

const FILE_NAME = '.c64bridge.json'

interface Folders {
  readonly working?: string
  readonly home?: string
}

interface ConfigFile {
  readonly path: string
  readonly name: string
}

/**
 * The first file that has a section decides it: `C64BRIDGE_CONFIG`, then `.c64bridge.json` of the working folder and of
 * the home folder.
 */
export function c64bridgeConfigFiles(
  { C64BRIDGE_CONFIG: named }: NodeJS.ProcessEnv,
  { working = callersFolder(), home = homedir() }: Folders = {},
): ConfigFile[] {
  const files = [
    ...(named ? [{ path: resolve(working, named), name: basename(named) }] : []),
    { path: join(working, FILE_NAME), name: WORKING_FOLDER_FILE },
    { path: join(home, FILE_NAME), name: FILE_NAME },
  ]
  const inHome = join(home, FILE_NAME)
  return files.filter(({ path, name }) => name !== WORKING_FOLDER_FILE || path !== inHome)
}

export const WORKING_FOLDER_FILE = `the working folder’s ${FILE_NAME}`

/** npm runs scripts in the project's folder and keeps the caller's in INIT_CWD. */
const callersFolder = (): string => process.env.INIT_CWD ?? process.cwd()

/** The configuration is never written. A missing file is not a problem. */
export async function loadC64bridgeConfig(
  environment: NodeJS.ProcessEnv = process.env,
  folders?: Folders,
): Promise<C64bridgeConfig> {
  const files = await Promise.all(c64bridgeConfigFiles(environment, folders).map(readConfigFile))
  return mergeFiles(files, environment)
}

async function readConfigFile({ path, name }: ConfigFile): Promise<LoadedFile> {
  try {
    return parseFile(new TextDecoder().decode(await readBounded(path, MAX_FILE_BYTES, name)), name)
  } catch (error) {
    const { code, message } = toFailure(error)
    return { name, sections: {}, problem: code === 'NOT_FOUND' ? null : message }
  }
}

const word = z.string().trim().min(1).max(300)
const section = z.looseObject({}).catch({})
const fileSchema = z.looseObject({
  c64u: section.optional(),
  u2: section.optional(),
  vice: section.optional(),
})

type Sections = z.infer<typeof fileSchema>

interface LoadedFile {
  readonly name: string
  readonly sections: Sections
  readonly problem: string | null
}

export function readC64bridgeConfig(text: string, fileName: string, environment: NodeJS.ProcessEnv): C64bridgeConfig {
  return mergeFiles([parseFile(text, fileName)], environment)
}

/**
 * Also reads the flat keys of old versions. Environment variables override the files, unknown keys are ignored, and an
 * invalid entry does not affect others.
 */
function mergeFiles(files: readonly LoadedFile[], environment: NodeJS.ProcessEnv): C64bridgeConfig {
  const problems = files.flatMap(({ problem }) => (problem === null ? [] : [problem]))
  const machines: ConfiguredEntry[] = []
  const add = (title: string, address: Address | undefined, name: (address: Address) => string) => {
    if (!address) return
    const { data: machine } = machineNameSchema.safeParse(name(address))
    if (machine !== undefined) {
      const { password, source } = address
      machines.push({ machine, title, source, password })
    } else {
      problems.push(`“${title}” in ${address.source} has no usable address.`)
    }
  }
  const ultimateName = ({ host, port }: Address) =>
    `ultimate:${inBrackets(host ?? DEFAULT_ULTIMATE_HOST)}${port === null ? '' : `:${port}`}`
  const first = (section: (sections: Sections) => Fields | undefined): Address | undefined => {
    for (const { name, sections } of files) {
      const fields = section(sections)
      if (fields) return address(fields, name)
    }
    return undefined
  }
  const keys = { host: ['baseUrl', 'host', 'hostname'], port: ['port'], password: ['networkPassword'] }
  const c64u = first((sections) => (sections.c64u ? pick(sections.c64u, keys) : flatFields(sections)))
  const u2 = first((sections) => sections.u2 && pick(sections.u2, keys))
  const vice = first((sections) => sections.vice && pick(sections.vice, keys))
  add('C64 Ultimate', overridden(c64u, 'C64U', environment), ultimateName)
  add('Ultimate-II', overridden(u2, 'U2', environment), ultimateName)
  // A section without host and port means a VICE that is started.
  add('VICE', overridden(vice, 'VICE', environment), ({ host, port }) =>
    host === null && port === null
      ? 'vice'
      : `vice:${inBrackets(host ?? DEFAULT_VICE_HOST)}${port === null ? '' : `:${port}`}`,
  )
  return { machines, problems }
}

function flatFields(sections: Sections): Fields | undefined {
  const fields = pick(sections, { host: ['c64_host', 'c64_ip', 'baseUrl'], port: ['c64_port'] })
  return fields.host === null ? undefined : fields
}

function parseFile(text: string, name: string): LoadedFile {
  try {
    const parsed = fileSchema.safeParse(JSON.parse(text.replace(/^\uFEFF/, '')))
    if (parsed.success) return { name, sections: parsed.data, problem: null }
    return { name, sections: {}, problem: `${name} is not a JSON object.` }
  } catch (error) {
    // The parser's message quotes the file, which may contain a password: only the position is used.
    const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(String(error)) ?? []
    const place = line === undefined ? '' : ` in line ${line}, column ${column ?? '?'}`
    return { name, sections: {}, problem: `${name} is not valid JSON${place}.` }
  }
}

interface Address {
  readonly host: string | null
  readonly port: string | null
  readonly password: string | null
  readonly source: string
}

interface Fields {
  readonly host: string | null
  readonly port: string | null
  readonly password: string | null
}

function pick(
  record: Readonly<Record<string, unknown>>,
  keys: { host: string[]; port: string[]; password?: string[] },
): Fields {
  const first = (names: readonly string[]): string | null => {
    for (const name of names) {
      const value = record[name]
      const found = word.safeParse(typeof value === 'number' ? String(value) : value)
      if (found.success) return found.data
    }
    return null
  }
  return { host: first(keys.host), port: first(keys.port), password: first(keys.password ?? []) }
}

/** The host may be a URL with a port. */
function address({ host, port, password }: Fields, source: string): Address {
  if (host === null || !/^https?:\/\//i.test(host)) return { host, port, password, source }
  const url = URL.parse(host)
  return {
    host: url ? url.hostname.replace(/^\[|\]$/g, '') : host,
    port: url && url.port !== '' ? url.port : port,
    password,
    source,
  }
}

function overridden(inFile: Address | undefined, prefix: string, environment: NodeJS.ProcessEnv): Address | undefined {
  const all = pick(environment, {
    host: [`${prefix}_HOST`],
    port: [`${prefix}_PORT`],
    password: [`${prefix}_PASSWORD`],
  })
  // Security: the person's password is not for a host that only the files of a folder name.
  const set = all.host === null && inFile?.source === WORKING_FOLDER_FILE ? { ...all, password: null } : all
  const names = [
    set.host === null ? [] : `${prefix}_HOST`,
    set.port === null ? [] : `${prefix}_PORT`,
    set.password === null ? [] : `${prefix}_PASSWORD`,
  ].flat()
  if (names.length === 0) return inFile
  const fromVariables = address(set, names.join(', '))
  // Security: the file's password belongs to the file's host.
  const movedAway = fromVariables.host !== null && fromVariables.host !== inFile?.host
  return {
    host: fromVariables.host ?? inFile?.host ?? null,
    port: fromVariables.port ?? (movedAway ? null : (inFile?.port ?? null)),
    password: fromVariables.password ?? (movedAway ? null : (inFile?.password ?? null)),
    source: [inFile?.source, fromVariables.source].filter((source) => source !== undefined).join(' and '),
  }
}

const inBrackets = (host: string): string =>
  host.includes(':') && !/^[^:]+:\d+$/.test(host) && !host.startsWith('[') ? `[${host}]` : host
