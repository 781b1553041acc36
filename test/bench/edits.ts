/** Edits: what becomes of a person's answers when agents rewrite the same files within 50 ms of them. */
import { raceEdits } from '../support/editRaces'
import { answerUnderRewrites } from '../support/answersUnderRewrites'
import { median, type Row } from './row'

const RACES = 10_000
const LANES = 80
const ANSWERS = 300
const ANSWER_TARGET_MS = 2_000

export default async function edits(): Promise<Row[]> {
  const start = performance.now()
  const { merged, conflicts, dropped, raced, lost } = await raceEdits(RACES, LANES)
  if (lost.length > 0)
    throw new Error(`${lost.length} of ${RACES} races lost something and told nobody: ${lost.slice(0, 5).join(' ')}`)
  const minutes = (performance.now() - start) / 60_000
  return [
    {
      name: `races of an answer with a rewrite, lost`,
      value: lost.length,
      unit: `of ${RACES}`,
      target: 'none',
      met: true,
      note: `in ${minutes.toFixed(1)} minutes; renamed over, written at once and in pieces`,
    },
    { name: 'both in the file', value: merged, unit: '' },
    { name: 'refused as a conflict', value: conflicts, unit: '' },
    { name: 'dropped by the agent’s later write, and told', value: dropped, unit: '' },
    {
      name: 'found by the watcher alone, and told',
      value: raced,
      unit: '',
      note: 'the agent renamed its file within the microseconds between link and rename',
    },
    ...(await answersAt(200)),
    ...(await answersAt(20)),
  ]
}

async function answersAt(interval: number): Promise<Row[]> {
  const { times, missing, dropped } = await answerUnderRewrites({
    questions: ANSWERS,
    answers: ANSWERS,
    interval,
    writes: 'renamed',
  })
  const slowest = Math.max(...times)
  const soon = times.filter((time) => time <= ANSWER_TARGET_MS).length
  return [
    {
      name: `answers within 2 s, the file rewritten each ${interval} ms`,
      value: soon,
      unit: `of ${ANSWERS}`,
      target: 'all',
      met: soon === ANSWERS,
      note: `median ${median(times).toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms; ${missing.length} refused, ${dropped} dropped later`,
    },
  ]
}
