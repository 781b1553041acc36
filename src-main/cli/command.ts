import type { Output } from './output'
import type { Parameter } from './parameters'
import type { BridgeToStart, Session } from './session'
import type { StandardStreams } from './streams'

export interface CommandContext {
  readonly output: Output
  /** The caller's working folder: relative paths start there. */
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  readonly streams: StandardStreams
  readonly commands: readonly Command[]
  readonly resources: string
  readonly signal: AbortSignal
  readonly openSession: (taskHome?: string, toStart?: BridgeToStart) => Promise<Session>
  readonly findSession: () => Promise<Session | undefined>
  /** Sessions of a server's client, separate from the session of this call; closed by whoever opened them. */
  readonly ownSessions: () => SessionSource
}

export interface SessionSource {
  find(): Promise<Session | undefined>
  open(taskHome?: string, toStart?: BridgeToStart): Promise<Session>
  close(): Promise<void>
}

export const MACHINES_HEADING = 'Machines'
export const ABOUT_HEADING = 'About bridgedeck'

export interface CommandGroup {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly defaultVerb?: string
  readonly mayBeOmitted?: boolean
  readonly summary: string
  readonly heading?: string
  readonly details?: string
  /** @returns the exit code */
  readonly reportFailure?: (error: unknown, output: Output, usage: string) => number
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>

export type Values<Of extends Parameters> = {
  readonly [Name in keyof Of]: Of[Name] extends Parameter<infer Value> ? Value : never
}

export interface Given {
  readonly positionals: readonly string[]
  readonly options: ReadonlyMap<string, readonly string[]>
}

/**
 * Each key's value in words, or its keys as `{ key, key }` or `[{ key, key }]`, `…` for omitted ones. A key with `?`
 * may be missing.
 */
type DataShape = Readonly<Record<string, string>>

interface Description {
  readonly group?: CommandGroup
  readonly name: string
  readonly aliases?: readonly string[]
  readonly isHidden?: boolean
  readonly printsPlainText?: boolean
  readonly summary: string
  readonly details?: string
  readonly data?: DataShape
  readonly examples?: readonly string[]
  readonly moreOptions?: (first: string) => Parameters
}

export interface Command extends Description {
  readonly positionals: Parameters
  readonly options: Parameters
  /** @throws UsageError for an invalid value */
  readonly run: (context: CommandContext, given: Given) => Promise<number>
}

interface Definition<Positionals extends Parameters, Options extends Parameters> extends Description {
  readonly positionals?: Positionals
  readonly options?: Options
  /** @param more the given options of `moreOptions`, unparsed */
  readonly run: (
    context: CommandContext,
    values: Values<Positionals> & Values<Options>,
    more: ReadonlyMap<string, string>,
  ) => Promise<number>
}

/** Keeps a command that declares no parameters from accepting any name. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type
type NoParameters = Record<never, never>

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

export const fullName = ({ group, name }: Pick<Command, 'group' | 'name'>): string =>
  group === undefined ? name : `${group.name} ${name}`
