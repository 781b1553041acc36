import type { StandInRom } from '@shared/c64/standInRom'
import type { Settings } from '@shared/contract/settings'
import { loadCharacterRom, romPathsIn } from './builtin/roms'

/** The character ROM of the person's settings or of an installed VICE, else our own. @throws AppError NOT_FOUND without our own */
export const loadStandInRom = (resources: string, settings: Settings): Promise<StandInRom> =>
  loadCharacterRom(resources, romPathsIn(settings).character)
