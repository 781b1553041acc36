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
} as const satisfies Record<string, readonly string[]>

export type CommandLineName = keyof typeof options
const isCommand = (name: string): name is CommandLineName => Object.hasOwn(options, name)

export class Arguments {
  readonly command: CommandLineName
  readonly json: boolean
  readonly #values: Readonly<Record<string, string | boolean | undefined>>
  readonly #positionals: readonly string[]

  private constructor(command: CommandLineName, values: Record<string, string | boolean | undefined>, positionals: readonly string[]) {
    this.command = command
    this.json = values.json === true
    this.#values = values
    this.#positionals = positionals
  }

  /** @throws AppError INVALID for what this command does not take. Undefined when help was asked for. */
  static parse(words: readonly string[]): Arguments | undefined {
    const [name, ...rest] = words
    if (name === undefined || name === 'help' || words.includes('--help') || words.includes('-h')) return undefined
    if (!isCommand(name)) throw new UsageError(`There is no command “${name}”.`)
    const accepted = Object.fromEntries(options[name].map((option) => [option, { type: 'string' as const }]))
    try {
      const { values, positionals } = parseArgs({
        args: rest,
        options: { ...accepted, json: { type: 'boolean' } },
        allowPositionals: name === 'run',
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

  get file(): string {
    const [file, ...more] = this.#positionals
    if (file === undefined || more.length > 0) throw new UsageError('run takes exactly one file.')
    return file
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

  number(option: 'length' | 'frames' | 'rate' | 'count', { min, max, fallback, whole = true }: { min: number; max: number; fallback: number; whole?: boolean }): number {
    const text = this.#text(option)
    if (text === undefined) return fallback
    const value = Number(text)
    if (text.trim() === '' || !(whole ? Number.isInteger(value) : Number.isFinite(value)) || value < min || value > max) {
      throw new UsageError(`--${option} is ${whole ? 'a whole number' : 'a number'} from ${min} to ${max}, not “${text}”.`)
    }
    return value
  }

  #text(option: string): string | undefined {
    const value = this.#values[option]
    return typeof value === 'string' ? value : undefined
  }
}
