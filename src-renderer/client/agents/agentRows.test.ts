import { describe, expect, it } from 'vitest'
import type { AgentRun } from '@shared/contract/agents'
import { bytesText, elapsed, purposeText, rowsOf, stateOf, streamTitle, streamWithText, usedText } from './agentRows'

const run = (changes: Partial<AgentRun>): AgentRun => ({
  run: '0a',
  agent: 'coder',
  preset: 'claude',
  purpose: '',
  turn: null,
  model: null,
  state: 'ended',
  askedAt: 0,
  startedAt: 0,
  endedAt: 10,
  pid: 7,
  status: 'success',
  reason: '',
  exitCode: 0,
  tokens: null,
  cost: null,
  turns: null,
  stillAlive: [],
  output: { bytes: 0, lines: 0 },
  errors: { bytes: 0, lines: 0 },
  lastLine: '',
  ...changes,
})

describe('the runs of agents', () => {
  it('are listed with what goes on first, then the newest', () => {
    const runs = [
      run({ run: '0a' }),
      run({ run: '0b', state: 'running', endedAt: null, status: null }),
      run({ run: '0c', status: 'error' }),
    ]
    expect(rowsOf(runs, 'all').map((row) => row.run)).toEqual(['0b', '0c', '0a'])
    expect(rowsOf(runs, 'live').map((row) => row.run)).toEqual(['0b'])
    expect(rowsOf(runs, 'failed').map((row) => row.run)).toEqual(['0c'])
  })

  it('say what lives in spite of being stopped before anything else', () => {
    expect(stateOf(run({ stillAlive: [7, 9] }))).toEqual({ word: 'still alive: pid 7, 9', tone: 'bad' })
    expect(stateOf(run({ state: 'left' }))).toEqual({ word: 'still running: pid 7', tone: 'warn' })
    expect(stateOf(run({ status: 'stopped' })).word).toBe('stopped')
  })

  it('say what they work on, and which log has text', () => {
    const turn = { project: 1, system: 'metashell' as const, place: '', folder: 'sprite-editor', role: 'executor' }
    const purpose = 'metashell /projects/sprite-editor: executor 02-03'
    expect(
      [null, { ...turn, task: '02-03' }, { ...turn, task: null }].map((one) =>
        purposeText(run({ turn: one, purpose })),
      ),
    ).toEqual([purpose, 'sprite-editor: executor 02-03', 'sprite-editor: executor'])
    const logs = (output: number, errors: number) =>
      run({ output: { bytes: 0, lines: output }, errors: { bytes: 0, lines: errors } })
    expect([logs(0, 0), logs(0, 28), logs(12, 28)].map(streamWithText)).toEqual(['output', 'errors', 'output'])
    expect(streamTitle(logs(12, 28), 'errors')).toBe('Errors 28')
  })

  it('tell what they used as far as it was told', () => {
    expect([
      usedText(run({})),
      usedText(run({ cost: 0 })),
      usedText(run({ tokens: 12_345, cost: 12.5, turns: 1 })),
    ]).toEqual(['', '$0.0000', '12,345 tokens, $12.50, 1 turn'])
    expect([elapsed(run({ startedAt: null }), 5), elapsed(run({ endedAt: null }), 5)]).toEqual([null, 5])
    expect([bytesText(0), bytesText(1536), bytesText(3 * 1024 ** 3)]).toEqual(['0 B', '1.5 KiB', '3.0 GiB'])
  })
})
