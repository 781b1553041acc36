import type { Input } from '@shared/contract/contract'
import type { Settings } from '@shared/contract/settings'
import { changeSettings, useSettingsState } from '../../client/settings'
import type { SettingRow } from '../../client/settingRows'

interface SettingChoice<Value extends string = string> {
  readonly options: Readonly<Record<Value, string>>
  readonly valueOf: (settings: Settings) => Value
  /** A value that it does not have changes nothing. */
  readonly changeTo: (value: string, settings: Settings) => Input<'settings.set'>
}

function choice<Value extends string>(
  options: Readonly<Record<Value, string>>,
  valueOf: (settings: Settings) => Value,
  changeTo: (value: Value, settings: Settings) => Input<'settings.set'>,
): SettingChoice<Value> {
  const isValue = (value: string): value is Value => Object.hasOwn(options, value)
  return { options, valueOf, changeTo: (value, settings) => (isValue(value) ? changeTo(value, settings) : {}) }
}

const onOff = { on: 'On', off: 'Off' } as const

export const settingChoices = {
  standard: choice(
    { pal: 'PAL', ntsc: 'NTSC' },
    ({ standard }) => standard,
    (standard) => ({ standard }),
  ),
  ciaModel: choice(
    { '6526': '6526', '8521': '8521' },
    ({ ciaModel }) => ciaModel,
    (ciaModel) => ({ ciaModel }),
  ),
  vicModel: choice(
    { '6569': '6569', '8565': '8565' },
    ({ vicModel }) => vicModel,
    (vicModel) => ({ vicModel }),
  ),
  useViceRoms: choice(
    onOff,
    ({ useViceRoms }) => (useViceRoms ? 'on' : 'off'),
    (value) => ({ useViceRoms: value === 'on' }),
  ),
  viceSampling: choice(
    { auto: 'Automatic', off: 'Off', free: 'Free-running', lockStep: 'Lock-step' },
    ({ viceSampling }) => viceSampling.mode,
    (mode, { viceSampling }) => ({ viceSampling: { ...viceSampling, mode } }),
  ),
  keyMapping: choice(
    { symbolic: 'By character', positional: 'By place' },
    ({ keyMapping }) => keyMapping,
    (keyMapping) => ({ keyMapping }),
  ),
  runningKeys: choice(
    { standard: 'Bridgedeck', vsCode: 'VS Code', retroDebugger: 'RetroDebugger' },
    ({ runningKeys }) => runningKeys,
    (runningKeys) => ({ runningKeys }),
  ),
  joystickPort: choice(
    { '1': 'Port 1', '2': 'Port 2' },
    ({ joystickPort }) => (joystickPort === 1 ? '1' : '2'),
    (port) => ({ joystickPort: port === '1' ? 1 : 2 }),
  ),
  notifications: choice(
    onOff,
    ({ notifications }) => (notifications ? 'on' : 'off'),
    (value) => ({ notifications: value === 'on' }),
  ),
} as const satisfies Partial<Record<SettingRow, SettingChoice>>

export type ChosenSetting = keyof typeof settingChoices

const isChosenSetting = (name: string): name is ChosenSetting => Object.hasOwn(settingChoices, name)
export const chosenSettings = Object.keys(settingChoices).filter(isChosenSetting)

export const settingChoice = (row: ChosenSetting): SettingChoice => settingChoices[row]

export const chooseSetting = (row: ChosenSetting, value: string): void =>
  changeSettings(settingChoice(row).changeTo(value, useSettingsState.getState().settings))
