/** When a fix counts as one: what the finding was about has to be gone, not out of sight. */
import { describe, expect, it } from 'vitest'
import { diagnosisAreas } from '../schema'
import { compareScans } from './compareScans'
import { issuesOf } from './issues'
import { scanSkill } from './scan'

const fenced = (code: string, language = 'js'): string => `\`\`\`${language}\n${code}\n\`\`\`\n`
const PHASE = 'phases/1.md'

const scan = (texts: ReadonlyMap<string, string>) =>
  issuesOf(
    scanSkill(
      [...texts].map(([path, text]) => ({ path, text })),
      diagnosisAreas,
      () => 0,
    ),
    [],
    [],
  )

function verdict(before: string, after: string | undefined, changed = [PHASE]) {
  const [was, is] = [before, after].map((text) => new Map(text === undefined ? [] : [[PHASE, text]]))
  const issues = scan(was ?? new Map())
  const solved = issues.filter(({ confidence }) => confidence !== 'low').map(({ id }) => id)
  return compareScans(issues, scan(is ?? new Map()), solved, new Set(changed), is ?? new Map())
}

const grows = 'history.push(reply)'

describe('A fix of a history that grows', () => {
  it('passes when the history is cut', () => {
    expect(verdict(fenced(grows), fenced(`${grows}\nhistory = history.slice(-5)`)).verdict).toBe('pass')
    expect(verdict(fenced(grows), fenced('save(reply)')).verdict).toBe('pass')
  })

  it.each([
    ['made a comment', fenced(`// ${grows}`)],
    ['called a bad example', `## Anti-patterns\n\n${fenced(grows)}`],
    ['put into a fence that is no code', fenced(grows, 'yaml')],
  ])('does not pass when the line is only %s', (_, after) => {
    const { verdict: said, reason } = verdict(fenced(grows), after)
    expect(said).toBeUndefined()
    expect(reason).toMatch(/^Still there, where the scanners do not look .*history\.push/)
  })

  it('fails when the line is still a finding, even one of low confidence', () => {
    const record = fenced('action_history.push({ action })\nTask({ prompt: `So far: ${action_history}` })')
    const unsure = fenced('action_history.push({ action })')
    expect(verdict(record, unsure).verdict).toBe('fail')
  })

  it('does not pass when the file is not there to be scanned', () => {
    expect(verdict(fenced(grows), undefined, [])).toEqual({
      verdict: undefined,
      reason: `${PHASE} cannot be scanned: no such file.`,
    })
  })

  it('passes although it brings a finding of low confidence', () => {
    expect(verdict(fenced(grows), fenced('return { content, tags }')).verdict).toBe('pass')
  })
})

describe('A fix of an agent without error handling', () => {
  const call = "const result = await Task({ prompt: 'Draw.' })\nif (!result) stop()"

  it('passes when the failure is handled, not when it is swallowed', () => {
    const handled = `try {\n${call}\n} catch (error) {\n  retry(error)\n}`
    const swallowed = `try {\n${call}\n} catch (error) {\n}`
    expect(verdict(fenced(call), fenced(handled)).verdict).toBe('pass')
    expect(verdict(fenced(call), fenced(swallowed)).verdict).toBe('fail')
  })
})
