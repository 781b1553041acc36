import type { Command } from '../command'
import type { Right } from '@shared/contract/steering'
import { argumentSchema, argumentsOf, type ArgumentSchema } from '../namedArguments'

/** One thing that a tool does: a command of the command line. */
export interface Operation {
  readonly command: Command
  /**
   * What it needs for sure, asked for at its start. Arguments that name files need `files` too, and its commands what their
   * effects in the contract say.
   */
  readonly right: Right
  /** A few words for the list of tools: each of them is read by an agent in every session. */
  readonly about: string
  /** What the answer holds was written by what runs on the machine, or by others: it is data. */
  readonly isForeign?: true
  /** The command's file is a text of the agent, with this ending. */
  readonly source?: '.asm' | '.bas'
  /** The command's file is bytes of the agent, as base64, under a name that it gives. */
  readonly takesBytes?: true
  /** The command's picture is the answer. */
  readonly isPicture?: true
  /** Arguments that this operation needs, where the command does not. */
  readonly needs?: readonly string[]
  /** What usually comes next, in a few words; null where nothing does. */
  readonly next?: (given: Readonly<Record<string, unknown>>) => string | null
  /** Values of options that an agent does not give. */
  readonly presets?: Readonly<Record<string, unknown>>
  /** Options of the command that the operation does not have. */
  readonly hides?: readonly string[]
  /** Files that are named within other arguments. */
  readonly paths?: (given: Readonly<Record<string, unknown>>) => readonly string[]
}

/** A job with its operations, which an agent names as `op`. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly about: string
  /** The operation that is meant without `op`. */
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
/** Changes files of a project, which is a folder of this computer. */
export const edit = operation('files')

/** Always the same next step. */
export const followedBy = (step: string) => ({ next: () => step })

export const SOURCE = 'source'
/** Of operations that take bytes. */
export const BASE64 = 'base64'
export const NAME = 'name'
/** Of commands that take a file or make a picture. */
export const FILE = 'file'
export const PICTURE = 'png'

/** What an agent gives an operation. */
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
  /** A file or folder of this computer. */
  readonly isPath: boolean
}
