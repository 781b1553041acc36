import { dataFolder } from '../files/dataFolder'
import type { LoadRemembered } from '../projects/read/inspectProject'
import { readRememberedRuns } from '../projects/read/rememberedRuns'
import { databasePathIn } from '../storage/database'

export const loadRemembered: LoadRemembered = (root) => readRememberedRuns(databasePathIn(dataFolder()), root)
