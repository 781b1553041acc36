import { expect, it } from 'vitest'
import { answerUnderRewrites } from '../support/answersUnderRewrites'

it.each([
  ['renames a new version over', 'renamed'],
  ['empties and writes', 'at once'],
] as const)(
  'every answer is written and stays while an agent %s the file every 20 ms',
  async (_, writes) => {
    const { times, missing, dropped } = await answerUnderRewrites({ questions: 100, answers: 12, interval: 20, writes })
    expect(missing).toEqual([])
    expect(dropped).toBe(0)
    expect(times).toHaveLength(12)
  },
  300_000,
)
