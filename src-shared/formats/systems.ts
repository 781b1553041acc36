/** The one list of formats, also for the linter: it imports nothing. */
export const systems = ['metashell', 'ncrew', 'maestro', 'tuning'] as const
export type System = (typeof systems)[number]

/**
 * Those of which a run is a loop of Bridgedeck's own. A folder has one run of them, and the file that gives it away may only come into
 * being with its first start.
 */
export const runLoopSystems = ['metashell', 'ncrew'] as const satisfies readonly System[]
export type RunLoopSystem = (typeof runLoopSystems)[number]

/** Of Maestro a loop is one batch, or the session; a folder may have several tuning runs. */
export const loopSystems = [...runLoopSystems, 'maestro', 'tuning'] as const satisfies readonly System[]
export type LoopSystem = (typeof loopSystems)[number]

const isRunLoop = (system: System): system is RunLoopSystem => runLoopSystems.some((known) => known === system)

/**
 * The place that names the loop of a run, relative to the project: its folder, or what gives it away where several runs share one.
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

/** Under which what Bridgedeck keeps of a project's batches is remembered. */
export const MAESTRO_BATCHES = 'maestro:batches'

/** Whether the place of a loop of Maestro is a session; else it is a batch. */
export const isMaestroSession = (place: string): boolean => /(?:^|\/)state\/active-session\.md$/.test(place)
