import { expect, it } from 'vitest'
import { summarise } from './testSummary.mjs'

const step = (outcome) => ({ name: 'e2e', passed: 3, failed: [], skipped: [], flaky: [], seconds: 2, ...outcome })
const test = (name) => ({ name, reason: 'the reason' })
const of = (outcome, options) =>
  summarise([step(outcome)], { slowest: [], missing: new Map(), nothingSkipped: false, seconds: 5, ...options })

it('ends with the sum alone', () => {
  expect(of({}).text.trimEnd().split('\n').at(-1)).toBe('3 passed, 0 failed, 0 skipped')
  expect(of({}).code).toBe(0)
})

it('is red for a failure, and for what is skipped where nothing may be', () => {
  expect(of({ failed: [test('a')] })).toMatchObject({
    code: 1,
    text: expect.stringContaining('failed: a (the reason)'),
  })
  expect(of({ skipped: [test('a')] }).code).toBe(0)
  expect(of({ skipped: [test('a')] }, { nothingSkipped: true }).code).toBe(1)
  const unavailable = { nothingSkipped: true, unavailable: 'the reason' }
  expect(of({ skipped: [test('a')] }, unavailable)).toMatchObject({
    code: 0,
    text: expect.stringContaining('skipped: a (the reason)'),
  })
  expect(of({ skipped: [test('a'), { name: 'b', reason: 'another' }] }, unavailable).code).toBe(1)
  expect(of({}, { nothingSkipped: true, missing: new Map([['vice', 'not there']]) }).code).toBe(1)
})

it('lists flaky tests, and is red for more than two files of them', () => {
  const flaky = (name, file) => ({ ...test(name), file })
  const two = of({ flaky: [flaky('a', 'x'), flaky('b', 'x'), flaky('c', 'y')] })
  expect(two).toMatchObject({ code: 0, text: expect.stringContaining('flaky: b (the reason)') })
  expect(of({ flaky: ['x', 'y', 'z'].map((file) => flaky('a', file)) })).toMatchObject({
    code: 1,
    text: expect.stringContaining('Failed: 3 files had flaky tests; at most 2 are let pass.'),
  })
})
