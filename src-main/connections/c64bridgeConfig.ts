import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { canonicalMachineName, readMachineName } from '@shared/contract/machineName'
import { toFailure } from '@shared/contract/errors'
import { describeFileError } from '../files/fileErrors'

/** A machine from c64bridge's configuration. Its password is plain text and never leaves the bridge. */
export interface ConfiguredEntry {
  readonly machine: string
  readonly title: string
  /** The name of the file or of the variables that define it. */
  readonly source: string
  readonly password: string | null
}

export interface C64bridgeConfig {
  readonly machines: readonly ConfiguredEntry[]
  /** What could not be read, each in one sentence. */
  readonly problems: readonly string[]
}

/** c64bridge's defaults. */
const DEFAULT_ULTIMATE_HOST = 'c64u'
const DEFAULT_VICE_HOST = '127.0.0.1'
const MAX_FILE_BYTES = 1024 * 1024

/** The file that c64bridge reads: `C64BRIDGE_CONFIG`, else `.c64bridge.json` in the home folder. */
export function c64bridgeConfigPath(environment: NodeJS.ProcessEnv, home: string = homedir()): string {
  return environment.C64BRIDGE_CONFIG ? resolve(environment.C64BRIDGE_CONFIG) : join(home, '.c64bridge.json')
}

/** Reads c64bridge's configuration, which is never written. A missing file is not a problem. */
export async function loadC64bridgeConfig(
  environment: NodeJS.ProcessEnv = process.env,
  home?: string,
): Promise<C64bridgeConfig> {
  const path = c64bridgeConfigPath(environment, home)
  const name = basename(path)
  try {
    const { size } = await stat(path)
    if (size > MAX_FILE_BYTES)
      return withProblem(
        readC64bridgeConfig('{}', name, environment),
        `${name} is too large for a c64bridge configuration.`,
      )
    return readC64bridgeConfig(await readFile(path, 'utf8'), name, environment)
  } catch (error) {
    const { code, message } = toFailure(describeFileError(error, name, 'read'))
    const fromEnvironment = readC64bridgeConfig('{}', name, environment)
    return code === 'NOT_FOUND' ? fromEnvironment : withProblem(fromEnvironment, message)
  }
}

const withProblem = (config: C64bridgeConfig, problem: string): C64bridgeConfig => ({
  ...config,
  problems: [problem, ...config.problems],
})

const word = z.string().trim().min(1).max(300)
const section = z.looseObject({}).catch({})
const fileSchema = z.looseObject({
  c64u: section.optional(),
  u2: section.optional(),
  vice: section.optional(),
})

/**
 * Reads the machines from a configuration: sections `c64u`, `u2` and `vice`, the flat keys of old versions, and environment
 * variables, which override the file. Unknown keys are ignored; an invalid entry does not affect others.
 */
export function readC64bridgeConfig(text: string, fileName: string, environment: NodeJS.ProcessEnv): C64bridgeConfig {
  const { file, problem } = parseFile(text, fileName)
  const problems = problem === null ? [] : [problem]
  const machines: ConfiguredEntry[] = []
  const add = (title: string, address: Address | undefined, name: (address: Address) => string) => {
    if (!address) return
    const known = readMachineName(name(address))
    if (known) {
      const { password, source } = address
      machines.push({ machine: canonicalMachineName(known), title, source, password })
    } else {
      problems.push(`“${title}” in ${address.source} has no usable address.`)
    }
  }
  const flat = address(pick(file, { host: ['c64_host', 'c64_ip', 'baseUrl'], port: ['c64_port'] }), fileName)
  const ultimateName = ({ host, port }: Address) =>
    `ultimate:${inBrackets(host ?? DEFAULT_ULTIMATE_HOST)}${port === null ? '' : `:${port}`}`
  const sectionKeys = { host: ['baseUrl', 'host', 'hostname'], port: ['port'], password: ['networkPassword'] }
  const c64u = overridden(
    file.c64u ? address(pick(file.c64u, sectionKeys), fileName) : flat.host === null ? undefined : flat,
    'C64U',
    environment,
  )
  const u2 = overridden(file.u2 ? address(pick(file.u2, sectionKeys), fileName) : undefined, 'U2', environment)
  const vice = overridden(file.vice ? address(pick(file.vice, sectionKeys), fileName) : undefined, 'VICE', environment)
  add('C64 Ultimate', c64u, ultimateName)
  add('Ultimate-II', u2, ultimateName)
  // A section without host and port means a VICE that is started.
  add('VICE', vice, ({ host, port }) =>
    host === null && port === null
      ? 'vice'
      : `vice:${inBrackets(host ?? DEFAULT_VICE_HOST)}${port === null ? '' : `:${port}`}`,
  )
  return { machines, problems }
}

function parseFile(text: string, fileName: string): { file: z.infer<typeof fileSchema>; problem: string | null } {
  try {
    const parsed = fileSchema.safeParse(JSON.parse(text.replace(/^\uFEFF/, '')))
    if (parsed.success) return { file: parsed.data, problem: null }
    return { file: {}, problem: `${fileName} is not a JSON object.` }
  } catch (error) {
    // The parser's message quotes the file, which may contain a password: only the position is used.
    const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(String(error)) ?? []
    const place = line === undefined ? '' : ` in line ${line}, column ${column ?? '?'}`
    return { file: {}, problem: `${fileName} is not valid JSON${place}.` }
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

/** For each field, the value of the first key that has a text or a number. */
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

/** The host may be a URL, which may include the port. */
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

/** The address with environment variables applied; undefined where neither file nor variables have one. */
function overridden(inFile: Address | undefined, prefix: string, environment: NodeJS.ProcessEnv): Address | undefined {
  const set = pick(environment, {
    host: [`${prefix}_HOST`],
    port: [`${prefix}_PORT`],
    password: [`${prefix}_PASSWORD`],
  })
  const names = [
    set.host === null ? [] : `${prefix}_HOST`,
    set.port === null ? [] : `${prefix}_PORT`,
    set.password === null ? [] : `${prefix}_PASSWORD`,
  ].flat()
  if (names.length === 0) return inFile
  const fromVariables = address(set, names.join(', '))
  // The file's password belongs to the file's host.
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
