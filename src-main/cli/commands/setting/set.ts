import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { commandTable } from '@shared/contract/contract'
import { describeIssues } from '@shared/contract/describeIssues'
import { AppError } from '@shared/contract/errors'
import { pathSettings, type Settings } from '@shared/contract/settings'
import { parseJson, type Json } from '@shared/json'
import type { BridgeClient } from '../../../bridge/client'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { required, text } from '../../parameters'
import { findSetting, settingChange } from '../../settingNames'
import { UsageError } from '../../usageError'
import { settingGroup as group } from './group'

export const settingSet = defineCommand({
  group,
  name: 'set',
  summary: 'Change a setting, such as a ROM file.',
  details: `${[...pathSettings, 'tasksHome'].join(', ')} take a path or none. Lists and maps are JSON. Machines take up ROM files when they next start.`,
  positionals: {
    name: required(text('NAME', 'The setting; setting get lists all.')),
    value: required(text('VALUE', 'Its new value.')),
  },
  data: { name: 'the setting', value: 'its new value' },
  examples: ['setting set standard ntsc', 'setting set viceSampling.rate 25', 'setting set kernalRom none'],
  run: async ({ output, signal, openSession, folder }, { name, value: written }) => {
    const { client } = await openSession()
    const settings = await client.call('settings.get', {}, signal)
    const before = findSetting(settings, name)
    if (name === 'agents') throw new UsageError('Agents are set up with agent add.', 'agent add')
    const changed = isPathSetting(name)
      ? await client.call('settings.setPaths', { [name]: pathOf(name, written, folder) }, signal)
      : await change(client, settingChange(settings, name, valueOf(written, before)), { name, written }, signal)
    const value = findSetting(changed, name)
    output.result({ name, value }, `${name} is ${value === null ? 'none' : JSON.stringify(value)}.`)
    return EXIT_OK
  },
})

const isPathSetting = (name: string): boolean => [...pathSettings, 'tasksHome'].includes(name)

/** @throws AppError NOT_FOUND for a file that is not there */
function pathOf(name: string, written: string, folder: string): string | null {
  if (written === 'none' || written === '') return null
  const path = resolve(folder, written)
  if (name !== 'tasksHome' && !existsSync(path)) throw new AppError('NOT_FOUND', `There is no file ${written}.`)
  return path
}

/** JSON where it is valid, else the text itself. A text setting stays text, as a model may look like a number. */
function valueOf(written: string, before: Json): Json {
  if (written === 'none') return null
  if (typeof before === 'string' && !written.startsWith('"')) return written
  try {
    return parseJson(written, '')
  } catch {
    return written
  }
}

function change(
  client: BridgeClient,
  input: object,
  { name, written }: { name: string; written: string },
  signal: AbortSignal,
): Promise<Settings> {
  const { data, error } = commandTable['settings.set'].input.safeParse(input)
  if (data) return client.call('settings.set', data, signal)
  throw new UsageError(`${name} cannot be “${written}”: ${describeIssues(error.issues)}.`, 'setting set')
}
