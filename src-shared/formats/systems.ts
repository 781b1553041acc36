/** Imports nothing, as the linter uses it too. */
export const systems = ['metashell', 'ncrew', 'maestro', 'tuning'] as const
export type System = (typeof systems)[number]

/** A folder has one run of these formats, and the file that marks it may only appear with its first start. */
export const runLoopSystems = ['metashell', 'ncrew'] as const satisfies readonly System[]
export type RunLoopSystem = (typeof runLoopSystems)[number]

/** For Maestro a loop is one batch, or the session; a folder may have several tuning runs. */
export const loopSystems = [...runLoopSystems, 'maestro', 'tuning'] as const satisfies readonly System[]
export type LoopSystem = (typeof loopSystems)[number]

const isRunLoop = (system: System): system is RunLoopSystem => runLoopSystems.some((known) => known === system)

/**
 * The loop's place relative to the project: the run's folder, or the file it was found by where several runs share a
 * folder.
 * @param key of the run: `tuning:skills/skill-tuning-1`
 */
export const loopPlace = ({
  system,
  folder,
  key,
}: {
  readonly system: System
  readonly folder: string
  readonly key: string
}): string => (isRunLoop(system) ? folder : key.slice(system.length + 1))

export const MAESTRO_BATCHES = 'maestro:batches'

export const isMaestroSession = (place: string): boolean => /(?:^|\/)state\/active-session\.md$/.test(place)
