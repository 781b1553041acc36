/** The one list of formats, also for the linter: it imports nothing. */
export const systems = ['metashell', 'ncrew', 'maestro', 'tuning'] as const
export type System = (typeof systems)[number]

/** Those whose runs Bridgedeck drives itself. */
export const loopSystems = ['metashell', 'ncrew'] as const satisfies readonly System[]
export type LoopSystem = (typeof loopSystems)[number]

/** A folder has one run of these, and the file that gives it away may only come into being with its first start. */
const onePerFolder: readonly System[] = ['metashell', 'ncrew']

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
}): string => (onePerFolder.includes(system) ? folder : key.slice(system.length + 1))
