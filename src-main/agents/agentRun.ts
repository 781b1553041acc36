import { randomBytes } from 'node:crypto'
import { modelSchema, type Agent, type AgentRun } from '@shared/contract/agents'
import { AppError } from '@shared/contract/errors'
import type { AgentRequest, AgentResult } from './agent'
import type { AgentProcess } from './agentProcess'
import { inertText, type LogFile } from './logFile'
import type { PriceFile } from './prices/priceFile'

/** Begins with the time, so that ids sort by their start. */
export const newRunId = (): string => `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(6).toString('hex')}`

export const newRun = (request: AgentRequest, agent: Agent): AgentRun => ({
  run: newRunId(),
  agent: agent.name,
  preset: agent.preset,
  purpose: inertText(request.purpose).slice(0, 2_000),
  turn: request.turn ?? null,
  model: agent.model,
  state: 'waiting',
  askedAt: Date.now(),
  startedAt: null,
  endedAt: null,
  pid: null,
  status: null,
  reason: '',
  exitCode: null,
  stillAlive: [],
  ...noProgress,
})

type Progress = Pick<AgentRun, 'tokens' | 'uses' | 'cost' | 'turns' | 'lastLine' | 'output' | 'errors'>

const noProgress: Progress = {
  tokens: null,
  cost: null,
  turns: null,
  lastLine: '',
  output: { bytes: 0, lines: 0 },
  errors: { bytes: 0, lines: 0 },
}

export function progressOf(process: AgentProcess | undefined): Progress {
  if (!process) return noProgress
  const { tokens, uses, cost, turns } = process.used
  const sizes = (log: LogFile) => ({ bytes: log.counted, lines: log.lines })
  return {
    tokens,
    ...(uses.length > 0 ? { uses: [...uses] } : {}),
    cost,
    turns,
    lastLine: inertText(process.lastLine),
    output: sizes(process.output),
    errors: sizes(process.errors),
  }
}

export const pricedBy = (
  prices: PriceFile | undefined,
  { uses = [], cost }: Pick<AgentRun, 'uses' | 'cost'>,
  agent: Pick<AgentRun, 'preset' | 'model'>,
): Pick<AgentRun, 'cost' | 'pricesOf'> => prices?.costOf({ uses, cost }, agent) ?? { cost }

export const isSameProgress = (one: Progress, other: Progress): boolean =>
  one.output.bytes === other.output.bytes &&
  one.errors.bytes === other.errors.bytes &&
  one.tokens === other.tokens &&
  one.turns === other.turns

export const resultOf = (run: AgentRun, data: string): AgentResult => ({
  status: run.status ?? 'stopped',
  agent: run.agent,
  data,
  reason: run.status === 'success' ? '' : run.reason,
  refusal: run.refusal,
  tokens: run.tokens,
  cost: run.cost,
  ...(run.pricesOf === undefined ? {} : { pricesOf: run.pricesOf }),
  duration: (run.endedAt ?? Date.now()) - (run.startedAt ?? run.askedAt),
  exitCode: run.exitCode,
  stillAlive: run.stillAlive,
  log: run.run,
})

/** @throws AppError INVALID for what would be no model on a command line */
export function requireModel(model: string | undefined): string | undefined {
  if (model === undefined || modelSchema.safeParse(model).success) return model
  throw new AppError('INVALID', `${JSON.stringify(model.slice(0, 100))} is no name of a model.`)
}
