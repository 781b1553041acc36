import { describe, expect, it } from 'vitest'
import { defaultSettings } from '@shared/contract/settings'
import type { JsonObject } from '@shared/json'
import { findSetting, listSettings, settingChange } from './settingNames'

const settings: JsonObject = defaultSettings

describe('settings by name', () => {
  it('are listed with those of a group after a dot, and maps of keys whole', () => {
    const names = listSettings(settings).map(([name]) => name)
    expect(names).toEqual(expect.arrayContaining(['standard', 'viceSampling.rate', 'tasks.resume', 'joystickKeys']))
    expect(names).not.toContain('viceSampling')
  })

  it('are found alone and as a group', () => {
    expect(findSetting(settings, 'standard')).toBe(defaultSettings.standard)
    expect(findSetting(settings, 'viceSampling.rate')).toBe(defaultSettings.viceSampling.rate)
    expect(findSetting(settings, 'viceSampling')).toEqual(defaultSettings.viceSampling)
  })

  it.each(['standart', 'viceSampling.speed', 'toString', '__proto__'])('%s is none', (name) => {
    expect(() => findSetting(settings, name)).toThrow(/no setting/)
  })

  it('change together with the rest of their group', () => {
    expect(settingChange(settings, 'viceSampling.rate', 25)).toEqual({
      viceSampling: { ...defaultSettings.viceSampling, rate: 25 },
    })
    expect(settingChange(settings, 'standard', 'ntsc')).toEqual({ standard: 'ntsc' })
    expect(settingChange(settings, 'joystickKeys', {})).toEqual({ joystickKeys: {} })
  })
})
