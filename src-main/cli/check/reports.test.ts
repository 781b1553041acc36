/** Reports of results, also of names and screens that mean harm. */
import { describe, expect, it } from 'vitest'
import { xmlElements } from '../../../test/support/xmlElements'
import { checkReport } from './html'
import { junitXml } from './junit'
import type { CaseResult, Problem } from './results'

const passed: CaseResult = {
  file: 'a.check.yaml',
  name: 'one',
  machine: 'builtin',
  outcome: 'passed',
  reason: '',
  seconds: 1.25,
  problems: [],
  files: [],
  screen: null,
  pictures: [],
}
const problem: Problem = {
  kind: 'failed',
  where: 'a.check.yaml:7: screen',
  code: null,
  message: 'The screen does not show “A”.',
  expected: 'A',
  found: ' 0 B',
}
const failed: CaseResult = { ...passed, name: 'two', outcome: 'failed', problems: [problem], screen: ['B  ', ''] }
const broken: CaseResult = {
  ...passed,
  name: 'three',
  outcome: 'error',
  problems: [{ ...problem, kind: 'error', code: 'UNSUPPORTED', message: 'Not possible.', expected: '', found: '' }],
}
const skipped: CaseResult = {
  ...passed,
  machine: 'vice',
  outcome: 'skipped',
  reason: 'It is for builtin only.',
  seconds: 0,
}
const all = [passed, failed, broken, skipped]

const hostile =
  '<script>alert(1)</script> ]]> &amp; "\' \u0000\u0007\u001b[2J \ud800 \uffff \u202e --> <!-- ${x}\r\n\tend'

describe('JUnit', () => {
  it('has a suite for each machine, with counts that agree', () => {
    const elements = xmlElements(junitXml(all))
    expect(elements.filter(({ name }) => name === 'testsuite').map(({ attributes }) => attributes)).toEqual([
      { name: 'a.check.yaml on builtin', tests: '3', failures: '1', errors: '1', skipped: '0', time: '3.750' },
      { name: 'a.check.yaml on vice', tests: '1', failures: '0', errors: '0', skipped: '1', time: '0.000' },
    ])
    expect(elements[0]).toMatchObject({
      name: 'testsuites',
      attributes: { tests: '4', failures: '1', errors: '1', skipped: '1' },
    })
  })

  it('says what was expected, what was there, and what the screen showed', () => {
    const elements = xmlElements(junitXml(all))
    expect(elements.find(({ name }) => name === 'failure')).toMatchObject({
      attributes: { message: 'The screen does not show “A”.', type: 'screen' },
      text: 'a.check.yaml:7: screen: The screen does not show “A”.\n  expected: A\n  found:  0 B',
    })
    expect(elements.find(({ name }) => name === 'error')).toMatchObject({ attributes: { type: 'UNSUPPORTED' } })
    expect(elements.find(({ name }) => name === 'skipped')).toMatchObject({
      attributes: { message: 'It is for builtin only.' },
    })
    expect(elements.find(({ name }) => name === 'system-out')?.text).toBe('B')
  })

  it('holds any name and text', () => {
    const text = { message: hostile, expected: hostile, found: hostile }
    const xml = junitXml([
      { ...failed, file: hostile, name: hostile, problems: [{ ...problem, ...text }], screen: [hostile] },
    ])
    const elements = xmlElements(xml)
    expect(elements.map(({ name }) => name)).toEqual(['testsuites', 'testsuite', 'testcase', 'failure', 'system-out'])
    const shown =
      '<script>alert(1)</script> ]]> &amp; "\' \\u0000\\u0007\\u001b[2J \ufffd \\uffff \\u202e --> <!-- ${x}\n\tend'
    expect(elements.find(({ name }) => name === 'testcase')?.attributes['name']).toBe(shown)
    expect(elements.find(({ name }) => name === 'failure')?.attributes['message']).toBe(shown)
  })

  it('is never long by one text', () => {
    const long = 'x'.repeat(10_000_000)
    const xml = junitXml([{ ...failed, name: long, problems: [{ ...problem, found: long }], screen: [long] }])
    expect(xml.length).toBeLessThan(200_000)
  })
})

describe('the page', () => {
  it('shows each case, and the details of those that did not pass', () => {
    const page = checkReport(all, 'Bridgedeck, today')
    expect(page).toContain('<title>Checks: 1 passed, 1 failed, 1 could not be checked, 1 for other machines</title>')
    expect(page.match(/<li>/g)).toHaveLength(4)
    expect(page).toContain('The screen at the end')
    expect(page).toContain('It is for builtin only.')
  })

  it('shows pictures without asking for any file', () => {
    const page = checkReport([{ ...failed, pictures: [{ title: 'Difference', png: Uint8Array.of(1, 2, 3) }] }], '')
    expect(page).toContain('src="data:image/png;base64,AQID"')
    expect(page).toContain("default-src 'none'")
    expect(page).not.toMatch(/https?:|<script/)
  })

  it('holds any name and text', () => {
    const text = { where: hostile, message: hostile, expected: hostile, found: hostile }
    const result = { ...failed, file: hostile, name: hostile, machine: hostile, screen: [hostile], pictures: [] }
    const page = checkReport([{ ...result, problems: [{ ...problem, ...text }] }], hostile)
    expect(page).not.toMatch(/<script|<!--/)

    expect(page).not.toMatch(/[\u0000-\u0008\u001b\u202e\uffff]/)
  })

  it('is never long by one text', () => {
    expect(checkReport([{ ...failed, screen: ['x'.repeat(10_000_000)] }], '').length).toBeLessThan(60_000)
  })
})
