/**
 * Each file in `operations/` defines one operation with {@link defineOperation}. Its schema makes the form, the help of
 * the command line and the check; its `run` knows the machine and its task's folder, but neither registry nor schedule.
 */
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import type { SpaceImage } from '@shared/c64/memoryImage'
import type { StandInRom } from '@shared/c64/standInRom'
import type { Capability } from '@shared/contract/machine'
import { AppError } from '@shared/contract/errors'
import type { Frame } from '@shared/contract/frames'
import { taskTypes, type TaskType } from '@shared/contract/tasks'
import { describeIssues } from '@shared/contract/describeIssues'
import type { Json, JsonObject } from '@shared/json'
import type { Machine } from '../machine/machine'
import type { Unsubscribe } from '../machine/listeners'
import type { Subscription } from '../machine/managedMachine'
import type { Match } from '../regex/matcher'

export interface OperationContext {
  readonly machine: Machine
  /** Aborts when the task is stopped or cancelled, or its machine is lost. Pass it on to the machine. */
  readonly signal: AbortSignal
  readonly task: string
  readonly iteration: number
  readonly recurring: boolean
  /** Frames of the machine as it is sampled, while the run lasts: whoever subscribes also unsubscribes. */
  readonly subscribe: (subscription: Subscription, listener: (frame: Frame) => void) => Unsubscribe
  /**
   * Writes below the task's `artifacts/`, whole or not at all; replaces a file of that name.
   * @param path with `/`, such as `sprites/sprite_2000.png`
   */
  readonly artifact: (path: string, content: Uint8Array | string) => Promise<void>
  /** @throws AppError NOT_FOUND when there is no such task or artifact */
  readonly readArtifact: (task: string, path: string) => Promise<Uint8Array>
  /** @throws AppError NOT_FOUND */
  readonly snapshot: (name: string) => readonly SpaceImage[]
  readonly standInRom: () => Promise<StandInRom>
  /**
   * Without it the first `record` opens the recording, which takes time.
   * @throws AppError as `record` does
   */
  readonly openRecording: () => Promise<void>
  /**
   * The recording is opened by the first call and closed when the task ends.
   * @throws AppError when it cannot go on, such as on a full disk; what was recorded until then is kept
   */
  readonly record: (moment: Pick<Frame, 'time' | 'segments' | 'registers' | 'picture'>) => Promise<void>
  /**
   * Records every frame of the machine from the first call until the task ends or loses its machine, also between runs;
   * the machine is sampled meanwhile. `added` counts the frames since the call before; the first call waits for one.
   * @throws AppError as `record` does
   */
  readonly recordFrames: (subscription: Subscription) => Promise<RecordedSoFar & { readonly added: number }>
  readonly log: (line: string) => void
  readonly progress: (done: number, total: number, text?: string) => void
  /**
   * Runs apart, for 100 ms of processor time at most.
   * @throws AppError INVALID when it is no regular expression, TIMEOUT when it takes too long
   */
  readonly match: (pattern: string, flags: string, text: string) => Promise<Match | null>
}

export interface RecordedSoFar {
  readonly frames: number
  readonly durationMs: number
  readonly bytes: number
  readonly lost: number
}

/** The machine does not show it at the moment: a single task fails with this error, a recurring one goes on. */
export class NotNow extends AppError {
  constructor(message: string, hint: string) {
    super('CONFLICT', message, { hint })
  }
}

export interface OperationOutcome {
  readonly summary: JsonObject
  readonly counts?: Readonly<Record<string, number>>
  readonly value?: Json
  readonly artifacts?: Readonly<Record<string, string>>
  /** In one sentence. A run of a recurring task that came to nothing is not counted. */
  readonly nothing?: string
  readonly done?: boolean
}

interface Definition<Shape extends z.ZodRawShape> {
  readonly name: string
  readonly title: string
  readonly does: string
  readonly needs: readonly Capability[]
  /** Changes the machine: such a task is never resumed by itself. */
  readonly writes: boolean
  readonly savesFiles?: boolean
  readonly types?: readonly TaskType[]
  /** Strict: unknown arguments are refused. Each field needs a `describe` text. */
  readonly arguments: z.ZodObject<Shape, z.core.$strict>
  readonly run: (
    context: OperationContext,
    args: z.output<z.ZodObject<Shape, z.core.$strict>>,
  ) => Promise<OperationOutcome>
}

export interface Operation extends Omit<Definition<z.ZodRawShape>, 'run' | 'types' | 'savesFiles'> {
  readonly types: readonly TaskType[]
  readonly savesFiles: boolean
  /**
   * The run refuses, as UNSUPPORTED, a machine that cannot do what the operation needs.
   * @throws AppError INVALID that says which argument is wrong, and how
   */
  readonly prepare: (args: unknown) => (context: OperationContext) => Promise<OperationOutcome>
}

export function defineOperation<Shape extends z.ZodRawShape>({
  run,
  types = taskTypes,
  savesFiles = false,
  ...definition
}: Definition<Shape>): Operation {
  return {
    ...definition,
    types,
    savesFiles,
    prepare: (given) => {
      const { data, error } = definition.arguments.safeParse(given)
      if (!error) {
        return async (context) => {
          requireCapabilities(context.machine, definition.needs)
          return run(context, data)
        }
      }
      const field = error.issues[0]?.path[0]
      throw new AppError(
        'INVALID',
        `${definition.name} does not take these arguments: ${describeIssues(error.issues)}.`,
        { hint: takes(definition), ...(field === undefined ? {} : { details: { field: String(field) } }) },
      )
    },
  }
}

function takes({ name, arguments: { shape } }: Pick<Operation, 'name' | 'arguments'>): string {
  const names = Object.entries(shape).map(([key, schema]) => (z.safeParse(schema, undefined).success ? `${key}?` : key))
  return names.length === 0 ? `${name} takes no arguments.` : `${name} takes ${names.join(', ')}.`
}

function requireCapabilities({ unsupported, status }: Machine, needs: readonly Capability[]): void {
  for (const capability of needs) {
    const limit = unsupported[capability]
    if (limit !== undefined)
      throw new AppError('UNSUPPORTED', `Not on this machine (${status.title}): ${limit}`, { details: { capability } })
  }
}

export const filePath = () =>
  z.string().min(1).max(4096).refine(isAbsolute, { error: 'a whole path from the root on' }).meta({ format: 'path' })
