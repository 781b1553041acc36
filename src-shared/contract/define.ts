import type { z } from 'zod'

export type Owner = 'main' | 'bridge'

export interface Command<
  Who extends Owner = Owner,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Page extends boolean = boolean,
> {
  /** The process that carries it out. Main's own commands (dialogs, window) never reach the bridge. */
  readonly owner: Who
  /** Whether the page may call it. Commands that take a path are for main and the command line only. */
  readonly page: Page
  readonly input: Input
  readonly output: Output
  /** Longest wait on the caller's side, ms; 0 for a command that waits for a person. */
  readonly deadline: number
  /** What a native dialog of main asks before the page's call goes on; for calls that destroy something. */
  readonly confirm?: (input: z.infer<Input>) => { message: string; detail: string; button: string }
}

const DEFAULT_DEADLINE_MS = 5_000

interface CommandOptions<Input extends z.ZodType, Output extends z.ZodType, Page extends boolean> {
  input: Input
  output: Output
  /** Defaults to true. */
  page?: Page
  deadline?: number
  confirm?: Command<Owner, Input, Output>['confirm']
}

function define<Who extends Owner, Input extends z.ZodType, Output extends z.ZodType, Page extends boolean = true>(
  owner: Who,
  { input, output, page, deadline = DEFAULT_DEADLINE_MS, confirm }: CommandOptions<Input, Output, Page>,
): Command<Who, Input, Output, Page> {
  // Left out, `Page` is inferred as its default `true`.
  return { owner, page: page ?? (true as Page), input, output, deadline, ...(confirm ? { confirm } : {}) }
}

/** A command that the bridge process carries out. */
export const bridgeCommand = <Input extends z.ZodType, Output extends z.ZodType, Page extends boolean = true>(
  options: CommandOptions<Input, Output, Page>,
) => define('bridge', options)

/** A command that Electron's main process carries out. */
export const mainCommand = <Input extends z.ZodType, Output extends z.ZodType, Page extends boolean = true>(
  options: CommandOptions<Input, Output, Page>,
) => define('main', options)
