import { array, boolean, constant, constantFrom, nat, oneof, string, tuple } from 'fast-check'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect } from 'vitest'
import { formats } from '../../src-main/formats/formats'
import { readHeading } from '../../src-main/formats/ncrew/heading'
import { isOpen } from '../../src-main/formats/ncrew/questions'
import { unclear } from '../../src-main/formats/ncrew/unclear'
import { readFrontMatter } from '../../src-main/formats/text/frontMatter'
import { markdownLines } from '../../src-main/formats/text/markdown'
import { isUnreadable, StateText } from '../../src-main/formats/text/stateFile'
import { checkTermination } from '../../src-main/loops/ncrew/termination'
import { needsOf } from '../../src-main/projects/read/unreadableNeeds'
import { crewState } from '../support/crewState'
import { runsIn } from '../support/projectFiles'
import { anyBytes, fuzz, mutated } from './fuzz'

const bytes = (text: string) => new TextEncoder().encode(text)
const index = '---\ntype: project\nstatus: in_progress\ncurrent_iteration: 3\ncost_so_far: 1.50\n---\n'
const tasks = '## Discovery Phase\n- [x] a\n\n## Architecture Phase\n- [ ] b\n'
const manifest =
  'phases: [discovery, architecture]\nexecution:\n  max_iterations: 7\n  max_cost: 5\nvalidation:\n  human_gates: [discovery]\n'
const head = '---\nfrom: architect\ntype: blocker\nstatus: '
const question = (status: string, decision: string) =>
  `${head}${status}\n---\n# BLOCKER: Which\n\n## Your Answer (required to resume)\n**Decision:** ${decision}\n`

const text = array(
  oneof(
    constantFrom('- [', '1. ', '] ', '~', 'x', ' ', '## ', '✅ ', 'Phase ', 'IN PROGRESS', '(COMPLETE)', '...', '---'),
    constantFrom('\n', '\r\n', '```', '**', 'id: ', 'phases:', '\u00a0', '🔄', 'âœ…', '{{x}}'),
    string({ maxLength: 6 }),
  ),
  { maxLength: 30 },
).map((parts) => parts.join(''))

describe('A blocker', () => {
  const status = oneof(
    constantFrom('pending', 'open', 'Resolved?', 'resolved', '[resolved]', ''),
    string({ maxLength: 12 }),
  )
  fuzz(
    'that is not clearly resolved keeps its crew waiting',
    tuple(status, text, boolean()),
    ([status, decision, isHalf]) => {
      const whole = question(status, decision)
      const state = crewState({
        'INDEX.md': index,
        'tasks.md': tasks,
        'questions/a-001-b.md': isHalf ? whole.slice(0, head.length + status.length) : whole,
      })
      const [found] = state.questions
      if (isHalf || !/resolved/i.test(status)) expect(found && isOpen(found)).toBe(true)
      const verdict = checkTermination(state, { iterations: 0, cost: 0 }, { maxIterations: 9, maxCost: 9 }, new Map())
      if (found && isOpen(found)) expect(verdict.code).toBe(10)
      else expect(found?.decision).toBeTruthy()
    },
  )

  fuzz(
    'in any bytes is open, or has a status and a decision',
    oneof(anyBytes(400), mutated(constant(bytes(question('resolved', 'A'))))),
    (file) => {
      const { questions } = crewState({ 'INDEX.md': index, 'tasks.md': tasks, 'questions/a-001-b.md': file })
      expect(questions).toHaveLength(1)
      for (const found of questions) if (!isOpen(found)) expect([found.status, found.decision]).not.toContain(undefined)
    },
  )
})

describe('The limits of a crew', () => {
  fuzz(
    'are amounts, or are unclear',
    tuple(mutated(constant(bytes(manifest))), mutated(constant(bytes(index)))),
    ([limits, used]) => {
      const state = crewState({ 'INDEX.md': used, 'tasks.md': tasks, '.noodlecrew/manifest.yml': limits })
      for (const { text, source } of unclear(state)) {
        expect(text).toMatch(/\.$/)
        expect(source.file).not.toBe('')
      }
    },
  )
})

describe('Lines of Markdown', () => {
  fuzz('keep their places, and every checkbox has its mark between brackets', text, (content) => {
    for (const line of markdownLines(content)) {
      expect(line.end).toBeGreaterThanOrEqual(line.start)
      if (line.kind === 'checkbox')
        expect(content.slice(line.mark - 1, line.mark + line.written.length + 1)).toBe(`[${line.written}]`)
    }
  })

  fuzz('that are headings have a name', text, (content) => {
    const { name } = readHeading(content)
    expect(name.trim() === '').toBe(content.replaceAll(/\*\*|__|`|~~/g, '').trim() === '')
  })

  fuzz('of front matter are read or told, with every value at its place', text, (content) => {
    const file = new StateText('a.md', `---\nid: 1\n${content}\nlast: 2\n---\n# Body\n`)
    const { document, bodyStart } = readFrontMatter(file)
    expect(bodyStart).toBeLessThanOrEqual(file.text.length)
    if (document.root?.kind === 'map')
      for (const { value } of document.root.fields.values())
        if (value.kind === 'scalar') expect(file.text.slice(value.start, value.end)).toBe(value.written)
  })
})

describe('Runs of every format', () => {
  const fixture = (name: string) => bytes(readFileSync(resolve('test/fixtures', name), 'utf8'))
  const session = '.gemini/state/active-session.md'
  const samples: readonly (readonly [path: string, text: Uint8Array])[] = [
    [session, fixture('spec003/active-session.md')],
    [session, fixture('spec003/active-session-1.6.md')],
    ['.gemini/state/archive/cache-layer.md', fixture('spec003/archived-1.4.md')],
    ['.workflow/.scratchpad/skill-tuning-20260210080000/state.json', fixture('spec004/mid-run.json')],
    ['.noodlecrew/tasks.md', fixture('spec002/tasks.md')],
    ['INDEX.md', fixture('spec002/INDEX.md')],
  ]
  fuzz(
    'are read and checked however their file is cut off or damaged',
    tuple(nat(samples.length - 1), nat(), boolean(), text),
    ([which, place, isCut, insert]) => {
      const [path, whole] = samples[which] ?? ['', new Uint8Array()]
      const at = place % (whole.length + 1)
      const rest = isCut ? new Uint8Array() : whole.subarray(at)
      const file = Buffer.concat([whole.subarray(0, at), bytes(insert), rest])
      for (const format of formats)
        for (const { reading, problems } of runsIn(format, { [path]: file })) {
          const hasError = reading.findings.some(
            ({ rule, severity }) => severity === 'error' && rule.startsWith('file/'),
          )
          const { archived } = reading.view
          const isTorn = problems.some(isUnreadable)
          const needs = needsOf({ view: reading.view, findings: problems, stale: null })
          expect(needs.some(({ kind }) => kind === 'unreadable') || !isTorn || archived).toBe(true)
          if (hasError) expect(problems.filter(({ rule, repair }) => repair && /-count$/.test(rule))).toEqual([])
        }
    },
  )
})
