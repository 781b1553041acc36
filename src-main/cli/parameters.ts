import { basename, resolve } from 'node:path'
import { parseHexBytes, parseUnambiguousAddress } from '@shared/c64/address'
import { canonicalMachineName, machineNamesHint, parseMachineName } from '@shared/contract/machineName'
import { driveSpaces, spaces, type DriveSpace, type Space } from '@shared/contract/memory'
import { realPath } from '../files/realPath'
import { didYouMean } from './nearestName'
import { asUsage, UsageError } from './usageError'

export interface Parameter<Value> {
  readonly placeholder: string | null
  readonly help: string
  readonly completes?: readonly string[] | 'file' | 'folder' | 'machine'
  readonly bounds?: NumberBounds
  readonly about?: string
  /** A JSON object as text; agents may give the object itself. */
  readonly isJson?: true
  /** Bytes as hexadecimal text; agents may give a list of numbers. */
  readonly isHex?: true
  readonly isRequired: boolean
  readonly isRepeated: boolean
  /**
   * @param texts one for each time that the parameter is given
   * @param label for messages: `--address`, `FILE`
   * @param folder base of relative paths
   * @throws UsageError for an invalid value
   */
  readonly read: (texts: readonly string[], label: string, folder: string) => Value
}

export type Optional<Value> = Parameter<Value | undefined>

export const optional = <Value>(
  placeholder: string,
  help: string,
  parse: (text: string, label: string, folder: string) => Value,
): Optional<Value> => ({
  placeholder,
  help,
  isRequired: false,
  isRepeated: false,
  read: (texts, label, folder) => {
    const text = texts.at(-1)
    return text === undefined ? undefined : parse(text, label, folder)
  },
})

export const required = <Value>(parameter: Optional<Value>): Parameter<Value> => ({
  ...parameter,
  isRequired: true,
  read: (texts, label, folder) => requireValue(parameter.read(texts, label, folder), label),
})

export function requireValue<Value>(value: Value | undefined, label: string): Value {
  if (value === undefined) throw new UsageError(`${label} is missing.`)
  return value
}

export const withDefault = <Value extends string | number>(
  parameter: Optional<Value>,
  fallback: Value,
): Parameter<Value> => ({
  ...parameter,
  help: `${parameter.help} Default: ${fallback === '.' ? 'the working folder' : fallback}.`,
  read: (texts, label, folder) =>
    parameter.read(texts.length === 0 ? [String(fallback)] : texts, label, folder) ?? fallback,
})

export const flag = (help: string): Parameter<boolean> => ({
  placeholder: null,
  help,
  isRequired: false,
  isRepeated: false,
  read: (texts) => texts.length > 0,
})

export const text = (placeholder: string, help: string): Optional<string> =>
  optional(placeholder, help, (given) => given)

export const json = (help: string): Optional<string> => ({ ...text('JSON', help), isJson: true })

export const expression = (help: string): Optional<string> => ({
  ...optional('EXPRESSION', help, (given) => given),
  about:
    'EXPRESSION is such as A == $05 and @$d020 != 0: registers A X Y SP PC FL, flags N V B D I Z C, the raster’s line RL and cycle CY, labels of the program, @ADDRESS for a byte, word(ADDRESS), .7 for a bit, + - * / & | ^, comparisons, and, or, not. Numbers are decimal without $ or %.',
})

export const texts = (placeholder: string, help: string): Parameter<readonly string[]> => ({
  placeholder,
  help,
  isRequired: false,
  isRepeated: true,
  read: (given) => given,
})

/** Absolute path without links; the folder may not exist. */
export const folderPath = (help: string): Optional<string> => ({
  ...optional('DIR', help, (given, _, folder) => realPath(resolve(folder, given))),
  completes: 'folder',
})

export interface FilePath {
  readonly path: string
  readonly written: string
}

export const filePath = (help: string, placeholder = 'FILE'): Optional<FilePath> => ({
  ...optional(placeholder, help, (written, _, folder) => ({ path: resolve(folder, written), written })),
  completes: 'file',
})

/** At least one. */
export const filePaths = (help: string): Parameter<readonly FilePath[]> => ({
  ...filePath(help),
  isRequired: true,
  isRepeated: true,
  read: (given, label, folder) => {
    requireValue(given[0], label)
    return given.map((written) => ({ path: resolve(folder, written), written }))
  },
})

export const program = (help: string): Optional<string> => ({
  ...optional('PROGRAM', help, (given, _, folder) => (basename(given) === given ? given : resolve(folder, given))),
  completes: 'file',
})

export interface NumberBounds {
  readonly min: number
  readonly max: number
  readonly isWhole?: boolean
}

export const number = (placeholder: string, help: string, bounds: NumberBounds): Optional<number> => ({
  ...optional(placeholder, `${help} From ${bounds.min} to ${bounds.max}.`, (given, label) =>
    readNumber(given, label, bounds),
  ),
  bounds,
})

/** @param given decimal, or hexadecimal as 0x05 or $05 */
export function readNumber(given: string, label: string, bounds: NumberBounds): number {
  const written = given.trim().replace(/^\$(?=[0-9a-f]+$)/i, '0x')
  return requireWithin(written === '' ? NaN : Number(written), label, bounds, given)
}

/** @throws UsageError for a number outside the bounds */
export function requireWithin(
  value: number,
  label: string,
  { min, max, isWhole = true }: NumberBounds,
  written = String(value),
): number {
  if ((isWhole ? Number.isInteger(value) : Number.isFinite(value)) && value >= min && value <= max) return value
  throw new UsageError(
    `${label} is ${isWhole ? 'a whole number' : 'a number'} from ${min} to ${max}, not “${written}”.`,
  )
}

const MAX_DOLLARS = 1_000_000

export const dollars = (help: string): Optional<number> => ({
  ...optional('USD', help, readDollars),
  bounds: { min: 0, max: MAX_DOLLARS, isWhole: false },
})

export function readDollars(given: string, label: string): number {
  const value = Number(given)
  if (given.trim() !== '' && value >= 0 && value <= MAX_DOLLARS) return value
  throw new UsageError(`${label} is an amount in USD from 0 to ${MAX_DOLLARS}, not “${given}”.`)
}

export const choice = <Value extends string>(
  placeholder: string,
  help: string,
  values: readonly Value[],
): Optional<Value> => ({
  ...optional(placeholder, `${help} One of ${values.join(', ')}.`, (given, label) => {
    const value = values.find((candidate) => candidate === given)
    if (value === undefined)
      throw new UsageError(`${label} is one of ${values.join(', ')}, not “${given}”.${didYouMean(given, values)}`)
    return value
  }),
  completes: values,
})

export const choices = <Value extends string>(
  placeholder: string,
  help: string,
  values: readonly Value[],
): Parameter<readonly Value[]> => {
  const { read, ...one } = choice(placeholder, help, values)
  return {
    ...one,
    isRepeated: true,
    read: (given, label, folder) => given.flatMap((text) => read([text], label, folder) ?? []),
  }
}

export const address = (help: string): Optional<number> => ({
  ...optional('ADDRESS', help, (given) => asUsage(() => parseUnambiguousAddress(given))),
  about: 'ADDRESS is $0400, 0x0400, 1024 or a register’s name such as VIC.BORDER.',
})

export const hexBytes = (help: string): Optional<Uint8Array> => ({
  ...optional('HEX', help, (given) => asUsage(() => parseHexBytes(given))),
  isHex: true,
})

type Bank = Exclude<Space, 'colorRam'>
const banks = spaces.filter((space): space is Bank => space !== 'colorRam')

export const bank = (): Parameter<Bank> =>
  withDefault(choice('BANK', 'Which memory, where several share an address.', banks), 'ram')

export const memoryBank = (): Parameter<Bank | DriveSpace> =>
  withDefault(
    choice('BANK', 'Which memory, where several share an address, or that of a disk drive (VICE).', [
      ...banks,
      ...driveSpaces,
    ]),
    'ram',
  )

export const namedMachine = (help: string): Optional<string> => ({
  completes: 'machine',
  ...optional('MACHINE', help, (given) => asUsage(() => canonicalMachineName(parseMachineName(given)))),
  about:
    `${machineNamesHint} The password of an Ultimate comes from C64U_PASSWORD or .c64bridge.json, in this folder or the home folder; otherwise you are asked for it.\n` +
    'While the Bridgedeck window is open or a bridge runs in the background, builtin is its C64. Otherwise a new C64 boots to its prompt for this call and ends with it.',
})

export const namedMachines = (help: string): Parameter<readonly string[]> => {
  const { read, ...one } = namedMachine(help)
  return {
    ...one,
    isRepeated: true,
    read: (given, label, folder) => given.flatMap((text) => read([text], label, folder) ?? []),
  }
}

export const machine = (help: string): Parameter<string> => withDefault(namedMachine(help), 'builtin')

/** ms since 1970, or since the recording's start. */
export type RecordingTime = { readonly at: number } | { readonly sinceStart: number }

export const recordingTime = (help: string): Optional<RecordingTime> => ({
  ...optional('TIME', help, (given, label): RecordingTime => {
    if (/^\+\d+(\.\d+)?$/.test(given)) return { sinceStart: Number(given) * 1000 }
    const at = Date.parse(given)
    if (at >= 0) return { at }
    throw new UsageError(
      `${label} is a time such as 2026-11-21T12:03:04.5Z, or +12.5 for seconds after the start, not “${given}”.`,
    )
  }),
  about: 'TIME is 2026-11-21T12:03:04.5Z, or +12.5 for seconds after the start of the recording.',
})

/** @param start ms since 1970 */
export const timeIn = (time: RecordingTime, start: number): number => ('at' in time ? time.at : start + time.sinceStart)
