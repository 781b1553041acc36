import { describe, expect, it } from 'vitest'
import { batchExitCode, endLine, exitCodeOf, summaryText } from './summary'

describe('the exit code of an agent', () => {
  it.each([
    ['ended well', 'success', 0, 0],
    ['ended with 2', 'error', 2, 2],
    ['says that it failed, and ended with 0', 'error', 0, 0],
    ['was ended by a signal', 'error', null, 255],
    ['could not be started', 'error', null, 255],
    ['took too long, and then ended well', 'timeout', 0, 124],
    ['took too long, and was killed', 'timeout', null, 124],
    ['was stopped by the person', 'stopped', 143, 130],
  ] as const)('that %s', (_what, status, raw, code) => {
    expect(exitCodeOf(status, raw)).toBe(code)
  })
})

it.each([
  [0, 'coder: SUCCESS (exit 0)'],
  [2, 'coder: FAILED (exit 2)'],
  [124, 'coder: TIMEOUT (exceeded 10m)'],
  [255, 'coder: FAILED (exit 255)'],
])('An end with %i is told as “%s”', (exitCode, line) => {
  expect(endLine({ name: 'coder', exitCode }, 10)).toBe(line)
})

describe('the summary of a batch', () => {
  const agents = (...codes: readonly number[]) => codes.map((exitCode, index) => ({ name: `a${index}`, exitCode }))

  it('is one line of JSON, with the agents in the order of dispatch', () => {
    const text = summaryText(agents(0, 2, 124), 12_600)
    expect(text).toMatch(/^[^\n]+\n$/)
    expect(JSON.parse(text)).toEqual({
      batch_status: 'partial_failure',
      total_agents: 3,
      succeeded: 1,
      failed: 2,
      wall_time_seconds: 13,
      agents: [
        { name: 'a0', exit_code: 0, status: 'success' },
        { name: 'a1', exit_code: 2, status: 'failed' },
        { name: 'a2', exit_code: 124, status: 'timeout' },
      ],
    })
  })

  it.each([
    [[0, 0], 'success'],
    [[0, 1], 'partial_failure'],
    [[1, 1], 'partial_failure'],
  ])('of %j is %s', (codes, status) => {
    expect(JSON.parse(summaryText(agents(...codes), 0))).toMatchObject({ batch_status: status })
  })

  it.each([
    [0, 0],
    [1, 1],
    [125, 125],
    [256, 125],
  ])('of %i failures gives the exit code %i', (failures, code) => {
    expect(batchExitCode(agents(...Array<number>(failures).fill(1), 0))).toBe(code)
  })
})
