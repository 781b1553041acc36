/** What the person may choose for all starts of a run: which options each format has, and how they read. */
import { chosenOptionsSchema, type ChosenOptions } from '@shared/contract/loopOptions'
import type { LoopName } from '@shared/contract/loops'
import { isMaestroSession } from '@shared/formats/systems'

const { maxTurns, maxCost, maxTime, maxIterations, maxSteps } = chosenOptionsSchema.shape
const MINUTE_MS = 60_000

/** @param unit of the option, in which the person gives it */
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
} as const
export type NumberOption = keyof typeof numberOptions

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
} as const
export type FlagOption = keyof typeof flagOptions

interface Offered {
  readonly numbers: readonly NumberOption[]
  readonly flags: readonly FlagOption[]
  /** Of a session of Maestro. */
  readonly hasMode: boolean
  /** One agent for all prompts: a batch has no roles to choose it by. */
  readonly hasAgent: boolean
}

const none = { numbers: [], flags: [], hasMode: false, hasAgent: false } as const

export function offeredOptions({ system, place }: Pick<LoopName, 'system' | 'place'>): Offered {
  switch (system) {
    case 'metashell':
      return { ...none, numbers: ['maxTurns', 'maxCost', 'maxTime'], flags: ['auto', 'runsChecks'] }
    case 'ncrew':
      return { ...none, numbers: ['maxIterations', 'maxTurns', 'maxCost', 'maxTime'], flags: ['auto'] }
    case 'maestro':
      return isMaestroSession(place)
        ? { ...none, numbers: ['maxTurns', 'maxCost', 'maxTime'], flags: ['auto'], hasMode: true }
        : { ...none, hasAgent: true }
    case 'tuning':
      return { ...none, numbers: ['maxSteps'], flags: ['auto', 'analyses'] }
  }
}

const isNumberOption = (name: string): name is NumberOption => Object.hasOwn(numberOptions, name)
const isFlagOption = (name: string): name is FlagOption => Object.hasOwn(flagOptions, name)

/** `5 turns at most, asks nobody`; empty where nothing is chosen. */
export function optionsText(options: ChosenOptions): string {
  const parts = Object.entries(options).flatMap(([name, value]) => {
    if (isNumberOption(name) && typeof value === 'number')
      return `${value / numberOptions[name].unit} ${numberOptions[name].label}`
    if (isFlagOption(name)) return value === true ? flagOptions[name].short : []
    return typeof value === 'string' ? value : []
  })
  return parts.join(', ')
}
