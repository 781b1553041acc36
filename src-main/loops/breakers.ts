import type { RunHold } from '@shared/runHold'

const MAX_IDLE_TURNS = 3
const MAX_SAME_ERRORS = 3
const MAX_ERROR_CHARACTERS = 300

export interface TurnHistory {
  readonly tasks: string
  readonly idle: number
  /** Oldest first; only those since the tasks last changed. */
  readonly errors: readonly string[]
}

export const atState = (history: TurnHistory | undefined, tasks: string): TurnHistory =>
  history?.tasks === tasks ? history : { tasks, idle: 0, errors: [] }

/**
 * @param hasChanged whether a file or commit changed; null where unknown
 * @param error why the turn failed; null when it did not
 */
export const afterTurn = (
  history: TurnHistory,
  { hasChanged, error }: { readonly hasChanged: boolean | null; readonly error: string | null },
): TurnHistory => ({
  ...history,
  idle: hasChanged === null ? history.idle : hasChanged ? 0 : history.idle + 1,
  errors: error === null ? history.errors : [...history.errors, commonText(error)].slice(-MAX_SAME_ERRORS),
})

/** Removes what differs each time: durations, ids, paths of temporary files. */
const commonText = (error: string): string =>
  error
    .replace(/\d+([.:,]\d+)*/g, '#')
    .replace(/\b[0-9a-f#]{8,}\b/gi, '#')
    .slice(0, MAX_ERROR_CHARACTERS)

export function trippedBreaker({ idle, errors }: TurnHistory): Pick<RunHold, 'kind' | 'message'> | undefined {
  if (idle >= MAX_IDLE_TURNS)
    return { kind: 'no-progress', message: `No progress: ${idle} turns in a row changed no file, task or commit.` }
  const [first, ...others] = errors
  if (first !== undefined && errors.length >= MAX_SAME_ERRORS && others.every((error) => error === first))
    return { kind: 'same-error', message: `The same error ${errors.length} times: ${first}` }
  return undefined
}
