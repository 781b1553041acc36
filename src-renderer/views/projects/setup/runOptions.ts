import { chosenOptionsSchema, type ChosenOptions } from '@shared/contract/loopOptions'
import type { LoopName } from '@shared/contract/loops'
import { isMaestroSession } from '@shared/formats/systems'

const { maxTurns, maxCost, maxTime, maxIterations, maxSteps, ...more } = chosenOptionsSchema.shape
const MINUTE_MS = 60_000

const number = (
  label: string,
  schema: { unwrap(): { minValue: number | null; maxValue: number | null } },
  unit = 1,
) => {
  const { minValue, maxValue } = schema.unwrap()
  return { label, unit, min: (minValue ?? 0) / unit, max: (maxValue ?? Infinity) / unit }
}

export const numberOptions = {
  maxTurns: { ...number('turns at most', maxTurns), isWhole: true },
  maxIterations: { ...number('iterations at most', maxIterations), isWhole: true },
  maxSteps: { ...number('steps at most', maxSteps), isWhole: true },
  maxCost: { ...number('USD at most', maxCost), isWhole: false },
  maxTime: { ...number('minutes at most', maxTime, MINUTE_MS), isWhole: true },
  MAESTRO_AGENT_TIMEOUT: { ...number('minutes an agent may take', more.MAESTRO_AGENT_TIMEOUT), isWhole: true },
  MAESTRO_MAX_CONCURRENT: { ...number('agents at once (0: no limit)', more.MAESTRO_MAX_CONCURRENT), isWhole: true },
  MAESTRO_STAGGER_DELAY: { ...number('seconds between two starts', more.MAESTRO_STAGGER_DELAY), isWhole: true },
} as const
type NumberOption = keyof typeof numberOptions

export const flagOptions = {
  auto: {
    label: 'Ask nobody',
    short: 'asks nobody',
    about:
      'Questions are answered as recommended, or else with the first option, and gates are passed. Limits and failures still wait for you.',
  },
  runsChecks: {
    label: 'Run check commands without asking',
    short: 'runs checks',
    about: 'Runs the plan’s verification_cmd of each task once it is reported done, without showing it first.',
  },
  analyses: {
    label: 'Let the agent analyse the skill',
    short: 'analyses',
    about: 'Once in a run, by the agent that has the role of the analyst.',
  },
  worktreePerAgent: {
    label: 'A worktree for each agent at once',
    short: 'a worktree per agent',
    about:
      'Agents that work at once have a git worktree and a branch each. What completes a phase is merged; you merge or throw away the rest.',
  },
} as const
type FlagOption = keyof typeof flagOptions

export const textOptions = {
  MAESTRO_DEFAULT_MODEL: { label: 'model', schema: more.MAESTRO_DEFAULT_MODEL },
  MAESTRO_WRITER_MODEL: { label: 'model of the technical writer', schema: more.MAESTRO_WRITER_MODEL },
  MAESTRO_GEMINI_EXTRA_ARGS: { label: 'arguments added', schema: more.MAESTRO_GEMINI_EXTRA_ARGS },
} as const
export type TextOption = keyof typeof textOptions

interface Offered {
  readonly numbers: readonly NumberOption[]
  readonly flags: readonly FlagOption[]
  readonly texts: readonly TextOption[]
  readonly hasMode: boolean
  /** One agent for all prompts: a batch has no roles to choose it by. */
  readonly hasAgent: boolean
  readonly hasCleanup: boolean
}

const none = { numbers: [], flags: [], texts: [], hasMode: false, hasAgent: false, hasCleanup: false } as const
const dispatchNumbers = ['MAESTRO_AGENT_TIMEOUT', 'MAESTRO_MAX_CONCURRENT', 'MAESTRO_STAGGER_DELAY'] as const
const dispatchTexts = ['MAESTRO_DEFAULT_MODEL', 'MAESTRO_WRITER_MODEL', 'MAESTRO_GEMINI_EXTRA_ARGS'] as const
const dispatch = { ...none, numbers: dispatchNumbers, texts: dispatchTexts, hasCleanup: true }

export function offeredOptions({ system, place }: Pick<LoopName, 'system' | 'place'>): Offered {
  switch (system) {
    case 'metashell':
      return { ...none, numbers: ['maxTurns', 'maxCost', 'maxTime'], flags: ['auto', 'runsChecks'] }
    case 'ncrew':
      return { ...none, numbers: ['maxIterations', 'maxTurns', 'maxCost', 'maxTime'], flags: ['auto'] }
    case 'maestro':
      return isMaestroSession(place)
        ? {
            ...dispatch,
            numbers: ['maxTurns', 'maxCost', 'maxTime', ...dispatchNumbers],
            flags: ['auto', 'worktreePerAgent'],
            hasMode: true,
          }
        : { ...dispatch, flags: ['worktreePerAgent'], hasAgent: true }
    case 'tuning':
      return { ...none, numbers: ['maxSteps'], flags: ['auto', 'analyses'] }
  }
}

const isNumberOption = (name: string): name is NumberOption => Object.hasOwn(numberOptions, name)
const isTextOption = (name: string): name is TextOption => Object.hasOwn(textOptions, name)
const isFlagOption = (name: string): name is FlagOption => Object.hasOwn(flagOptions, name)

/** `5 turns at most, asks nobody`; empty where nothing is chosen. */
export function optionsText(options: ChosenOptions): string {
  const parts = Object.entries(options).flatMap(([name, value]) => {
    if (isNumberOption(name) && typeof value === 'number')
      return `${value / numberOptions[name].unit} ${numberOptions[name].label}`
    if (isFlagOption(name)) return value === true ? flagOptions[name].short : []
    if (name === 'MAESTRO_CLEANUP_DISPATCH') return value === 'true' ? 'removes prompts' : 'keeps prompts'
    if (isTextOption(name)) return `${textOptions[name].label} ${String(value)}`
    if (name === 'secondAgent') return `at a usage limit ${String(value)}`
    return typeof value === 'string' ? value : []
  })
  return parts.join(', ')
}
