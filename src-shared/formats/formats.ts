import { z } from 'zod'
import { maestro } from './maestro'
import { metashell } from './metashell'
import { ncrew } from './ncrew'
import type { System } from './systems'
import { tuning } from './tuning'

export const formatInfo = { metashell, ncrew, maestro, tuning } satisfies Record<System, unknown>

/** Words outside a specification stand as they are; texts are inert. */
export const runDetailsSchema = z.discriminatedUnion('system', [
  metashell.details,
  ncrew.details,
  maestro.details,
  tuning.details,
])
export type RunDetails = z.infer<typeof runDetailsSchema>
export type DetailsOf<Name extends System> = Extract<RunDetails, { system: Name }>
