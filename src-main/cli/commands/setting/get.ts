import type { Json } from '@shared/json'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { text } from '../../parameters'
import { findSetting, listSettings } from '../../settingNames'
import { table } from '../../printed'
import { settingGroup as group } from './group'

export const settingGet = defineCommand({
  group,
  name: 'get',
  summary: 'Show all settings, or the value of one.',
  positionals: { name: text('NAME', 'The setting.') },
  data: { 'settings?': 'all, by their groups', 'name?': 'of the one', 'value?': 'of the one' },
  examples: ['setting get', 'setting get viceSampling.rate'],
  run: async ({ output, signal, openSession }, { name }) => {
    const { client } = await openSession()
    const settings = await client.call('settings.get', {}, signal)
    if (name === undefined) {
      output.result({ settings }, table(listSettings(settings).map(([known, value]) => [known, shown(value)])))
    } else {
      const value = findSetting(settings, name)
      output.result({ name, value }, shown(value))
    }
    return EXIT_OK
  },
})

const shown = (value: Json): string =>
  value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)
