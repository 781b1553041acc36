import type { Output } from './output'
import type { Parameter } from './parameters'
import type { Session } from './session'

/** What a command is called with, beside its values. */
export interface CommandContext {
  readonly output: Output
  /** The caller's working folder: relative paths start there. */
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  /** The folder of what comes with Bridgedeck. */
  readonly resources: string
  readonly signal: AbortSignal
  /**
   * Connects to the bridge that runs, or becomes one for this call; once, whoever asks.
   * @param taskHome absolute; where a bridge of this call keeps its tasks
   */
  readonly openSession: (taskHome?: string) => Promise<Session>
}

/** Commands with the same first word. */
export interface CommandGroup {
  readonly name: string
  readonly summary: string
  /** For the group's help. */
  readonly details?: string
  /** False where a specification leaves no room for `--json`. */
  readonly hasJson?: boolean
  /** Prints a failure as a specification says, and returns its exit code. @param usage the synopsis of what was called */
  readonly reportFailure?: (error: unknown, output: Output, usage: string) => number
}

/** In the order in which they are written. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>

export type Values<Of extends Parameters> = {
  readonly [Name in keyof Of]: Of[Name] extends Parameter<infer Value> ? Value : never
}

/** What stands on the command line behind a command's name. */
export interface Given {
  readonly positionals: readonly string[]
  /** Each time that an option is given, its value; empty for a flag. */
  readonly options: ReadonlyMap<string, readonly string[]>
}

interface Description {
  readonly group?: CommandGroup
  /** One word, after that of its group. */
  readonly name: string
  readonly summary: string
  /** For the command's own help. */
  readonly details?: string
  /** Command lines without the leading `bridgedeck`. */
  readonly examples?: readonly string[]
  /** Options that depend on the first positional, such as the arguments of a task's operation. */
  readonly moreOptions?: (first: string) => Parameters
}

export interface Command extends Description {
  readonly positionals: Parameters
  readonly options: Parameters
  /** @returns the exit code. @throws UsageError for a value that does not fit */
  readonly run: (context: CommandContext, given: Given) => Promise<number>
}

interface Definition<Positionals extends Parameters, Options extends Parameters> extends Description {
  readonly positionals?: Positionals
  readonly options?: Options
  /**
   * @param more those of `moreOptions` that were given, as written
   * @returns the exit code
   */
  readonly run: (
    context: CommandContext,
    values: Values<Positionals> & Values<Options>,
    more: ReadonlyMap<string, string>,
  ) => Promise<number>
}

/** Without it, a command that declares none could be asked for any. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type
type NoParameters = Record<never, never>

/** A command whose `run` gets each value with the type that its parameter has. */
export function defineCommand<
  Positionals extends Parameters = NoParameters,
  Options extends Parameters = NoParameters,
>({ positionals, options, run, ...description }: Definition<Positionals, Options>): Command {
  return {
    ...description,
    positionals: positionals ?? {},
    options: options ?? {},
    run: async (context, given) => {
      const words = given.positionals.map((word) => [word])
      const values = {
        ...readAll(
          positionals,
          ({ placeholder }) => ({ label: placeholder ?? '', texts: words.shift() ?? [] }),
          context,
        ),
        ...readAll(options, (_, name) => ({ label: `--${name}`, texts: given.options.get(name) ?? [] }), context),
      }
      const more = Object.keys(description.moreOptions?.(given.positionals[0] ?? '') ?? {}).flatMap((name) => {
        const text = given.options.get(name)?.at(-1)
        return text === undefined ? [] : [[name, text] as const]
      })
      // Each value was read by the parameter of its name.
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
