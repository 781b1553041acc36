import type { System } from '@shared/contract/orchestration'
import type { Format } from './format'
import { maestro } from './maestro/format'
import { metashell } from './metashell/format'
import { ncrew } from './ncrew/format'
import { tuning } from './tuning/format'

const bySystem: { readonly [Name in System]: Format } = { metashell, ncrew, maestro, tuning }

export const formats: readonly Format[] = Object.values(bySystem)
