import { describe, expect, it } from 'vitest'
import { describeFlakes, filesToRunAgain, MAX_FLAKES, withSecondRun } from './flakes.mjs'

const passing = (project, file) => ({ project, file, passed: 2, failed: [], skipped: [], seconds: 1 })
const failing = (project, file, name = 'fails') => ({
  ...passing(project, file),
  passed: 1,
  failed: [{ name: `${file} > ${name}`, reason: 'too late', text: 'Error: too late\n  at x' }],
})
const run = (...files) => ({ files, errors: [] })
const names = (files) => files.map(({ file }) => file)

describe('what is run again', () => {
  it('is each failed file of the steps that wait for other programs', () => {
    expect(names(filesToRunAgain(run(failing('vice', 'a'), passing('vice', 'b'), failing('e2e', 'c'))))).toEqual([
      'a',
      'c',
    ])
  })

  it('is nothing where a unit test failed, or something outside the tests', () => {
    expect(filesToRunAgain(run(failing('vice', 'a'), failing('unit', 'b')))).toEqual([])
    expect(filesToRunAgain({ ...run(failing('vice', 'a')), errors: [{ name: 'x', reason: 'y' }] })).toEqual([])
  })

  it('is nothing where more files failed than may be flaky', () => {
    const many = Array.from({ length: MAX_FLAKES + 1 }, (_, index) => failing('e2e', `file ${index}`))
    expect(filesToRunAgain(run(...many))).toEqual([])
  })
})

describe('the second run', () => {
  const first = run(passing('unit', 'u'), failing('vice', 'a'), failing('e2e', 'b'))

  it('turns failures of a file that passes into flakes', () => {
    const { files } = withSecondRun(first, run(passing('vice', 'a'), failing('e2e', 'b')))
    expect(files.map(({ flaky = [], failed }) => [flaky.length, failed.length])).toEqual([
      [0, 0],
      [1, 0],
      [0, 2],
    ])
  })

  it('does not take a file without a test, or a run with an error outside, for a pass', () => {
    const empty = { ...passing('vice', 'a'), passed: 0 }
    expect(withSecondRun(first, run(empty)).files[1].failed).toHaveLength(1)
    const broken = { ...run(passing('vice', 'a')), errors: [{ name: 'x', reason: 'y' }] }
    expect(withSecondRun(first, broken)).toMatchObject({ errors: [{ name: 'x' }], files: [{}, { failed: [{}] }, {}] })
  })

  it('is told with both outputs', () => {
    const told = describeFlakes(withSecondRun(first, run(passing('vice', 'a'))), '2 passed')
    expect(told).toContain('flaky: a > fails\n── the first time ──\nError: too late')
    expect(told).toMatch(/── the second time, alone ──\n2 passed$/)
  })
})
