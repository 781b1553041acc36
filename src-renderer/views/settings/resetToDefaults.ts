import { defaultSettings } from '@shared/contract/settings'
import { changeSettings } from '../../client/settings'

/** Keeps files, programs and agents. */
export function resetToDefaults(): void {
  changeSettings({
    standard: defaultSettings.standard,
    ciaModel: defaultSettings.ciaModel,
    vicModel: defaultSettings.vicModel,
    history: defaultSettings.history,
    useViceRoms: defaultSettings.useViceRoms,
    viceSampling: defaultSettings.viceSampling,
    runningKeys: defaultSettings.runningKeys,
    keyMapping: defaultSettings.keyMapping,
    keyOverrides: defaultSettings.keyOverrides,
    joystickKeys: defaultSettings.joystickKeys,
    joystickPort: defaultSettings.joystickPort,
    recordings: defaultSettings.recordings,
  })
}
