import { describe, expect, it } from 'vitest'
import type { EditRequest, OfferedAction } from '@shared/contract/edits'
import { UnattendedAnswers } from './unattendedAnswers'

const question: OfferedAction = {
  name: 'answer',
  target: '',
  title: 'Answer: Which tapes',
  effect: '',
  fields: [],
  answersNeed: true,
  source: { file: 'q.md', line: 1 },
}

function answersTo(...offered: readonly OfferedAction[]) {
  const written: EditRequest[] = []
  const said: string[] = []
  const answers = new UnattendedAnswers(
    {
      offered: () => Promise.resolve(offered),
      write: (request) => {
        written.push(request)
        return Promise.resolve({ outcome: 'written', edit: 1, summary: 'Answered “Which tapes”' })
      },
    },
    (_level, text) => said.push(text),
  )
  return { answers, written, said }
}

describe('a start that asks nobody', () => {
  it('answers as the format recommends, and says what it answered', async () => {
    const { answers, written, said } = answersTo({
      ...question,
      unattended: { decision: 'Option B', reason: 'As recommended' },
    })
    expect(await answers.answer()).toBe(true)
    expect(written).toEqual([
      { kind: 'action', name: 'answer', target: '', values: { decision: 'Option B', reason: 'As recommended' } },
    ])
    expect(said).toEqual(['Without asking: Answered “Which tapes”: Option B; As recommended'])
  })

  it.each([
    ['a question that nobody recommends an answer to', question],
    ['an action that answers no need', { ...question, answersNeed: false, unattended: {} }],
  ])('leaves %s to a person', async (_, action) => {
    const { answers, written } = answersTo(action)
    expect(await answers.answer()).toBe(false)
    expect(written).toEqual([])
  })

  it('leaves what comes back again and again to a person', async () => {
    const { answers, written } = answersTo({ ...question, unattended: {} })
    const answered = []
    for (let time = 1; time <= 5; time++) answered.push(await answers.answer())
    expect(answered).toEqual([true, true, true, false, false])
    expect(written).toHaveLength(3)
  })
})
