import { parseArgs } from 'node:util'
import { spaces, type Space } from '@shared/contract/memory'
import { parseAddress } from '@shared/c64/address'
import { toFailure } from '@shared/contract/errors'
import { UsageError } from './usage'

/** Which options each command takes; all take `--machine` and `--json` where they make sense. */
const options = {
  machines: [],
  read: ['machine', 'address', 'length', 'bank', 'out'],
  write: ['machine', 'address', 'bytes', 'bank'],
  screen: ['machine', 'png'],
  registers: ['machine'],
  run: ['machine', 'frames', 'png'],
  watch: ['machine', 'address', 'length', 'bank', 'rate', 'count'],
  'recording list': ['home'],
  'recording info': ['home'],
  'recording query': ['home', 'at', 'from', 'to', 'address', 'length', 'bank', 'is', 'value', 'limit', 'points'],
  'recording export': ['home', 'format', 'at', 'from', 'to', 'address', 'length', 'bank', 'sprite', 'every', 'rate'],
  'task list': ['home', 'status'],
  'task show': ['home'],
  'task start': ['home', 'machine', 'name', 'interval', 'iterations', 'args'],
  'task run': ['home', 'machine', 'name', 'args'],
  'task stop': ['home'],
  'task stop-all': ['home'],
  'task resume': ['home'],
  'task log': ['home'],
  'task delete': ['home'],
  'task operations': ['home'],
  'project inspect': [],
  'project validate': [],
  'project trust': ['yes'],
  'metashell run': ['agent', 'max-turns', 'max-cost'],
  'metashell resume': ['agent', 'max-turns', 'max-cost'],
  'metashell rollback': ['task', 'yes'],
  'project distrust': [],
  'project needs': [],
  'project watch': [],
  'project act': ['run', 'action', 'target', 'set', 'yes'],
  'project answer': ['run', 'action', 'target', 'set', 'yes'],
} as const satisfies Record<string, readonly string[]>

type NumberOption =
  | 'length'
  | 'frames'
  | 'rate'
  | 'count'
  | 'value'
  | 'limit'
  | 'points'
  | 'sprite'
  | 'every'
  | 'interval'
  | 'iterations'
  | 'max-turns'
  | 'max-cost'

export type CommandLineName = keyof typeof options
/** The commands that take words without a dash, and which. */
const positionalWords: Partial<Record<CommandLineName, string>> = {
  run: 'exactly one file',
  'recording info': 'a recording',
  'recording query': 'a recording and a question',
  'recording export': 'a recording and a file',
  'task show': 'a task’s id',
  'task start': 'an operation',
  'task run': 'an operation',
  'task stop': 'a task’s id',
  'task resume': 'a task’s id',
  'task log': 'a task’s id',
  'task delete': 'a task’s id',
  'task operations': 'an operation, or none for a list',
  'project inspect': 'a folder',
  'project validate': 'a folder',
  'project trust': 'a folder',
  'metashell run': 'a folder',
  'metashell resume': 'a folder',
  'metashell rollback': 'a folder',
  'project distrust': 'a folder',
  'project needs': 'a folder',
  'project watch': 'a folder',
  'project act': 'a folder',
  'project answer': 'a folder',
}

/** Options without a value. */
const flags: ReadonlySet<string> = new Set(['yes'])

/** Options that may be given several times. */
const repeated: ReadonlySet<string> = new Set(['set'])

const isCommand = (name: string): name is CommandLineName => Object.hasOwn(options, name)

type Value = string | boolean | readonly (string | boolean)[] | undefined

export class Arguments {
  readonly command: CommandLineName
  readonly json: boolean
  readonly #values: Readonly<Record<string, Value>>
  readonly #positionals: readonly string[]

  private constructor(command: CommandLineName, values: Record<string, Value>, positionals: readonly string[]) {
    this.command = command
    this.json = values.json === true
    this.#values = values
    this.#positionals = positionals
  }

  /**
   * Undefined when help was asked for.
   * @param moreOptions those that a command takes because of its first word
   * @throws AppError INVALID for what this command does not take
   */
  static parse(
    words: readonly string[],
    moreOptions: (command: CommandLineName, first: string) => readonly string[] = () => [],
  ): Arguments | undefined {
    const [first, second] = words
    if (first === undefined || first === 'help' || words.includes('--help') || words.includes('-h')) return undefined
    const pair = `${first} ${second}`
    const name = isCommand(pair) ? pair : first
    if (!isCommand(name)) throw new UsageError(`There is no command “${name}”.`)
    const rest = words.slice(name === pair ? 2 : 1)
    const accepted = Object.fromEntries(
      [...moreOptions(name, rest[0] ?? ''), ...options[name]].map((option) => [
        option,
        { type: flags.has(option) ? ('boolean' as const) : ('string' as const), multiple: repeated.has(option) },
      ]),
    )
    try {
      const { values, positionals } = parseArgs({
        args: rest,
        options: { ...accepted, json: { type: 'boolean' } },
        allowPositionals: name in positionalWords,
        strict: true,
      })
      return new Arguments(name, values, positionals)
    } catch (error) {
      throw new UsageError(error instanceof Error ? error.message : String(error))
    }
  }

  get machine(): string {
    return this.#text('machine') ?? 'builtin'
  }

  /** The words without a dash, as many as the command takes. */
  positionals(count: number): readonly string[] {
    if (this.#positionals.length === count) return this.#positionals
    throw new UsageError(`${this.command} takes ${positionalWords[this.command] ?? 'options only'}.`)
  }

  get hasPositionals(): boolean {
    return this.#positionals.length > 0
  }

  /** The one word without a dash. */
  get subject(): string {
    return this.positionals(1)[0] ?? ''
  }

  /** An option as it was written. */
  text(option: string): string | undefined {
    return this.#text(option)
  }

  /** An option that may be given several times, as it was written each time. */
  texts(option: 'set'): readonly string[] {
    const values = this.#values[option]
    return typeof values === 'object' ? values.filter((value) => typeof value === 'string') : []
  }

  flag(option: 'yes'): boolean {
    return this.#values[option] === true
  }

  has(option: 'at' | 'sprite' | 'value'): boolean {
    return this.#text(option) !== undefined
  }

  choice<Value extends string>(option: 'format' | 'is', values: readonly Value[]): Value {
    const text = this.#text(option)
    const value = values.find((candidate) => candidate === text)
    if (value === undefined)
      throw new UsageError(`--${option} is one of ${values.join(', ')}${text === undefined ? '' : `, not “${text}”`}.`)
    return value
  }

  /**
   * ISO 8601, or `+` and seconds since the start. Undefined when it is not given.
   * @param start of what the time is in, ms since 1970
   */
  time(option: 'at' | 'from' | 'to', start: number): number | undefined {
    const text = this.#text(option)
    if (text === undefined) return undefined
    const time = /^\+\d+(\.\d+)?$/.test(text) ? start + Number(text) * 1000 : Date.parse(text)
    if (!(time >= 0))
      throw new UsageError(
        `--${option} is a time such as 2026-11-21T12:03:04.5Z, or +12.5 for seconds after the start, not “${text}”.`,
      )
    return time
  }

  get address(): number {
    const text = this.#text('address')
    if (text === undefined) throw new UsageError('--address is missing.')
    try {
      return parseAddress(text)
    } catch (error) {
      throw new UsageError(toFailure(error).message)
    }
  }

  get space(): Space {
    const bank = this.#text('bank') ?? 'ram'
    const space = spaces.find((name) => name === bank)
    if (!space || space === 'colorRam') throw new UsageError(`--bank is one of cpu, ram, rom and io, not “${bank}”.`)
    return space
  }

  get bytes(): string {
    const text = this.#text('bytes')
    if (text === undefined) throw new UsageError('--bytes is missing.')
    return text
  }

  path(option: 'out' | 'png'): string | undefined {
    return this.#text(option)
  }

  number(
    option: NumberOption,
    { min, max, fallback, whole = true }: { min: number; max: number; fallback: number; whole?: boolean },
  ): number {
    const text = this.#text(option)
    if (text === undefined) return fallback
    const value = Number(text)
    if (
      text.trim() === '' ||
      !(whole ? Number.isInteger(value) : Number.isFinite(value)) ||
      value < min ||
      value > max
    ) {
      throw new UsageError(
        `--${option} is ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}, not “${text}”.`,
      )
    }
    return value
  }

  #text(option: string): string | undefined {
    const value = this.#values[option]
    return typeof value === 'string' ? value : undefined
  }
}
