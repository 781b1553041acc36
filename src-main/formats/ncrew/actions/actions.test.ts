/** What a person does with an ncrew project, byte by byte. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { act, actionsOf, NOW, offered, runFiles, type Texts } from '../../../../test/support/actions'
import { ncrew } from '../format'

const example = (name: string) => readFileSync(resolve('test/fixtures/spec002', name), 'utf8')
const index = example('INDEX.md')
const tasks = example('tasks.md')
const question = example('question.md')
const asked = 'questions/software-architect-001-auth.md'
const project: Texts = { 'INDEX.md': index, 'tasks.md': tasks }
const blocked: Texts = { ...project, 'INDEX.md': index.replace('in_progress', 'blocked'), [asked]: question }
const manifest =
  'project:\n  name: x # ours\n\nexecution:\n  max_iterations: 100 # enough\n  max_cost: 30.00\n\nvalidation:\n  human_gates: [discovery]\n'

const answered = (text: string, values: Record<string, string>) =>
  act(ncrew, { ...blocked, [asked]: text }, 'answer', asked, values).after[asked]
const view = (files: Texts) => ncrew.read(runFiles(ncrew, files))?.view
const plan = (files: Texts, name: string, target = '', values = {}) =>
  ncrew.plan(runFiles(ncrew, files), { name, target, values, now: NOW })

describe('Answering a blocker', () => {
  it('is offered with its options where the need stands', () => {
    const [action] = actionsOf(ncrew, blocked)
    expect(action).toMatchObject({
      name: 'answer',
      target: asked,
      title: 'Answer: Authentication Strategy',
      answersNeed: true,
      fields: [{ name: 'decision' }, { name: 'reason', optional: true }],
    })
    expect(action?.source).toEqual(view(blocked)?.needs[0]?.source)
  })

  it('changes the decision, the reason and the status, and nothing else', () => {
    expect(answered(question, { decision: 'Option B', reason: 'Fewer parts' })).toBe(
      question
        .replace('**Decision:** ___', '**Decision:** Option B')
        .replace('**Reason:** ___', '**Reason:** Fewer parts')
        .replace('status: pending', 'status: resolved'),
    )
  })

  it('leaves the reason blank when none is given', () => {
    expect(answered(question, { decision: 'Option B' })).toBe(
      question.replace('**Decision:** ___', '**Decision:** Option B').replace('status: pending', 'status: resolved'),
    )
  })

  it('resolves the question; INDEX.md stays blocked, and the run is ready to go on', () => {
    const { plan: made, after } = act(ncrew, blocked, 'answer', asked, { decision: 'B' })
    expect(made.summary).toMatch(/^Answered “.+”$/)
    expect(made.warnings).toEqual([])
    expect(Object.keys(after).filter((file) => after[file] !== blocked[file])).toEqual([asked])
    expect(view(after)).toMatchObject({
      needs: [],
      state: { value: 'ready' },
      reason: { value: 'Every question is answered.' },
    })
  })

  it.each([
    ['a colon outside the bold text', '**Decision**: ___', '**Decision**: B'],
    ['a longer blank', '**Decision:** ________', '**Decision:** B'],
    ['white space behind the blank', '**Decision:** ___  ', '**Decision:** B  '],
    ['a placeholder in brackets', '**Decision:** [Write your choice here]', '**Decision:** B'],
    ['nothing behind the colon', '**Decision:**', '**Decision:** B'],
    ['a tab behind the colon', '**Decision:**\t___', '**Decision:**\tB'],
  ])('knows %s', (_, from, to) => {
    expect(answered(question.replace('**Decision:** ___', from), { decision: 'B' })).toBe(
      question.replace('**Decision:** ___', to).replace('status: pending', 'status: resolved'),
    )
  })

  it('fills in the date where there is a line for it', () => {
    const text = question.replace('**Reason:** ___', '**Reason:** ___\n**Date:** ___')
    expect(answered(text, { decision: 'B' })).toContain('**Reason:** ___\n**Date:** 2026-03-02\n')
    expect(answered(text.replace('**Date:** ___', '**Date:** 2026-01-01'), { decision: 'B' })).toContain(
      '**Date:** 2026-01-01\n',
    )
  })

  it('keeps CRLF, a byte order mark, comments, unknown keys and the quotes of the status', () => {
    const text =
      `\uFEFF${question.replace('status: pending', 'status: "pending" # theirs\nextra: { a: 1 }')}`.replaceAll(
        '\n',
        '\r\n',
      )
    expect(answered(text, { decision: 'B' })).toBe(
      text.replace('"pending"', '"resolved"').replace('**Decision:** ___', '**Decision:** B'),
    )
  })

  it('ignores a Decision line inside a fence', () => {
    const text = question.replace('## Context', '```\n**Decision:** ___\n```\n\n## Context')
    expect(answered(text, { decision: 'B' })).toBe(
      text
        .replace('status: pending', 'status: resolved')
        .replace(/\*\*Decision:\*\* ___(?=\n\*\*Reason)/, '**Decision:** B'),
    )
  })

  it('offers a decision that someone wrote already', () => {
    const text = question.replace('**Decision:** ___', '**Decision:** Option C')
    expect(actionsOf(ncrew, { ...blocked, [asked]: text })[0]).toMatchObject({
      fields: [{ value: 'Option C' }, { value: '' }],
    })
    expect(answered(text, { decision: 'Option C' })).toBe(text.replace('pending', 'resolved'))
  })

  it('takes one line that is more than a blank', () => {
    expect(() => answered(question, { decision: 'two\nlines' })).toThrow('Decision must be one line')
    expect(() => answered(question, { decision: '____' })).toThrow('empty placeholder')
    expect(() => answered(question, { decision: '[later]' })).toThrow('empty placeholder')
    expect(() => answered(question, { decision: '  ' })).toThrow('Decision is missing.')
    expect(() => answered(question, {})).toThrow('Decision is missing.')
    expect(() => answered(question, { decision: 'a\u001b[31m' })).toThrow('Decision must be one line')
    expect(() => answered(question, { decision: 'B', other: 'x' })).toThrow(/"other".*decision, reason/)
  })

  it('resolves one that is not clearly resolved', () => {
    const decided = question.replace('**Decision:** ___', '**Decision:** B')
    for (const status of ['open', '"answered?"'])
      expect(answered(question.replace('pending', status), { decision: 'B' })).toBe(
        decided.replace('pending', status.startsWith('"') ? '"resolved"' : 'resolved'),
      )
    const blank = { ...blocked, [asked]: question.replace('pending', 'resolved') }
    expect(act(ncrew, blank, 'write-decision', asked, { decision: 'B' }).after[asked]).toBe(
      decided.replace('pending', 'resolved'),
    )
    const bare = (text = '') => text.replace(/^---[^]*?\n---\n/, '')
    expect(answered(bare(question), { decision: 'B' })).toMatch(
      /^---\nfrom: unknown\nto: user\ntype: blocker\nstatus: resolved\ncreated: "\d{4}-\d\d-\d\d"\n---\n\n/,
    )
    expect(bare(answered(bare(question), { decision: 'B' })).trim()).toBe(bare(decided).trim())
  })

  it('is refused with the reason when it was answered, when it has no line for it, and when it is gone', () => {
    expect(() => answered(question.replace('pending', 'resolved'), { decision: 'B' })).toThrow(
      'is already answered (status: resolved)',
    )
    expect(() => answered(question.replace('**Decision:** ___', ''), { decision: 'B' })).toThrow(
      'has no line **Decision:**',
    )
    expect(() => plan(project, 'answer', asked, { decision: 'B' })).toThrow('No action answer for')
    expect(() =>
      answered(question.replace('status: pending', 'status: pending\nstatus: pending'), { decision: 'B' }),
    ).toThrow('must be fixed first')
  })

  it('changes nothing but three values, whatever is answered, and reads back as that', () => {
    const line = fc
      .string({
        unit: fc.constantFrom('a', 'b', '*', '_', '#', ':', '[', ']', '"', "'", '`', '|', '<', '>', ' ', 'ğ', '🔄'),
        minLength: 1,
        maxLength: 30,
      })
      .filter((text) => /[a-b]/.test(text) && !/^\s*\[[^\]]*\]\s*$/.test(text))
    fc.assert(
      fc.property(line, line, fc.boolean(), (decision, reason, crlf) => {
        const text = crlf ? question.replaceAll('\n', '\r\n') : question
        const { after } = act(ncrew, { ...blocked, [asked]: text }, 'answer', asked, { decision, reason })
        const [, before = '', middle = '', behind = ''] =
          /^(.*\*\*Decision:\*\* )___(\r?\n\*\*Reason:\*\* )___(.*)$/s.exec(text) ?? []
        expect(after[asked]).toBe(
          `${before.replace('pending', 'resolved')}${decision.trim()}${middle}${reason.trim()}${behind}`,
        )
        expect(ncrew.read(runFiles(ncrew, after))?.details.questions[0]).toMatchObject({
          status: 'resolved',
          decision: decision.trim(),
          reason: reason.trim(),
        })
      }),
    )
  })
})

describe('Ticking a task', () => {
  const open = 'architecture/2'
  const line = '- [ ] ADR-002: Database choice'

  it('changes one byte', () => {
    const { after, plan: made } = act(ncrew, project, 'tick', open)
    expect(after['tasks.md']).toBe(tasks.replace(line, line.replace(' ]', 'x]')))
    expect(made.warnings).toEqual([])
  })

  it('changes one byte back', () => {
    const { after } = act(ncrew, act(ncrew, project, 'tick', open).after, 'untick', open)
    expect(after).toEqual(project)
  })

  it('changes the heading and the time of the list when asked to', () => {
    const { after } = act(ncrew, project, 'untick', 'architecture/1', { also: ['heading', 'updated'] })
    expect(after['tasks.md']).toBe(
      tasks
        .replace('- [x] ADR-001', '- [ ] ADR-001')
        .replace('🔄 IN PROGRESS', '⏳ PENDING')
        .replace('"2026-01-28T14:52:33Z"', '"2026-03-02T10:00:00Z"'),
    )
  })

  it.each([
    ['## Discovery Phase - COMPLETE', '## Discovery Phase - IN PROGRESS'],
    ['## Discovery Phase âœ… COMPLETE', '## Discovery Phase 🔄 IN PROGRESS'],
    ['## Discovery Phase ✅ Complete  ', '## Discovery Phase 🔄 IN PROGRESS  '],
    ['## Discovery COMPLETE', '## Discovery IN PROGRESS'],
  ])('knows the heading %s', (from, to) => {
    const text = tasks.replace('## Discovery Phase ✅ COMPLETE', from)
    const { after } = act(ncrew, { ...project, 'tasks.md': text }, 'untick', 'discovery/1', { also: ['heading'] })
    expect(after['tasks.md']).toBe(text.replace(from, to).replace('- [x] Generate PRD', '- [ ] Generate PRD'))
  })

  it('gives no status to a heading that has none, and no time to a list that has none', () => {
    const bare = '# TODO\r\n\r\n## Discovery Phase\r\n* [ ] One\r\n* [X] Two\r\n```\r\n- [ ] no task\r\n```\r\n'
    const files = { 'INDEX.md': index, 'tasks.md': bare }
    expect(actionsOf(ncrew, files).filter(({ name }) => name === 'tick' || name === 'untick')).toMatchObject([
      { name: 'tick', target: 'discovery/1', title: 'Mark “One” as done', fields: [] },
      { name: 'untick', target: 'discovery/2', title: 'Mark “Two” as not done', fields: [] },
    ])
    expect(act(ncrew, files, 'tick', 'discovery/1').after['tasks.md']).toBe(bare.replace('* [ ]', '* [x]'))
  })

  it('says that the last task does not complete the project', () => {
    const last = { ...project, 'tasks.md': tasks.replaceAll('- [ ]', '- [x]').replace('[x] ADR-002', '[ ] ADR-002') }
    expect(act(ncrew, last, 'tick', open).plan.warnings).toEqual([
      'This is the last open task. The project is complete only once CREW_COMPLETE exists.',
    ])
  })

  it('changes one byte, whichever task it is', () => {
    const keys = actionsOf(ncrew, project).filter(({ name }) => /tick$/.test(name))
    expect(keys).toHaveLength(7)
    for (const { name, target } of keys) {
      const after = act(ncrew, project, name, target).after['tasks.md'] ?? ''
      const at =
        Array.from({ length: tasks.length }, (_, index) => index).find((index) => tasks[index] !== after[index]) ?? 0
      expect(after).toBe(`${tasks.slice(0, at)}${name === 'tick' ? 'x' : ' '}${tasks.slice(at + 1)}`)
    }
  })
})

describe('Approving a gate', () => {
  const gated: Texts = {
    ...project,
    '.noodlecrew/manifest.yml': manifest,
    'tasks.md': tasks.replace('- [x] ADR-001', '- [ ] ADR-001'),
  }

  it('is remembered by Bridgedeck and written nowhere', () => {
    expect(view(gated)).toMatchObject({ state: { value: 'gate' } })
    expect(actionsOf(ncrew, gated)[0]).toMatchObject({
      name: 'approve',
      target: 'discovery',
      answersNeed: true,
      source: view(gated)?.needs[0]?.source,
    })
    const { plan: made } = act(ncrew, gated, 'approve', 'discovery')
    expect(made).toMatchObject({
      summary: 'Approved phase Discovery',
      changes: [],
      remember: { 'gate:discovery': 'approved 2026-03-02T10:00:00.000Z' },
    })
  })

  it('lets the run go on', () => {
    const remembered = new Map([['gate:discovery', 'approved 2026-03-02T10:00:00.000Z']])
    expect(ncrew.read(runFiles(ncrew, gated, remembered))?.view).toMatchObject({
      state: { value: 'running' },
      needs: [],
    })
    expect(offered(ncrew, gated, remembered)).not.toContain('approve discovery')
  })
})

describe('Settling boxes outside the phases', () => {
  const criteria = '\n## Success criteria\n- [ ] It is fast\n- [x] It is small\n'
  const finished: Texts = { ...project, 'tasks.md': `${tasks.replaceAll('[ ]', '[x]')}${criteria}` }
  const settled = (name: string) => act(ncrew, finished, name).plan

  it('is a need of a finished crew, and no phase or task', () => {
    const { phases, needs, state } = view(finished) ?? {}
    expect(phases).toEqual(view({ ...finished, 'tasks.md': tasks.replaceAll('[ ]', '[x]') })?.phases)
    expect(state?.value).toBe('waiting')
    expect(needs).toMatchObject([
      {
        kind: 'question',
        title: 'All tasks are done, but 1 box outside the phases is open',
        detail: expect.stringContaining('- Success criteria: It is fast\n') as string,
      },
    ])
    const answers = actionsOf(ncrew, finished).filter(({ answersNeed }) => answersNeed)
    expect(answers.map(({ name }) => name)).toEqual(['finish', 'continue'])
    for (const { source } of answers) expect(source).toEqual(needs?.[0]?.source)
    expect(offered(ncrew, { ...project, 'tasks.md': `${tasks}${criteria}` })).not.toContain('finish')
  })

  it('finishes the crew in its files', () => {
    expect(act(ncrew, finished, 'finish').after).toEqual({
      ...finished,
      'INDEX.md': index.replace('in_progress', 'complete'),
      CREW_COMPLETE: '',
    })
  })

  it('continues the crew without another question, and lets it be finished later', () => {
    expect(settled('continue').changes).toEqual([])
    const known = new Map(
      Object.entries(settled('continue').remember ?? {}).map(([name, value]) => [name, value ?? '']),
    )
    expect(ncrew.read(runFiles(ncrew, finished, known))?.view).toMatchObject({ needs: [], state: { value: 'running' } })
    expect(offered(ncrew, finished, known)).toContain('finish')
    expect(offered(ncrew, finished, known)).not.toContain('continue')
  })
})

describe('Setting limits', () => {
  const limited = (text: string): Texts => ({ ...project, '.noodlecrew/manifest.yml': text })
  const set = (text: string, values: Record<string, number>) =>
    act(ncrew, limited(text), 'set-limits', '', values).after['.noodlecrew/manifest.yml']

  it('changes the values in their places and keeps comments and decimals', () => {
    expect(set(manifest, { iterations: 150 })).toBe(manifest.replace('100 # enough', '150 # enough'))
    expect(set(manifest, { cost: 45 })).toBe(manifest.replace('30.00', '45.00'))
    expect(set(manifest, { iterations: 150, cost: 45.5 })).toBe(
      manifest.replace('100 #', '150 #').replace('30.00', '45.50'),
    )
  })

  it('adds what is missing, with the map around it', () => {
    expect(set('execution:\r\n  max_cost: 30.00\r\nphases: [discovery]\r\n', { iterations: 150 })).toBe(
      'execution:\r\n  max_cost: 30.00\r\n  max_iterations: 150\r\nphases: [discovery]\r\n',
    )
    expect(set('project:\n  name: x\n', { iterations: 150, cost: 40 })).toBe(
      'project:\n  name: x\nexecution:\n  max_iterations: 150\n  max_cost: 40\n',
    )
  })

  it('finds them where the oldest manifests have them', () => {
    expect(set('crew:\n  llm:\n    max_iterations: 10\n', { iterations: 20 })).toBe(
      'crew:\n  llm:\n    max_iterations: 20\n',
    )
  })

  it('says when a limit stays reached, and refuses what is no limit', () => {
    const spent = { ...limited(manifest), 'INDEX.md': index.replace('42', '100') }
    expect(view(spent)).toMatchObject({ state: { value: 'limit' } })
    expect(act(ncrew, spent, 'set-limits', '', { cost: 40 }).plan.warnings).toEqual([
      expect.stringContaining('limit of turns is already reached'),
    ])
    const { after } = act(ncrew, spent, 'set-limits', '', { iterations: 120 })
    expect(view(after)).toMatchObject({ state: { value: 'running' } })
    expect(() => plan(spent, 'set-limits', '', { iterations: 0 })).toThrow('Maximum turns must be 1 or more, not 0.')
    expect(() => plan(spent, 'set-limits', '', { iterations: 1.5 })).toThrow('a whole number')
    expect(() => plan(spent, 'set-limits')).toThrow('These limits already apply.')
  })
})

describe('Reopening a finished project', () => {
  const finished: Texts = {
    'INDEX.md': example('end/INDEX.md'),
    'tasks.md': example('end/tasks.md'),
    CREW_COMPLETE: '',
  }

  it('deletes CREW_COMPLETE, sets the status and empties one box', () => {
    const before = finished['tasks.md'] ?? ''
    const { plan: made, after } = act(ncrew, finished, 'reopen', '', { task: 'architecture/1' })
    expect(made.changes.map(({ file }) => file)).toEqual(['tasks.md', 'INDEX.md', 'CREW_COMPLETE'])
    expect(after).toEqual({
      'INDEX.md': finished['INDEX.md']?.replace('status: complete', 'status: in_progress'),
      'tasks.md': before.replace('[x] ADR-001', '[ ] ADR-001'),
    })
    expect(view(after)).toMatchObject({ state: { value: 'running' }, currentPhase: { value: 'architecture' } })
  })

  it('is not offered while the project is open', () => {
    expect(offered(ncrew, project)).not.toContain('reopen')
  })
})

describe('Removing the lock', () => {
  it('deletes the file and says what it holds', () => {
    const { plan: made, after } = act(ncrew, { ...project, '.noodlecrew/.lock': '4711\n' }, 'unlock')
    expect(made.changes).toEqual([{ file: '.noodlecrew/.lock', before: '4711\n', after: null }])
    expect(made.warnings).toEqual([
      'Make sure that no loop is running in this project: two would overwrite each other’s work. It holds: "4711".',
    ])
    expect(after).toEqual(project)
    expect(made.holder).toMatchObject({ pid: 4711 })
    expect(offered(ncrew, after)).not.toContain('unlock')
  })
})

describe('Going back with git', () => {
  it('touches no file itself', () => {
    expect(act(ncrew, project, 'discard-turn').plan).toMatchObject({ changes: [], git: { kind: 'discard' } })
    expect(act(ncrew, project, 'undo-iteration').plan).toMatchObject({
      changes: [],
      git: { kind: 'reset', commit: 'HEAD~1' },
    })
    expect(act(ncrew, project, 'reset', '', { commit: '9f3e1aa' }).plan).toMatchObject({
      changes: [],
      git: { kind: 'reset', commit: '9f3e1aa' },
    })
  })

  it('takes a hash and nothing that git could read as something else', () => {
    for (const commit of ['HEAD', '--hard', 'main', '9f3e1', '9f3e1aa; rm'])
      expect(() => plan(project, 'reset', '', { commit })).toThrow('is not a commit hash')
  })
})

describe('Rolling back by the records of turns', () => {
  const list =
    '# Tasks\n\n## Build Phase ✅ COMPLETE\n- [x] Engine\n- [x] Sound\n\n## Test Phase ⏳ PENDING\n- [ ] Play\n'
  const done: Texts = { 'INDEX.md': index, 'tasks.md': list }
  const hash = (digit: string) => digit.repeat(40)
  const record = (task: string | null, taskTitle: string | undefined, ...commits: string[]) => ({
    role: 'developer',
    task,
    taskTitle,
    log: '',
    startedAt: NOW,
    endedAt: NOW,
    before: { head: null, branch: 'main' },
    after: { head: null, branch: 'main' },
    commits,
    elsewhere: [],
    left: [],
    uncommitted: [],
  })
  const remembers = (...records: ReturnType<typeof record>[]) =>
    new Map([
      ['turns', JSON.stringify({ first: 1, last: records.length })],
      ...records.map((one, at) => [`turn ${at + 1}`, JSON.stringify(one)] as const),
    ])
  const memory = remembers(
    record('build/1', 'Engine', hash('a')),
    record('build/1', 'Engine', hash('b')),
    record('build/2', 'Sound', hash('c')),
    record(null, undefined, hash('d')),
  )
  const rollBack = (name: string, target: string, values = {}, known = memory, files = done) =>
    act(ncrew, files, name, target, values, NOW, known)
  const kept = expect.arrayContaining(['INDEX.md', 'tasks.md', 'questions', '.noodlecrew', 'CREW_COMPLETE']) as string[]

  it('takes back all attempts at a task, keeps the crew’s own files, and clears its box and heading', () => {
    const { plan: made, after } = rollBack('roll-back', 'build/1')
    expect(made.git).toEqual({ kind: 'revert', commits: [hash('a'), hash('b')], kept })
    expect(after['tasks.md']).toBe(list.replace('✅ COMPLETE', '🔄 IN PROGRESS').replace('[x] Engine', '[ ] Engine'))
    expect(made.remember).toEqual({
      'gate:build': null,
      'reverted commits': JSON.stringify([hash('a'), hash('b')]),
    })
  })

  it('says then which task is pending, and has nothing left to take back of it', () => {
    const { plan: made, after } = rollBack('roll-back', 'build/1')
    const known = new Map([
      ...memory,
      ...Object.entries(made.remember ?? {}).map(([name, value]) => [name, value ?? ''] as const),
    ])
    expect(ncrew.read(runFiles(ncrew, after, known))?.view.reason).toMatchObject({
      value: '“Engine” was rolled back and is open again.',
      source: { file: 'tasks.md' },
    })
    expect(offered(ncrew, after, known).filter((name) => name.startsWith('roll-back'))).toEqual([
      'roll-back build/2',
      'roll-back-phase build',
      'roll-back-run',
    ])
    expect(() => rollBack('roll-back', 'build/1', {}, known, after)).toThrow('No recorded turn has commits')
  })

  it('takes back one attempt, and the task stays', () => {
    const { plan: made } = rollBack('roll-back-attempt', 'build/1', { attempt: '2' })
    expect(made).toMatchObject({
      changes: [],
      git: { commits: [hash('b')] },
      warnings: [expect.stringContaining('checked')],
    })
  })

  it('takes back the whole run with what worked on no task, and opens a finished project again', () => {
    const finished = { ...done, CREW_COMPLETE: '', 'INDEX.md': index.replace('in_progress', 'complete') }
    const { plan: made, after } = rollBack('roll-back-run', '', {}, memory, finished)
    expect(made.git).toMatchObject({ commits: ['a', 'b', 'c', 'd'].map(hash) })
    expect(after).toEqual({
      'INDEX.md': index,
      'tasks.md': list.replace('✅ COMPLETE', '⏳ PENDING').replaceAll('[x]', '[ ]'),
    })
  })

  it('finds a task by what it said where one was added above it', () => {
    const moved = { ...done, 'tasks.md': list.replace('- [x] Engine', '- [x] Design\n- [x] Engine') }
    const { plan: made, after } = rollBack('roll-back', 'build/3', {}, memory, moved)
    expect(made.git).toMatchObject({ commits: [hash('c')] })
    expect(after['tasks.md']).toContain('- [ ] Sound')
    expect(rollBack('roll-back-phase', 'build', {}, memory, moved).plan.warnings).toEqual([
      expect.stringContaining('1 task without a recorded turn'),
    ])
  })
})

it('Nothing is offered for an archived project, or for what is none', () => {
  expect(offered(ncrew, { 'archive/INDEX.md': index, 'archive/tasks.md': tasks })).toEqual([])
  expect(offered(ncrew, { 'INDEX.md': '# A page\n' })).toEqual([])
})
