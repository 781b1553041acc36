/**
 * The first that has a setting decides: the person's choice for the run, the environment, the working folder's `.env`,
 * the extension's `.env`, its default.
 */
import { modelSchema } from '@shared/contract/agents'
import { AppError } from '@shared/contract/errors'
import {
  dispatchSettingNames,
  MAX_AGENT_MINUTES,
  MAX_DISPATCH_COUNT,
  type ChosenOptions,
  type DispatchSettingName,
} from '@shared/contract/loopOptions'
import { resolveSetting, type Setting, type SettingLayers } from '../../../formats/maestro/settings'
import { wordsOf } from './words'

const defaults: Readonly<Record<DispatchSettingName, string>> = {
  MAESTRO_DEFAULT_MODEL: '',
  MAESTRO_WRITER_MODEL: '',
  MAESTRO_AGENT_TIMEOUT: '10',
  MAESTRO_MAX_CONCURRENT: '0',
  MAESTRO_STAGGER_DELAY: '5',
  MAESTRO_GEMINI_EXTRA_ARGS: '',
  MAESTRO_CLEANUP_DISPATCH: 'false',
}

export type SettingTexts = Readonly<Record<DispatchSettingName, Setting>>

export interface DispatchSettings {
  readonly model: string | null
  readonly writerModel: string | null
  /** Minutes. */
  readonly timeout: number
  /** Agents at once; 0 for no limit. */
  readonly concurrency: number
  /** Seconds between two starts. */
  readonly stagger: number
  readonly extraArgs: readonly string[]
  readonly removesPrompts: boolean
  readonly warnings: readonly string[]
}

const LONG_TIMEOUT_MINUTES = 60

export const chosenSettings = (options: ChosenOptions): Partial<Record<DispatchSettingName, string>> =>
  Object.fromEntries(
    dispatchSettingNames.flatMap((name) => (options[name] === undefined ? [] : [[name, String(options[name])]])),
  )

export const resolveSettings = (layers: SettingLayers): SettingTexts => ({
  MAESTRO_DEFAULT_MODEL: resolve('MAESTRO_DEFAULT_MODEL', layers),
  MAESTRO_WRITER_MODEL: resolve('MAESTRO_WRITER_MODEL', layers),
  MAESTRO_AGENT_TIMEOUT: resolve('MAESTRO_AGENT_TIMEOUT', layers),
  MAESTRO_MAX_CONCURRENT: resolve('MAESTRO_MAX_CONCURRENT', layers),
  MAESTRO_STAGGER_DELAY: resolve('MAESTRO_STAGGER_DELAY', layers),
  MAESTRO_GEMINI_EXTRA_ARGS: resolve('MAESTRO_GEMINI_EXTRA_ARGS', layers),
  MAESTRO_CLEANUP_DISPATCH: resolve('MAESTRO_CLEANUP_DISPATCH', layers),
})

const resolve = (name: DispatchSettingName, layers: SettingLayers): Setting =>
  resolveSetting(name, layers, defaults[name])

export function readSettings(texts: SettingTexts): DispatchSettings {
  const timeout = integer(texts, 'MAESTRO_AGENT_TIMEOUT', 'positive', {
    count: MAX_AGENT_MINUTES,
    unit: ' minutes',
  })
  const extra = texts.MAESTRO_GEMINI_EXTRA_ARGS.value
  const extraArgs = wordsOf(extra)
  const hasDeprecated = extraArgs.some((word) => word === '--allowed-tools' || word.startsWith('--allowed-tools='))
  return {
    model: model(texts, 'MAESTRO_DEFAULT_MODEL'),
    writerModel: model(texts, 'MAESTRO_WRITER_MODEL'),
    timeout,
    concurrency: integer(texts, 'MAESTRO_MAX_CONCURRENT', 'non-negative'),
    stagger: integer(texts, 'MAESTRO_STAGGER_DELAY', 'non-negative'),
    extraArgs,
    removesPrompts: texts.MAESTRO_CLEANUP_DISPATCH.value === 'true',
    warnings: [
      ...(timeout > LONG_TIMEOUT_MINUTES ? [`MAESTRO_AGENT_TIMEOUT is ${timeout} minutes for each agent.`] : []),
      ...(/["']/.test(extra)
        ? ['MAESTRO_GEMINI_EXTRA_ARGS has quotes: Maestro’s own dispatcher splits it at every blank.']
        : []),
      ...(hasDeprecated ? ['--allowed-tools is deprecated in MAESTRO_GEMINI_EXTRA_ARGS; use --policy instead.'] : []),
    ],
  }
}

function integer(
  texts: SettingTexts,
  name: DispatchSettingName,
  kind: 'positive' | 'non-negative',
  most = { count: MAX_DISPATCH_COUNT, unit: '' },
): number {
  const { value } = texts[name]
  const number = Number(value)
  if (!/^[0-9]+$/.test(value) || (kind === 'positive' && number === 0))
    throw new AppError('INVALID', `${name} must be a ${kind} integer (got: ${value})`)
  if (number > most.count)
    throw new AppError('INVALID', `${name} must be at most ${most.count}${most.unit} (got: ${value})`)
  return number
}

function model(texts: SettingTexts, name: DispatchSettingName): string | null {
  const { value } = texts[name]
  if (value === '') return null
  if (modelSchema.safeParse(value).success) return value
  throw new AppError('INVALID', `${name} must be the name of a model (got: ${value})`)
}

/** Security: what a project's `.env` adds to command lines, which a person must have seen once. */
export const foreignWords = (texts: SettingTexts): string =>
  dispatchSettingNames
    .filter((name) => ['MAESTRO_DEFAULT_MODEL', 'MAESTRO_WRITER_MODEL', 'MAESTRO_GEMINI_EXTRA_ARGS'].includes(name))
    .filter((name) => texts[name].source === 'workspace .env')
    .map((name) => `${name}=${texts[name].value}`)
    .join('\n')
