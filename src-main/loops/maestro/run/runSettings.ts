import type { SessionSettingName } from '@shared/contract/loopOptions'
import type { LogLevel } from '@shared/contract/loops'
import { resolveSetting, type Setting, type SettingLayers } from '../../../formats/maestro/settings'
import { strictnesses, type Strictness } from './judgeReport'

export type SessionSettingTexts = Readonly<Record<SessionSettingName, Setting>>

export interface RunSettings {
  readonly mode: 'parallel' | 'sequential' | null
  readonly maxRetries: number | null
  readonly strictness: Strictness
  readonly archives: boolean
}

export const resolveRunSettings = (layers: SettingLayers): SessionSettingTexts => ({
  MAESTRO_EXECUTION_MODE: resolveSetting('MAESTRO_EXECUTION_MODE', layers, 'ask'),
  MAESTRO_MAX_RETRIES: resolveSetting('MAESTRO_MAX_RETRIES', layers, '2'),
  MAESTRO_VALIDATION_STRICTNESS: resolveSetting('MAESTRO_VALIDATION_STRICTNESS', layers, 'normal'),
  MAESTRO_AUTO_ARCHIVE: resolveSetting('MAESTRO_AUTO_ARCHIVE', layers, 'true'),
})

/** Unknown words count as the strictest setting, and ask the person. */
export function readRunSettings(texts: SessionSettingTexts, log: (level: LogLevel, text: string) => void): RunSettings {
  const word = (name: SessionSettingName) => texts[name].value.trim().toLowerCase()
  const strange = (name: SessionSettingName, taken: string) =>
    log('warn', `${name} is “${texts[name].value}”, which is none of its values; using ${taken}.`)
  const mode = word('MAESTRO_EXECUTION_MODE')
  const strictness = strictnesses.find((known) => known === word('MAESTRO_VALIDATION_STRICTNESS'))
  const archives = word('MAESTRO_AUTO_ARCHIVE')
  if (!['ask', 'parallel', 'sequential'].includes(mode)) strange('MAESTRO_EXECUTION_MODE', 'ask')
  if (strictness === undefined) strange('MAESTRO_VALIDATION_STRICTNESS', 'strict')
  if (!['true', 'false'].includes(archives)) strange('MAESTRO_AUTO_ARCHIVE', 'false')
  const retries = word('MAESTRO_MAX_RETRIES')
  return {
    mode: mode === 'parallel' || mode === 'sequential' ? mode : null,
    maxRetries: /^\d{1,4}$/.test(retries) ? Number(retries) : null,
    strictness: strictness ?? 'strict',
    archives: archives === 'true',
  }
}
