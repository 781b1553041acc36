import type { Output } from './output'
import type { Parameter } from './parameters'
import type { BridgeToStart, Session } from './session'
import type { StandardStreams } from './streams'

/** What a command gets in addition to its values. */
export interface CommandContext {
  readonly output: Output
  /** The caller's working folder: relative paths start there. */
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  readonly streams: StandardStreams
  /** Every command of the program. */
  readonly commands: readonly Command[]
  /** The folder of Bridgedeck's own resources. */
  readonly resources: string
  readonly signal: AbortSignal
  /**
   * Connects to the running bridge, or starts one; the same session for all callers.
   * @param taskHome absolute path for the tasks of a bridge started by this call
   */
  readonly openSession: (taskHome?: string, toStart?: BridgeToStart) => Promise<Session>
  /** Connects to the running bridge; undefined where none runs. */
  readonly findSession: () => Promise<Session | undefined>
  /** For a client of a server: apart from the session of this call, and closed by whoever asked for it. */
  readonly ownSessions: () => SessionSource
}

/** Opens a session once it is needed; the same one for all callers while its bridge answers. */
export interface SessionSource {
  find(): Promise<Session | undefined>
  open(taskHome?: string, toStart?: BridgeToStart): Promise<Session>
  close(): Promise<void>
}

export const MACHINES_HEADING = 'Machines'
/** Of commands without a group. */
export const ABOUT_HEADING = 'About bridgedeck'

/** Commands with the same first word. */
export interface CommandGroup {
  /** A noun in the singular. */
  readonly name: string
  /** Other spellings of the noun. */
  readonly aliases?: readonly string[]
  /** What the noun alone does; without it, the noun alone is wrong usage. */
  readonly defaultVerb?: string
  /** Its commands may be called by their verb alone. */
  readonly mayBeOmitted?: boolean
  readonly summary: string
  /** The heading of its commands in the whole help; the summary unless another group has it too. */
  readonly heading?: string
  /** For the group's help. */
  readonly details?: string
  /** Prints a failure as a specification requires, and returns its exit code. @param usage the synopsis of the command */
  readonly reportFailure?: (error: unknown, output: Output, usage: string) => number
}

/** In the order of the command line. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>

export type Values<Of extends Parameters> = {
  readonly [Name in keyof Of]: Of[Name] extends Parameter<infer Value> ? Value : never
}

/** The arguments after a command's name. */
export interface Given {
  readonly positionals: readonly string[]
  /** The values of each option, one for each time that it is given; empty strings for a flag. */
  readonly options: ReadonlyMap<string, readonly string[]>
}

/**
 * The value of each key in words, or its own keys as `{ key, key }` or `[{ key, key }]`, with `…` for some that are left out. A key
 * with `?` is not there in every answer.
 */
type DataShape = Readonly<Record<string, string>>

interface Description {
  readonly group?: CommandGroup
  /** One word: a verb, after the group's name. */
  readonly name: string
  /** Other spellings of the verb. */
  readonly aliases?: readonly string[]
  /** Left out of the help: called by programs only. */
  readonly isHidden?: boolean
  /** Takes no `--json`: what it prints is read by people, or by another program's rules. */
  readonly printsPlainText?: boolean
  readonly summary: string
  /** For the command's own help. */
  readonly details?: string
  /** What the `data` of `--json` has. */
  readonly data?: DataShape
  /** Command lines without the leading `bridgedeck`. */
  readonly examples?: readonly string[]
  /** Options that depend on the first positional, such as the arguments of a task's operation. */
  readonly moreOptions?: (first: string) => Parameters
}

export interface Command extends Description {
  readonly positionals: Parameters
  readonly options: Parameters
  /** @returns the exit code. @throws UsageError for an invalid value */
  readonly run: (context: CommandContext, given: Given) => Promise<number>
}

interface Definition<Positionals extends Parameters, Options extends Parameters> extends Description {
  readonly positionals?: Positionals
  readonly options?: Options
  /**
   * @param more the given options of `moreOptions`, unparsed
   * @returns the exit code
   */
  readonly run: (
    context: CommandContext,
    values: Values<Positionals> & Values<Options>,
    more: ReadonlyMap<string, string>,
  ) => Promise<number>
}

/** Keeps a command that declares no parameters from accepting any name. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type
type NoParameters = Record<never, never>

/** Defines a command whose `run` gets each value with its parameter's type. */
export function defineCommand<
  Positionals extends Parameters = NoParameters,
  Options extends Parameters = NoParameters,
>({ positionals, options, run, ...description }: Definition<Positionals, Options>): Command {
  return {
    ...description,
    positionals: positionals ?? {},
    options: options ?? {},
    run: async (context, given) => {
      const args = [...given.positionals]
      const values = {
        ...readAll(
          positionals,
          ({ placeholder, isRepeated }) => ({
            label: placeholder ?? '',
            texts: args.splice(0, isRepeated ? args.length : 1),
          }),
          context,
        ),
        ...readAll(options, (_, name) => ({ label: `--${name}`, texts: given.options.get(name) ?? [] }), context),
      }
      const more = Object.keys(description.moreOptions?.(given.positionals[0] ?? '') ?? {}).flatMap((name) => {
        const text = given.options.get(name)?.at(-1)
        return text === undefined ? [] : [[name, text] as const]
      })
      // Each value was read by the parameter with its name.
      return run(context, values as Values<Positionals> & Values<Options>, new Map(more))
    },
  }
}

function readAll(
  parameters: Parameters | undefined,
  find: (parameter: Parameter<unknown>, name: string) => { label: string; texts: readonly string[] },
  { folder }: CommandContext,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parameters ?? {}).map(([name, parameter]) => {
      const { label, texts } = find(parameter, name)
      return [name, parameter.read(texts, label, folder)]
    }),
  )
}

/** `project needs` */
export const fullName = ({ group, name }: Pick<Command, 'group' | 'name'>): string =>
  group === undefined ? name : `${group.name} ${name}`
