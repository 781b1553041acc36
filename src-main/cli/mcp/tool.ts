import type { Command } from '../command'
import type { Right } from '@shared/contract/steering'
import { argumentSchema, argumentsOf, type ArgumentSchema } from '../namedArguments'

export interface Operation {
  readonly command: Command
  /**
   * Always needed, and asked for at the start. File arguments also need `files`, and commands what their effects in the
   * contract say.
   */
  readonly right: Right
  /** A few words only: every agent reads them in every session. */
  readonly about: string
  /** The answer was written by the machine's program or by others: it is data, not instructions. */
  readonly isForeign?: true
  /** The agent passes the file as text; the value is its ending. */
  readonly source?: '.asm' | '.bas'
  /** The agent passes the file as base64, with a name. */
  readonly takesBytes?: true
  readonly isPicture?: true
  readonly needs?: readonly string[]
  readonly next?: (given: Readonly<Record<string, unknown>>) => string | null
  readonly presets?: Readonly<Record<string, unknown>>
  readonly hides?: readonly string[]
  readonly paths?: (given: Readonly<Record<string, unknown>>) => readonly string[]
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly usual?: string
  readonly operations: Readonly<Record<string, Operation>>
}

const operation =
  (right: Right) =>
  (command: Command, about: string, more: Omit<Operation, 'command' | 'right' | 'about'> = {}): Operation => ({
    command,
    right,
    about,
    ...more,
  })

export const look = operation('look')
export const change = operation('change')
export const power = operation('power')
export const connect = operation('connect')
export const edit = operation('files')

export const followedBy = (step: string) => ({ next: () => step })

export const SOURCE = 'source'
export const BASE64 = 'base64'
export const NAME = 'name'
export const FILE = 'file'
export const PICTURE = 'png'

export function argumentsFor({
  command,
  source,
  takesBytes,
  isPicture,
  hides = [],
  needs = [],
}: Operation): ReadonlyMap<string, ToolArgument> {
  const all = new Map<string, ToolArgument>()
  const own = source ? [SOURCE] : takesBytes ? [NAME, BASE64] : []
  for (const name of own) all.set(name, { schema: { type: 'string' }, isRequired: true, isPath: false })
  for (const [name, parameter] of argumentsOf(command)) {
    if ((own.length > 0 && name === FILE) || (isPicture && name === PICTURE) || hides.includes(name)) continue
    const { isRequired, completes } = parameter
    all.set(name, {
      schema: argumentSchema(parameter),
      isRequired: isRequired || needs.includes(name),
      isPath: completes === 'file' || completes === 'folder',
    })
  }
  return all
}

export interface ToolArgument {
  readonly schema: ArgumentSchema
  readonly isRequired: boolean
  readonly isPath: boolean
}
