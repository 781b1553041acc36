/**
 * Settings as Maestro's scripts resolve them: the person's choice, environment, the workspace's `.env`, the extension's
 * `.env`, default. Its `.env` is a dialect that a general dotenv library reads differently.
 */

import type { settingSources } from '@shared/contract/loopOptions'

type SettingSource = (typeof settingSources)[number]

export interface Setting {
  readonly value: string
  readonly source: SettingSource
}

export interface SettingLayers {
  readonly chosen?: Readonly<Record<string, string | undefined>>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workspace?: string | undefined
  readonly extension?: string | undefined
}

export const DEFAULT_STATE_DIR = '.gemini'
export const NEWER_STATE_DIR = 'docs/maestro'

/**
 * No trimming around `=`, no escapes, no expansion. One pair of quotes is removed, `#` after a space outside quotes
 * starts a comment, and of equal keys the last wins.
 */
export function parseEnv(text: string): Map<string, string> {
  const variables = new Map<string, string>()
  for (const line of text.split('\n')) {
    const content = line.trim().replace(/^export\s+/, '')
    const equals = content.indexOf('=')
    if (equals < 1 || content.startsWith('#')) continue
    variables.set(content.slice(0, equals), unquote(withoutComment(content.slice(equals + 1))))
  }
  return variables
}

function withoutComment(value: string): string {
  let quote = ''
  for (let at = 0; at < value.length; at++) {
    const character = value.charAt(at)
    if (quote !== '') {
      if (character === quote && value[at - 1] !== '\\') quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '#' && /\s/.test(value[at - 1] ?? '')) return value.slice(0, at).trimEnd()
  }
  return value
}

/** Maestro treats a single quote character as both of a pair. */
const unquote = (value: string): string => (/^"(?:[^]*")?$|^'(?:[^]*')?$/.test(value) ? value.slice(1, -1) : value)

/** An empty value counts as not set, in every layer. */
export function resolveSetting(name: string, layers: SettingLayers, fallback: string): Setting {
  const candidates: [SettingSource, string | undefined][] = [
    ['your choice', layers.chosen?.[name]],
    ['environment', layers.environment[name]],
    ['workspace .env', parseEnv(layers.workspace ?? '').get(name)],
    ['extension .env', parseEnv(layers.extension ?? '').get(name)],
  ]
  for (const [source, value] of candidates) if (value) return { value, source }
  return { value: fallback, source: 'default' }
}

export const stateDirSetting = (layers: SettingLayers): Setting =>
  resolveSetting('MAESTRO_STATE_DIR', layers, DEFAULT_STATE_DIR)
