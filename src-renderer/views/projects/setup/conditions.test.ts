import { describe, expect, it } from 'vitest'
import type { Run, RunNeed } from '@shared/contract/orchestration'
import { gitStateOf, obstacleOf, openQuestion } from './conditions'

const question: RunNeed = {
  kind: 'question',
  title: 'Which format?',
  detail: '',
  options: [],
  unblocks: [],
  source: { file: 'q.md' },
  since: { value: null, source: null },
}
const run = (value: Run['state']['value'], needs: Run['needs']) => ({ state: { value, source: null }, needs })
const ready = { missing: [], hasRepository: true }
const metashell = { system: 'metashell' } as const

describe('what a run needs before it can go on', () => {
  it('is the answer to the question that it waits for', () => {
    expect(openQuestion(run('waiting', [question]))).toBe(question)
    expect(openQuestion(run('running', [question]))).toBeUndefined()
    expect(openQuestion(run('waiting', [{ ...question, kind: 'failure' }]))).toBeUndefined()
    expect(obstacleOf(metashell, ready, question)).toContain('Answer its question first.')
  })

  it('is git where its agents commit', () => {
    const states = ([true, false, null] as const).map((hasRepository) => gitStateOf(metashell, { hasRepository }))
    expect(states).toEqual(['there', 'required', 'unknown'])
    expect(gitStateOf({ system: 'ncrew' }, { hasRepository: false })).toBe('advised')
    expect(obstacleOf(metashell, { ...ready, hasRepository: false }, question)).toContain('Set up git')
  })

  it('is first what its setup misses, and nothing in the end', () => {
    const missing = [{ step: 'agent' as const, what: 'No agent is set up.', hint: 'Set one up.' }]
    expect(obstacleOf(metashell, { ...ready, missing }, question)).toBe('No agent is set up. Set one up.')
    expect(obstacleOf(metashell, ready, undefined)).toBeNull()
  })
})
