import type { z } from 'zod'

export type Owner = 'main' | 'bridge'

/**
 * What a bridge command does. The right that an agent needs for it, its lease of the machine and what Undo keeps derive
 * from this alone (`src-main/steering/neededRight.ts`).
 *
 * - `reads` leaves machines, files and everything that Bridgedeck keeps as they are
 * - `follows` reads while the machine runs; a paused machine runs for it
 * - `connects` opens or closes a connection, or sends to an address
 * - `keeps` changes what Bridgedeck keeps beside machines: snapshots, searches, marks, labels, tasks
 * - `edits` changes a project, or which projects are open
 * - `writes` changes only what it names in a machine
 * - `runs` lets a machine run, or moves it in its own time
 * - `replaces` puts another state in the place of the machine's
 * - `switches` changes power, drives, streams, storage or settings of a device
 * - `governs` decides about agents, trust, loops or settings: only the person may
 */
export type Effect =
  | 'reads'
  | 'follows'
  | 'connects'
  | 'keeps'
  | 'edits'
  | 'writes'
  | 'runs'
  | 'replaces'
  | 'switches'
  | 'governs'

export interface Command<
  Who extends Owner = Owner,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Page extends boolean = boolean,
> {
  /** Main's own commands (dialogs, window) never reach the bridge. */
  readonly owner: Who
  readonly effect: Effect
  /** Whether the page may call it. Commands that take a path are for main and the command line only. */
  readonly page: Page
  readonly input: Input
  readonly output: Output
  /** Longest wait on the caller's side, ms; 0 for a command that waits for a person. */
  readonly deadline: number
  /** Main asks this in a native dialog before the page's call goes on; for calls that destroy something. */
  readonly confirm?: (input: z.infer<Input>) => { message: string; detail: string; button: string }
}

const DEFAULT_DEADLINE_MS = 5_000

interface CommandOptions<Input extends z.ZodType, Output extends z.ZodType, Page extends boolean> {
  input: Input
  output: Output
  page?: Page
  deadline?: number
  confirm?: Command<Owner, Input, Output>['confirm']
}

function define<Who extends Owner, Input extends z.ZodType, Output extends z.ZodType, Page extends boolean = true>(
  owner: Who,
  effect: Effect,
  { input, output, page, deadline = DEFAULT_DEADLINE_MS, confirm }: CommandOptions<Input, Output, Page>,
): Command<Who, Input, Output, Page> {
  return { owner, effect, page: page ?? (true as Page), input, output, deadline, ...(confirm ? { confirm } : {}) }
}

export const bridgeCommand = <Input extends z.ZodType, Output extends z.ZodType, Page extends boolean = true>({
  effect,
  ...options
}: CommandOptions<Input, Output, Page> & { effect: Effect }) => define('bridge', effect, options)

/** Only the page, which is the person's, may call a command of Electron's main process. */
export const mainCommand = <Input extends z.ZodType, Output extends z.ZodType, Page extends boolean = true>(
  options: CommandOptions<Input, Output, Page>,
) => define('main', 'governs', options)
