import { expect, it } from 'vitest'
import { loopsCommands } from './loops'

it('A start takes the options of its own system alone', () => {
  const { input } = loopsCommands['loops.start']
  const start = (system: string, options: object) => input.safeParse({ project: 1, system, place: '', options }).success
  expect(start('metashell', { maxTurns: 1, maxCost: 2, turnTime: 60_000, agent: 'claude', testsAgents: true })).toBe(
    true,
  )
  expect(start('ncrew', { maxTurns: 1, maxIterations: 5, llm: 'gemini' })).toBe(true)
  expect(start('maestro', { agent: 'gemini', resumes: true, folder: 'app' })).toBe(true)
  expect(start('maestro', { extension: '/tmp' })).toBe(false)
  expect(start('metashell', { maxIterations: 5 })).toBe(false)
  expect(start('metashell', { llm: 'gemini' })).toBe(false)
})
