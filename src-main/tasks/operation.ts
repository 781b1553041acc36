/**
 * What an operation is: one file in `operations/` defines each with {@link defineOperation}. Its schema makes the form in
 * the window, the help on the command line and the check; its `run` knows the machine and its task's folder, and nothing
 * of the registry or the schedule.
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

/** What one run of an operation may use. */
export interface OperationContext {
  /** Connected, and able to do all that the operation needs. Facets are asked for with `requireFacet`, as everywhere. */
  readonly machine: Machine
  /** Aborts when the task is stopped or cancelled, or when its machine is lost. To be passed on to the machine. */
  readonly signal: AbortSignal
  /** Its own id, for `readArtifact`. */
  readonly task: string
  /** Which run of the task this is, from 1. */
  readonly iteration: number
  /** Whether it is run again and again: then the schedule repeats it, and one run does its work once. */
  readonly recurring: boolean
  /** Frames of the machine as it is sampled, while the run lasts: whoever subscribes also unsubscribes. */
  readonly subscribe: (subscription: Subscription, listener: (frame: Frame) => void) => Unsubscribe
  /**
   * Writes a file below the task's `artifacts/`, whole or not at all; one of that name is replaced.
   * @param path with `/`, such as `sprites/sprite_2000.png`
   */
  readonly artifact: (path: string, content: Uint8Array | string) => Promise<void>
  /**
   * An artifact of another task, such as a snapshot to compare with.
   * @throws AppError NOT_FOUND when there is no such task or artifact
   */
  readonly readArtifact: (task: string, path: string) => Promise<Uint8Array>
  /** The memory of a named snapshot. @throws AppError NOT_FOUND */
  readonly snapshot: (name: string) => readonly SpaceImage[]
  /** To draw text with where the machine does not show its character ROM. */
  readonly standInRom: () => Promise<StandInRom>
  /**
   * Opens the task's recording. The first moment does so as well, and takes the time that it takes.
   * @throws AppError as `record` does
   */
  readonly openRecording: () => Promise<void>
  /**
   * Adds a moment to the task's recording, which is opened by the first one and closed when the task ends.
   * @throws AppError when it cannot go on, such as on a full disk; what was recorded until then is kept
   */
  readonly record: (moment: Pick<Frame, 'time' | 'segments' | 'registers' | 'picture'>) => Promise<void>
  /**
   * Adds every frame of the machine to the task's recording, from the first call until the task ends or loses its
   * machine, also between two runs. Meanwhile the machine is sampled, also where that was off. Each call tells what the
   * recording holds, and how many of its frames came since the call before; the first one waits for a frame.
   * @throws AppError as `record` does
   */
  readonly recordFrames: (subscription: Subscription) => Promise<RecordedSoFar & { readonly added: number }>
  /** A line for the task's log, which adds the time. */
  readonly log: (line: string) => void
  /** How far the run is. @param text what is done now, for people */
  readonly progress: (done: number, total: number, text?: string) => void
  /**
   * Where a regular expression of the user's matches first, run apart and for 100 ms of processor time at most.
   * @throws AppError INVALID when it is none, TIMEOUT when it takes too long
   */
  readonly match: (pattern: string, flags: string, text: string) => Promise<Match | null>
}

/** What a recording holds. */
export interface RecordedSoFar {
  readonly frames: number
  /** From the first frame to the newest one. */
  readonly durationMs: number
  /** On disk. */
  readonly bytes: number
  /** Frames that could not be taken because the disk did not keep up. */
  readonly lost: number
}

/** What the machine does not show at the moment: a single task fails with it, a recurring one goes on. */
export class NotNow extends AppError {
  constructor(message: string, hint: string) {
    super('CONFLICT', message, { hint })
  }
}

/** What came of one run; it makes the task's `result.json`. */
export interface OperationOutcome {
  readonly summary: JsonObject
  /** What of the summary adds up over the runs of a recurring task. */
  readonly counts?: Readonly<Record<string, number>>
  /** What this run of a recurring task found, for its line in the log and in `artifacts/`; the summary unless told, null for none. */
  readonly value?: Json
  /** What was written, by what it is, relative to the task's folder: `{ spritesDir: 'artifacts/sprites/' }`. */
  readonly artifacts?: Readonly<Record<string, string>>
  /** Why a run of a recurring task came to nothing, in one sentence: it is not counted. */
  readonly nothing?: string
  /** True when a recurring task has reached what it was for, and ends as completed. */
  readonly done?: boolean
}

interface Definition<Shape extends z.ZodRawShape> {
  /** As in the registry: `a-z`, digits and `_`. */
  readonly name: string
  readonly title: string
  /** What it does, in one or two sentences for people. */
  readonly does: string
  /** What the machine must be able to do, whatever the arguments. */
  readonly needs: readonly Capability[]
  /** Whether it changes the machine: such a task is never taken up again by itself. */
  readonly writes: boolean
  /** Whether it saves files beside its result. Defaults to no. */
  readonly savesFiles?: boolean
  /** Defaults to both. */
  readonly types?: readonly TaskType[]
  /** Strict: what it does not know is refused. Each field says with `describe` what it is. */
  readonly arguments: z.ZodObject<Shape, z.core.$strict>
  /** Each run of a recurring task calls it anew. @param args checked, and with the defaults in place */
  readonly run: (
    context: OperationContext,
    args: z.output<z.ZodObject<Shape, z.core.$strict>>,
  ) => Promise<OperationOutcome>
}

export interface Operation extends Omit<Definition<z.ZodRawShape>, 'run' | 'types' | 'savesFiles'> {
  readonly types: readonly TaskType[]
  readonly savesFiles: boolean
  /**
   * What runs with these arguments. It refuses, as UNSUPPORTED, a machine that cannot do what the operation needs.
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

/** `fill takes address, length, bytes?.` */
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

/** An argument that names a file on this computer. The command line completes a relative one; the window asks for a file. */
export const filePath = () =>
  z.string().min(1).max(4096).refine(isAbsolute, { error: 'a whole path from the root on' }).meta({ format: 'path' })
