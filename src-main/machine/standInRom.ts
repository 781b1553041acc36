import type { StandInRom } from '@shared/c64/standInRom'
import type { Settings } from '@shared/contract/settings'
import { loadCharacterRom, romPathsIn } from './builtin/roms'

/** @throws AppError NOT_FOUND without our own ROM */
export const loadStandInRom = (resources: string, settings: Settings): Promise<StandInRom> =>
  loadCharacterRom(resources, romPathsIn(settings).character)
