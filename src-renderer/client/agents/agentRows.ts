import type { AgentRun, agentStreams, LogStream } from '@shared/contract/agents'
import { counted } from '@shared/countedText'
import type { ChosenOf } from '../viewChoices'

export type Filter = ChosenOf<'agents.filter'>

export const isLive = ({ state }: AgentRun): boolean => state !== 'ended'

const isFailed = ({ state, status, stillAlive }: AgentRun): boolean =>
  state === 'ended' && (status !== 'success' || stillAlive.length > 0)

const fits: Readonly<Record<Filter, (run: AgentRun) => boolean>> = {
  all: () => true,
  live: isLive,
  ended: (run) => !isLive(run),
  failed: isFailed,
}

/** Live runs first, then the newest. */
export const rowsOf = (runs: Iterable<AgentRun>, filter: Filter): AgentRun[] =>
  [...runs].filter(fits[filter]).sort((a, b) => Number(isLive(b)) - Number(isLive(a)) || (a.run < b.run ? 1 : -1))

export function stateOf({ state, status, stillAlive, pid }: AgentRun): {
  readonly word: string
  readonly tone: string
} {
  if (state === 'waiting') return { word: 'waiting', tone: 'off' }
  if (state === 'running') return { word: 'running', tone: 'ok' }
  if (state === 'stopping') return { word: 'stopping', tone: 'warn' }
  if (state === 'left') return { word: `still running: pid ${pid ?? '?'}`, tone: 'warn' }
  if (stillAlive.length > 0) return { word: `still alive: pid ${stillAlive.join(', ')}`, tone: 'bad' }
  switch (status) {
    case 'success':
      return { word: 'done', tone: 'ok' }
    case 'stopped':
      return { word: 'stopped', tone: 'off' }
    case 'limit':
      return { word: 'at its limit', tone: 'warn' }
    case 'timeout':
      return { word: 'out of time', tone: 'bad' }
    default:
      return { word: 'failed', tone: 'bad' }
  }
}

export const purposeText = ({ turn, purpose }: Pick<AgentRun, 'turn' | 'purpose'>): string =>
  turn === null ? purpose : `${turn.folder}: ${turn.role}${turn.task === null ? '' : ` ${turn.task}`}`

type Stream = (typeof agentStreams)[number]
type Logs = Pick<AgentRun, Stream>

const streamTitles: Readonly<Record<LogStream, string>> = { prompt: 'Prompt', output: 'Output', errors: 'Errors' }

export const streamTitle = (run: Logs, stream: LogStream): string =>
  stream === 'prompt' ? streamTitles.prompt : `${streamTitles[stream]} ${run[stream].lines}`

export const streamWithText = ({ output, errors }: Logs): Stream =>
  output.lines === 0 && errors.lines > 0 ? 'errors' : 'output'

/** In ms; null when it has not run. */
export const elapsed = ({ startedAt, endedAt }: AgentRun, now: number): number | null =>
  startedAt === null ? null : Math.max(0, (endedAt ?? now) - startedAt)

/** `163 tokens, $0.25, 4 turns`; `≈ $0.25` where the cost was worked out. */
export const usedText = ({
  tokens,
  cost,
  pricesOf,
  turns,
}: Pick<AgentRun, 'tokens' | 'cost' | 'pricesOf' | 'turns'>): string =>
  [
    tokens === null ? '' : `${tokens.toLocaleString('en')} tokens`,
    cost === null ? '' : `${pricesOf === undefined ? '' : '≈ '}$${cost.toFixed(cost < 0.1 ? 4 : 2)}`,
    turns === null ? '' : counted(turns, 'turn'),
  ]
    .filter(Boolean)
    .join(', ')

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const power = Math.min(3, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(1)} ${['', 'KiB', 'MiB', 'GiB'][power] ?? ''}`
}
