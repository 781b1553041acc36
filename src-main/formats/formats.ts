import type { Format } from './format'
import { maestro } from './maestro/format'
import { metashell } from './metashell/format'
import { ncrew } from './ncrew/format'
import { tuning } from './tuning/format'

/** Every format that a project is searched for. */
export const formats: readonly Format[] = [metashell, ncrew, maestro, tuning]
