import { describe, expect, it } from 'vitest'
import { defaultSettings, settingsSchema } from '@shared/contract/settings'
import { chosenSettings, settingChoice } from './settingChoices'

describe('a setting that is a choice', () => {
  it.each(chosenSettings)('%s takes each of its values', (row) => {
    const { options, valueOf, changeTo } = settingChoice(row)
    for (const value of Object.keys(options)) {
      const changed = settingsSchema.parse({ ...defaultSettings, ...changeTo(value, defaultSettings) })
      expect(valueOf(changed)).toBe(value)
    }
  })

  it('is left alone by a value that it does not have', () => {
    expect(settingChoice('viceSampling').changeTo('sometimes', defaultSettings)).toEqual({})
  })
})
