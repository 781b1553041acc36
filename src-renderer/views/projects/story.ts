import type { Run, RunNeed } from '@shared/contract/orchestration'
import { visibleText } from '../../widgets/visibleText'
import { agoText } from './labels'
import type { Rest } from './loopState'

/** One sentence in three parts: `Phase 3 of 5, `, the phase's title, ` failed 4 days ago; 2 phases wait for it`. */
export interface StoryLine {
  readonly before: string
  readonly title: string
  readonly after: string
}

type ToldRun = Pick<Run, 'story' | 'state' | 'reason' | 'needs' | 'updatedAt' | 'writtenAt' | 'stale' | 'work'>

/** @param rest how it only waits to be resumed, whatever its files say */
export function storyLine(run: ToldRun, now: number, rest: Rest | null = null): StoryLine {
  const { phases, phase } = run.story
  const what = happening(run, now, rest)
  if (run.stale !== null || phase === null || run.state.value === 'done') {
    const first = what.slice(0, 1).toUpperCase() + what.slice(1)
    return { before: first, title: '', after: phases.total > 0 && run.state.value !== 'done' ? `, ${share(run)}` : '' }
  }
  const before = `Phase ${phase.number} of ${phases.total}`
  const title = visibleText(phase.title)
  const { done, total } = phase.tasks
  const tasks = total === 0 ? '' : `, ${done} of ${total} tasks done`
  const waiting = phase.waiting === 0 ? '' : `; ${counted(phase.waiting, 'phase')} ${waits(phase.waiting)} for it`
  return { before: title === '' ? before : `${before}, `, title, after: `${tasks}, ${what}${waiting}` }
}

export const storyText = (run: ToldRun, now: number): string => {
  const { before, title, after } = storyLine(run, now)
  return `${before}${title}${after}.`
}

const waits = (count: number): string => (count === 1 ? 'waits' : 'wait')
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const share = ({ story: { phases } }: ToldRun): string => `${phases.done} of ${counted(phases.total, 'phase')} done`

const asks: Readonly<Record<RunNeed['kind'], string>> = {
  question: 'needs your answer',
  gate: 'needs your approval',
  approval: 'needs your approval',
  failure: 'needs a decision after a failure',
  limit: 'stopped at a limit',
  unreadable: 'needs a look at its files',
}

function happening(run: ToldRun, now: number, rest: Rest | null): string {
  const { state, story, needs, updatedAt, writtenAt, stale, reason } = run
  if (stale !== null) return 'its files cannot be read: this is the last valid version'
  const ago = (time: number | null): string => (time === null ? '' : ` ${agoText(time, now)}`)
  const lastWrite = updatedAt.value ?? writtenAt
  const phase = story.phase
  if (phase?.state === 'failed' || state.value === 'failed') {
    const retries = phase?.retries ? ` after ${phase.retries} ${phase.retries === 1 ? 'retry' : 'retries'}` : ''
    return `failed${ago(phase?.state === 'failed' ? phase.since : lastWrite)}${retries}`
  }
  if (rest === 'ready') return 'ready to be resumed'
  if (rest !== null) return `${rest}, last write${ago(writtenAt) || ' unknown'}`
  switch (state.value) {
    case 'planning':
      return `in planning, last write${ago(writtenAt) || ' unknown'}`
    case 'running':
      return `running by its files, last write${ago(writtenAt) || ' unknown'}`
    case 'ready':
      return 'ready to be resumed'
    case 'waiting':
    case 'gate': {
      const [need] = needs
      const ask = need ? asks[need.kind] : 'waits for a decision'
      const since = need?.since.value ?? null
      return since === null ? ask : `${ask}, asked${ago(since)}`
    }
    case 'limit':
      return `stopped at a limit${ago(lastWrite)}`
    case 'done':
      return `${allOf(run)} done, last write${ago(lastWrite) || ' unknown'}`
    case null:
      return reason.value !== null
        ? phraseOf(reason.value)
        : `unknown status${state.written === undefined ? '' : ` “${visibleText(state.written)}”`}`
  }
}

const phraseOf = (sentence: string): string =>
  visibleText(sentence)
    .replace(/\.$/, '')
    .replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase())

function allOf({ story: { phases }, work }: ToldRun): string {
  if (phases.total === 0) return work.total === 0 ? 'everything' : `${work.done} of ${counted(work.total, 'task')}`
  return phases.done === phases.total
    ? `all ${counted(phases.total, 'phase')}`
    : `${phases.done} of ${counted(phases.total, 'phase')}`
}
