/** Specification 002 (ncrew: state files), section by section: what is read from its files, what breaks its rules, and how they drive the loop. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyEdits } from '../../src-main/formats/finding'
import { ncrew } from '../../src-main/formats/ncrew/format'
import { initCrew } from '../../src-main/loops/ncrew/init'
import { crewLimits, crewUsage } from '../../src-main/loops/ncrew/crewLimits'
import { buildPrompt } from '../../src-main/loops/ncrew/prompt'
import { resolve as resolveTurn } from '../../src-main/loops/ncrew/resolve'
import { checkTermination } from '../../src-main/loops/ncrew/termination'
import { describeRows } from '../../src-main/projects/read/describeRun'
import { crewState } from '../support/crewState'
import { onlyRun, runsIn, validated } from '../support/projectFiles'

const only = (files: Record<string, string>) => onlyRun(ncrew, files).reading
const example = (name: string) => readFileSync(resolve('test/fixtures/spec002', name), 'utf8')
const index = example('INDEX.md')
const tasks = example('tasks.md')
const question = example('question.md')
const blocked = index.replace('in_progress', 'blocked')
const project = { 'INDEX.md': index, 'tasks.md': tasks }
const asked = { ...project, 'INDEX.md': blocked, 'questions/software-architect-001-auth.md': question }

const rules = (contents: Record<string, string>) => [
  ...new Set(validated(ncrew, contents).map((line) => line.split(' ')[2]?.replace(/:$/, ''))),
]
const state = (contents: Record<string, string>) => only(contents).view.state.value
const withIndex = (from: string | RegExp, to: string) => ({ ...project, 'INDEX.md': index.replace(from, to) })

describe('Quick reference', () => {
  it.each([
    ['INDEX.md', 'ncrew init'],
    ['tasks.md', 'ncrew init'],
    ['questions/', 'an expert'],
    ['CREW_COMPLETE', 'an expert'],
  ] as const)('%s is created by %s', async (name, creator) => {
    const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-init-'))
    try {
      const crew = resolve('resources/ncrew/default')
      const { created } = await initCrew({ folder, name: 'x', idea: 'An idea.', crew, now: 0 })
      const isThere = created.some((path) => path === name || (path.startsWith(name) && path.endsWith('.md')))
      expect(isThere ? 'ncrew init' : 'an expert').toBe(creator)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('INDEX.md', () => {
  it('of the specification breaks no rule', () => {
    expect(validated(ncrew, project)).toEqual([])
  })

  it('tells status, phase, iteration, cost and time, each with its place', () => {
    const { view } = only(project)
    expect(view).toMatchObject({
      system: 'ncrew',
      state: { value: 'running', written: 'in_progress', source: { file: 'INDEX.md', pointer: '/status', line: 3 } },
      currentPhase: { value: 'architecture' },
      updatedAt: { value: Date.parse('2026-01-28T14:52:33Z'), source: { pointer: '/updated' } },
      meters: [
        {
          unit: 'iterations',
          used: { value: 42, source: { pointer: '/current_iteration' } },
          limit: { value: 100, source: null },
        },
        { unit: 'USD', used: { value: 8.47, source: { pointer: '/cost_so_far' } }, limit: { value: 30, source: null } },
      ],
    })
  })

  it('has seven fields that have to be there', () => {
    expect(
      validated(ncrew, { ...project, '.noodlecrew/CREW.md': '', 'INDEX.md': '---\n{}\n---\n' }).map(
        (line) => line.split('; ')[1],
      ),
    ).toEqual(
      ['type', 'status', 'current_phase', 'current_iteration', 'cost_so_far', 'created', 'updated'].map(
        (name) => `the field “${name}”`,
      ),
    )
  })

  it('has a status of three; the templates’ not_started is read too, and another shown as unknown', () => {
    expect(rules(withIndex('in_progress', 'done'))).toEqual(['ncrew/status'])
    expect(only(withIndex('in_progress', 'done')).view.state).toMatchObject({ value: null, written: 'done' })
    expect(validated(ncrew, withIndex('in_progress', 'not_started'))).toEqual([
      'INDEX.md:3:9 info ncrew/status: "not_started"; in_progress, blocked or complete',
    ])
    expect(state(withIndex('in_progress', 'not_started'))).toBe('planning')
  })

  it('has whole iterations, a cost from 0 on, times of ISO 8601 and a phase that is there', () => {
    expect(validated(ncrew, withIndex('42', '-1'))).toEqual([
      'INDEX.md:5:20 error ncrew/current-iteration: -1; a whole number from 0 on',
    ])
    expect(rules(withIndex('8.47', 'a lot'))).toEqual(['ncrew/cost-so-far'])
    expect(rules(withIndex('"2026-01-28"', 'yesterday'))).toEqual(['ncrew/time'])
    expect(rules(withIndex('current_phase: architecture', 'current_phase: testing'))).toEqual(['ncrew/current-phase'])
  })

  it('counts in its text what tasks.md counts', () => {
    const text = (progress: string) => ({
      ...project,
      'INDEX.md': `${index}\n# X\n- **Progress:** ${progress} tasks\n- **Iteration:** 42/100\n`,
    })
    expect(validated(ncrew, text('3/7'))).toEqual([])
    expect(validated(ncrew, text('4/7'))).toEqual([
      'INDEX.md:12:1 warning ncrew/counts: "- **Progress:** 4/7 tasks"; 3/7 tasks, as tasks.md says',
    ])
  })

  it('may be without front matter: then its table is read', () => {
    const table =
      '# Finance\n\n| Field | Value |\n|---|---|\n| **Phase** | Discovery |\n| Status | in_progress |\n| Expert | - |\n'
    const { view } = only({ 'INDEX.md': table, 'TODO.md': '# TODO\n\n## Discovery Phase\n- [ ] One\n' })
    expect(view).toMatchObject({
      title: { value: 'Finance' },
      state: { value: 'running', source: { line: 6 } },
      meters: [{ used: { value: null } }, { used: { value: null } }],
    })
    expect(rules({ 'INDEX.md': table, 'TODO.md': tasks })).toEqual(['ncrew/front-matter'])
  })

  it('with its name still to be filled in is a template', () => {
    const template = {
      'INDEX.md': `${index}\n# {{project_name}}\n`,
      'tasks.md': tasks.replace(/^project: .*$/m, 'project: {{project_name}}'),
    }
    expect(runsIn(ncrew, template)).toEqual([])
    expect(runsIn(ncrew, { ...template, 'tasks.md': tasks })).toHaveLength(1)
  })

  it('may be without front matter and table beside tasks and questions', () => {
    const files = { 'INDEX.md': '# Tapes\n\nWe build a tape archive.\n', 'tasks.md': tasks, 'questions/x.md': question }
    expect(only(files).view).toMatchObject({ title: { value: 'Tapes' }, state: { value: 'waiting' } })
    expect(runsIn(ncrew, { 'INDEX.md': '# Notes\n', 'tasks.md': tasks })).toEqual([])
    expect(runsIn(ncrew, { 'INDEX.md': '# Notes\n', 'tasks.md': '# Shopping\n', 'questions/x.md': question })).toEqual(
      [],
    )
  })

  describe('Fields', () => {
    it.each([
      ['status', 'enum', ['in_progress', 'blocked', 'complete'], ['done', '7']],
      ['current_phase', 'string', ['architecture', 'implementation'], ['testing']],
      ['current_iteration', 'integer', ['0', '42'], ['-1', '4.2', 'many']],
      ['cost_so_far', 'float', ['0', '8.47'], ['-0.01', 'free']],
    ] as const)('%s: %s', (name, _type, right, wrong) => {
      const findings = (value: string) =>
        validated(ncrew, withIndex(new RegExp(`^${name}: .*`, 'm'), `${name}: ${value}`)).filter(
          (line) => line.includes(' error ') && !line.includes('contradiction'),
        )
      expect(right.flatMap(findings)).toEqual([])
      expect(wrong.filter((value) => findings(value).length === 0)).toEqual([])
    })
  })

  describe('State transitions', () => {
    it('otherwise: stays in_progress', () => {
      expect(rules(project)).toEqual([])
      expect(state(project)).toBe('running')
      for (const other of ['blocked', 'complete'])
        expect(rules(withIndex('in_progress', other))).toEqual(['ncrew/contradiction'])
    })

    it('an expert creates a blocker: blocked', () => {
      expect(validated(ncrew, asked)).toEqual([])
      expect(state(asked)).toBe('waiting')
      expect(validated(ncrew, { ...asked, 'INDEX.md': index })).toEqual([
        'INDEX.md:3:9 warning ncrew/contradiction: "in_progress"; "blocked", as questions/software-architect-001-auth.md is pending',
      ])
      expect(rules({ ...project, 'INDEX.md': blocked })).toEqual(['ncrew/contradiction'])
    })

    it('an expert creates CREW_COMPLETE: complete', () => {
      const complete = {
        'INDEX.md': index.replace('in_progress', 'complete').replace('architecture', 'implementation'),
        'tasks.md': example('end/tasks.md'),
        CREW_COMPLETE: '',
      }
      expect(rules(complete)).toEqual(['ncrew/front-matter'])
      expect(state(complete)).toBe('done')
      expect(rules(withIndex('in_progress', 'complete'))).toEqual(['ncrew/contradiction'])
    })
  })
})

describe('tasks.md', () => {
  it('has phases with tasks; what its checkboxes say is their status', () => {
    const { view, details } = only(project)
    expect(
      view.phases.map(({ key, title, state: own, tasks: list }) => [
        key,
        title.value,
        own.value,
        own.written,
        list.map((task) => task.state.value),
      ]),
    ).toEqual([
      ['discovery', 'Discovery', 'done', 'COMPLETE', ['done', 'done']],
      ['architecture', 'Architecture', 'active', 'IN PROGRESS', ['done', 'active', 'todo']],
      ['implementation', 'Implementation', 'todo', 'PENDING', ['todo', 'todo']],
    ])
    expect(details.nextTask).toBe('architecture/2')
    expect(view.phases[1]?.tasks[1]?.title).toEqual({
      value: 'ADR-002: Database choice   ← Expert picks this',
      source: { file: 'tasks.md', line: 14 },
    })
  })

  describe('Phase status', () => {
    it.each([
      ['✅', 'COMPLETE', 'all tasks [x]', ['x', 'x'], 'done'],
      ['🔄', 'IN PROGRESS', 'some checked, some unchecked', ['x', ' '], 'active'],
      ['⏳', 'PENDING', 'no tasks checked yet', [' ', ' '], 'todo'],
    ] as const)('%s %s: %s', (emoji, status, _condition, boxes, expected) => {
      const list = boxes.map((box, at) => `- [${box}] Task ${at}\n`).join('')
      const others = ['✅ COMPLETE', '🔄 IN PROGRESS', '⏳ PENDING'].filter((other) => other !== `${emoji} ${status}`)
      const headed = (heading: string) => ({
        ...withIndex('current_phase: architecture', 'current_phase: discovery'),
        'tasks.md': `# Tasks\n\n## Discovery Phase ${heading}\n${list}`,
      })
      const { view, details } = only(headed(`${emoji} ${status}`))
      expect(details.phases).toEqual([{ key: 'discovery', claimed: status, derived: status }])
      expect(view.phases.map((phase) => phase.state.value)).toEqual([expected])
      for (const other of others) expect(only(headed(other)).details.phases[0]?.derived).toBe(status)
    })
  })

  it('is read with broken emoji too, and each can be repaired', () => {
    const damaged = example('tasks.damaged.md')
    const { details } = only({ ...project, 'tasks.md': damaged })
    expect(details.phases.map(({ claimed, derived }) => [claimed, derived])).toEqual([
      ['COMPLETE', 'COMPLETE'],
      ['IN PROGRESS', 'IN PROGRESS'],
      ['PENDING', 'PENDING'],
    ])
    const edits = onlyRun(ncrew, { ...project, 'tasks.md': damaged }).problems.flatMap(
      ({ repair }) => repair?.edits ?? [],
    )
    expect(applyEdits(damaged, edits)).toBe(tasks.replace('←', 'â†'))
  })

  it('is read with every kind of heading that exists', () => {
    const headings = [
      'Discovery Phase - PENDING',
      'Discovery Phase',
      'discovery phase ⏳ pending',
      'Discovery ✅ COMPLETE',
      'Discovery - PENDING',
      'Discovery',
    ]
    for (const heading of headings)
      expect(only({ ...project, 'tasks.md': `## ${heading}\n- [ ] One\n` }).view.phases.map(({ key }) => key)).toEqual([
        'discovery',
      ])
  })

  it('counts checkboxes of its phases only, outside fences', () => {
    const text = '- [ ] stray\n\n## One Phase\n- [x] a\n```\n- [ ] no task\n```\n* [X] b\n'
    expect(only({ ...project, 'tasks.md': text }).view.phases.map(({ tasks: list }) => list.length)).toEqual([2])
    expect(rules({ ...project, 'tasks.md': text })).toContain('ncrew/stray-task')
  })

  it('is neither missing nor another list where it cannot be read', () => {
    const found = rules({ ...project, 'tasks.md': '\0\0' })
    expect(found).toContain('file/text')
    expect(found).not.toEqual(expect.arrayContaining(['ncrew/tasks']))
    expect(found).not.toEqual(expect.arrayContaining(['ncrew/second-tasks']))
  })

  it('keeps every task, however its box is written: a mark that nobody knows is not done', () => {
    const text = '## ✅ Phase 1: Discovery (COMPLETE)\n- [x] a\n1. [ ] b\n2) [x] c\n* [ ] d\n- [~] e\n- [-] f\n'
    const { view, details } = only({ ...project, 'tasks.md': text })
    expect(details.phases).toEqual([{ key: 'discovery', claimed: 'COMPLETE', derived: 'IN PROGRESS' }])
    expect(view.phases[0]?.tasks.map(({ title, state: own }) => [title.value, own.value, own.written])).toEqual([
      ['a', 'done', undefined],
      ['b', 'active', undefined],
      ['c', 'done', undefined],
      ['d', 'todo', undefined],
      ['e', null, '[~]'],
      ['f', null, '[-]'],
    ])
    const unknown = only({ ...project, 'tasks.md': '## Discovery Phase\n- [x] a\n- [~] b\n' })
    expect(unknown.view.phases[0]?.state.value).toBe('active')
    expect(rules({ ...project, 'tasks.md': text })).toContain('ncrew/task-mark')
  })

  it('has phases in an order: tasks of a later one are not ready', () => {
    const { view } = only(project)
    const rows = describeRows({ view })
    expect(rows.map(({ key, standing }) => [key, standing])).toEqual([
      ['discovery', 'done'],
      ['discovery/1', 'done'],
      ['discovery/2', 'done'],
      ['architecture', 'active'],
      ['architecture/1', 'done'],
      ['architecture/2', 'active'],
      ['architecture/3', 'ready'],
      ['implementation', 'blocked'],
      ['implementation/1', 'blocked'],
      ['implementation/2', 'blocked'],
    ])
    expect(rows.at(-1)?.blockedBy).toEqual([{ key: 'architecture', why: 'unfinished' }])
  })

  it('at its limit of iterations or cost needs the person, and the limit can be raised', () => {
    const manifest = '# ours\nphases: [discovery, architecture, implementation]\nexecution:\n  max_iterations: 42\n'
    const files = { ...project, '.noodlecrew/manifest.yml': manifest }
    expect(only(files).view.needs).toMatchObject([
      { kind: 'limit', source: { file: '.noodlecrew/manifest.yml', line: 4 } },
    ])
    expect(only({ ...project, 'INDEX.md': index.replace('42', '100') }).view.needs).toMatchObject([
      { kind: 'limit', source: { file: 'INDEX.md' } },
    ])
    expect(only(project).view.needs).toEqual([])
  })

  it('may have a heading that says something else than its checkboxes: both are kept', () => {
    expect(validated(ncrew, { ...project, 'tasks.md': tasks.replace('⏳ PENDING', '🔄 IN PROGRESS') })).toEqual([
      'tasks.md:17:1 info ncrew/heading-status: IN PROGRESS; PENDING, as the checkboxes say',
    ])
  })

  it('has one phase of a name, and one list in a project', () => {
    expect(rules({ ...project, 'tasks.md': `${tasks}\n## Discovery Phase ⏳ PENDING\n- [ ] x\n` })).toContain(
      'ncrew/phase-unique',
    )
    expect(rules({ ...project, '.noodlecrew/tasks.md': tasks })).toEqual(['ncrew/second-tasks'])
    expect(
      only({ ...project, '.noodlecrew/tasks.md': '## Build Phase\n- [ ] x\n' }).view.phases.map(({ key }) => key),
    ).toEqual(['build'])
  })
})

describe('questions/ (blockers)', () => {
  it('of the specification is a need with its options and the line to answer in', () => {
    const { view, details } = only(asked)
    expect(view.needs).toMatchObject([
      {
        kind: 'question',
        title: 'Authentication Strategy',
        options: [
          'Option A: SAML only (enterprise standard)',
          'Option B: OIDC only (modern, easier)',
          'Option C: Both (maximum compatibility)',
        ],
        source: { file: 'questions/software-architect-001-auth.md', line: 28 },
        since: { value: Date.parse('2026-01-28') },
      },
    ])
    expect(details.questions).toMatchObject([{ from: 'software-architect', status: 'pending', decision: null }])
  })

  it('is answered when the decision is more than a blank', () => {
    const decision = (line: string) =>
      only({ ...asked, 'questions/software-architect-001-auth.md': question.replace('**Decision:** ___', line) })
        .details.questions[0]?.decision
    expect(['**Decision:** Option A', '**Decision**: Both, with care'].map(decision)).toEqual([
      'Option A',
      'Both, with care',
    ])
    expect(
      ['**Decision:** ___', '**Decision:**', '**Decision**: ________', '**Decision:** [Write your choice here]'].map(
        decision,
      ),
    ).toEqual([null, null, null, null])
  })

  it('one that is not clearly resolved needs the person, with the reason', () => {
    for (const [name, text] of [
      ['architect-001-a.md', question.replace('pending', 'open')],
      ['architect-001-a.markdown', '# Which one?\n'],
      ['architect-001-a.md', question.slice(0, 40)],
    ] as const) {
      const { view } = only({ ...project, [`questions/${name}`]: text })
      expect(view).toMatchObject({
        state: { value: 'waiting' },
        needs: [{ kind: text.length === 40 ? 'unreadable' : 'question' }],
      })
      expect(view.reason.value).toContain('not clearly resolved')
      expect(view.needs[0]?.detail).toContain('Not clearly resolved:')
    }
  })

  it('resolved has an answer, pending has none', () => {
    const file = 'questions/software-architect-001-auth.md'
    expect(
      validated(ncrew, { ...project, 'INDEX.md': index, [file]: question.replace('pending', 'resolved') }),
    ).toEqual([`${file}:28:1 error ncrew/contradiction: "**Decision:** ___"; a decision, as the status is "resolved"`])
    expect(validated(ncrew, { ...asked, [file]: question.replace('Decision:** ___', 'Decision:** A') })).toEqual([
      `${file}:5:9 warning ncrew/contradiction: "pending"; "resolved", as a decision is written below`,
    ])
    const resolved = {
      ...asked,
      [file]: question.replace('pending', 'resolved').replace('Decision:** ___', 'Decision:** A'),
    }
    expect(only(resolved).view).toMatchObject({
      state: { value: 'ready' },
      reason: { value: 'Every question is answered.' },
      needs: [],
    })
    // INDEX.md says so until the crew's next turn.
    expect(validated(ncrew, resolved)).toEqual([])
  })

  it('is found in all places where versions put it', () => {
    const everywhere = {
      ...project,
      'INDEX.md': blocked,
      '.noodlecrew/questions/a-1-x.md': question,
      'questions/a-2-y.md': question,
      'questions/to-user/a-3-z.md': question,
    }
    expect(only(everywhere).view.needs).toHaveLength(3)
    const named = {
      ...project,
      '.noodlecrew/manifest.yml': 'workflow:\n  questions_dir: ask/me\n',
      'ask/me/a-1-x.md': question,
    }
    expect(only(named).view.needs).toHaveLength(1)
  })

  it('is named {expert}-{number}-{topic}.md and has five fields and a line for the answer', () => {
    expect(rules({ ...project, 'INDEX.md': blocked, 'questions/auth.md': question })).toEqual(['ncrew/question-name'])
    expect(rules({ ...asked, 'questions/b-1-x.md': '---\nstatus: pending\n---\n# BLOCKER: X\n' })).toEqual([
      'ncrew/required',
      'ncrew/answer',
    ])
  })
})

describe('CREW_COMPLETE', () => {
  it('ends the run, whatever else is written', () => {
    expect(state({ ...asked, CREW_COMPLETE: '' })).toBe('done')
  })

  it('contradicts a task that is open', () => {
    expect(
      validated(ncrew, { ...project, 'INDEX.md': index.replace('in_progress', 'complete'), CREW_COMPLETE: '' }),
    ).toEqual([
      'tasks.md:14:1 error ncrew/contradiction: "- [ ] ADR-002: Database choice   ← Expert picks this"; a checked task, as CREW_COMPLETE says that all are done',
    ])
  })

  it('is an empty file', () => {
    expect(rules({ ...project, CREW_COMPLETE: 'done' })).toContain('ncrew/complete')
  })

  describe('Orchestrator check', () => {
    const manifest = (text: string) => ({ '.noodlecrew/manifest.yml': text })
    const gate = manifest('phases: [discovery, architecture]\nvalidation:\n  human_gates: [discovery]\n')
    const between = { ...project, ...gate, 'tasks.md': tasks.replace('- [x] ADR-001', '- [ ] ADR-001') }

    it('2. a pending question comes before everything but CREW_COMPLETE', () => {
      expect(state({ ...asked, ...gate, 'tasks.md': between['tasks.md'] })).toBe('waiting')
    })

    it('3. a gate holds when its phase has just been completed, not inside it nor later', () => {
      expect(only(between).view).toMatchObject({
        state: { value: 'gate' },
        needs: [
          {
            kind: 'gate',
            title: 'Approve phase Discovery',
            source: { file: '.noodlecrew/manifest.yml', pointer: '/validation/human_gates/0' },
          },
        ],
      })
      expect(state({ ...project, ...gate })).toBe('running')
      expect(state({ ...between, 'tasks.md': between['tasks.md'].replace('[x] Define', '[ ] Define') })).toBe('running')
    })

    it('4. and 5. iterations and cost end it at their limits', () => {
      expect(state({ ...project, ...manifest('execution:\n  max_iterations: 42\n') })).toBe('limit')
      expect(state({ ...project, ...manifest('execution:\n  max_cost: 8.47\n') })).toBe('limit')
      expect(state({ ...project, ...manifest('crew:\n  llm:\n    max_cost: 5\n') })).toBe('limit')
    })

    it('6. otherwise it goes on', () => {
      expect(state({ ...project, ...manifest('execution:\n  max_iterations: 43\n') })).toBe('running')
    })
  })
})

describe('State evolution example', () => {
  const at = (name: string, more: Record<string, string> = {}) =>
    only({ 'INDEX.md': example(`${name}/INDEX.md`), 'tasks.md': example(`${name}/tasks.md`), ...more })

  it('starts in discovery, whose heading is ahead of its checkboxes', () => {
    const { view, details } = at('start')
    expect([view.state.value, view.currentPhase.value, view.meters[0]?.used.value]).toEqual(['running', 'discovery', 1])
    expect(details.phases[0]).toEqual({ key: 'discovery', claimed: 'IN PROGRESS', derived: 'PENDING' })
  })

  it('ends with CREW_COMPLETE and everything checked', () => {
    const { view, details } = at('end', { CREW_COMPLETE: '' })
    expect([view.state.value, view.currentPhase.value, view.meters[0]?.used.value, details.nextTask]).toEqual([
      'done',
      'implementation',
      47,
      null,
    ])
    expect(view.phases.every((phase) => phase.state.value === 'done')).toBe(true)
  })
})

describe('The manifest', () => {
  const manifest = `project:
  name: x
crew:
  default_llm: claude
  experts:
    - role: product-owner
      phase: discovery
    - role: software-architect
    - role: developer
      phase: implementation
phases: [discovery, architecture, implementation]
validation:
  human_gates: [architecture]
`
  const expert = {
    '.noodlecrew/experts/software-architect/EXPERT.md':
      '---\nrole: software-architect\nphase: architecture\nllm_override: gemini\n---\n# Architect\n',
  }

  it('names the experts of the phases, with what their own files add', () => {
    const files = { ...project, '.noodlecrew/manifest.yml': manifest, ...expert }
    expect(validated(ncrew, files)).toEqual([])
    const { view, details } = only(files)
    expect(view.phases.map(({ owner }) => owner?.value)).toEqual(['product-owner', 'software-architect', 'developer'])
    expect(details.experts.map(({ llm }) => llm)).toEqual(['claude', 'gemini', 'claude'])
  })

  it('has an expert for each phase, and gates that are phases', () => {
    expect(rules({ ...project, '.noodlecrew/manifest.yml': manifest })).toEqual([
      'ncrew/expert-phase',
      'ncrew/phase-expert',
    ])
    expect(
      rules({ ...project, ...expert, '.noodlecrew/manifest.yml': manifest.replace('[architecture]', '[testing]') }),
    ).toEqual(['ncrew/gate-exists'])
  })

  it('may be of older versions: config.yml, or .noodlecrew.yml at the root', () => {
    for (const name of ['.noodlecrew/config.yml', '.noodlecrew.yml'])
      expect(only({ ...project, [name]: manifest }).details.experts).toHaveLength(3)
  })
})

describe('Runs', () => {
  it('say which files of theirs nobody knows', () => {
    expect(validated(ncrew, { ...project, '.noodlecrew/WORKFLOW.md': '', '.noodlecrew/notes.txt': '' })).toEqual([
      '.noodlecrew/notes.txt:1:1 info ncrew/unknown-file: a file that ncrew does not know; a file of the specification',
    ])
  })

  it('may have JSON between the lines of ---', () => {
    const json = '---\n{\n  "type": "project",\n  "status": "in_progress",\n  "current_iteration": 3\n}\n---\n'
    expect(only({ ...project, 'INDEX.md': json }).view).toMatchObject({
      state: { value: 'running', source: { file: 'INDEX.md', pointer: '/status', line: 4 } },
      meters: [{ used: { value: 3 } }, { used: { value: null, source: { file: 'INDEX.md' } } }],
    })
  })

  it('are told from any other INDEX.md', () => {
    expect(runsIn(ncrew, { 'docs/INDEX.md': '# Contents\n' })).toEqual([])
    expect(only({ 'crew/.noodlecrew/CREW.md': '' }).view.folder).toBe('crew')
  })
})

describe('The loop', () => {
  const crew = {
    ...project,
    '.noodlecrew/manifest.yml':
      'crew:\n  default_llm: claude\n  experts:\n    - role: product-owner\n      phase: discovery\n    - role: software-architect\n      phase: architecture\n    - role: developer\n      phase: implementation\nphases: [discovery, architecture, implementation]\nvalidation:\n  human_gates: [discovery]\n',
  }
  const turnOf = (files: Record<string, string>) => {
    const resolution = resolveTurn(crewState(files))
    return 'code' in resolution ? resolution.code : [resolution.turn.expert.role, resolution.turn.task]
  }
  const check = (files: Record<string, string>, wanted: { maxIterations?: number; maxCost?: number } = {}) => {
    const read = crewState(files)
    return checkTermination(read, crewUsage(read), crewLimits(read, wanted), new Map()).code
  }

  describe('Expert behavior', () => {
    it('1. to 3. the first phase with unchecked tasks, its first unchecked task, by its expert', () => {
      expect(turnOf(crew)).toEqual(['software-architect', 'ADR-002: Database choice   ← Expert picks this'])
    })

    it('is not told from what INDEX.md says', () => {
      expect(
        turnOf({ ...crew, 'INDEX.md': index.replace('current_phase: architecture', 'current_phase: implementation') }),
      ).toEqual(turnOf(crew))
    })
  })

  describe('Orchestrator check', () => {
    const between = { ...crew, 'tasks.md': tasks.replace('- [x] ADR-001', '- [ ] ADR-001') }
    const pending = { 'questions/software-architect-001-auth.md': question }
    const least = { maxIterations: 1, maxCost: 1 }

    it.each([
      ['1. CREW_COMPLETE exists: exit success', { ...between, ...pending, CREW_COMPLETE: '' }, least, 0],
      ['2. questions/ has pending: pause', { ...between, ...pending }, least, 10],
      ['3. phase in human_gates, which has just completed: pause', between, least, 11],
      ['4. iteration >= max: exit safety', crew, { maxIterations: 42, maxCost: 1 }, 20],
      ['5. cost >= max: exit budget', crew, { maxIterations: 43, maxCost: 8.47 }, 21],
      ['6. otherwise: loop', crew, { maxIterations: 43, maxCost: 8.48 }, 100],
    ] as const)('%s', (_name, files, wanted, code) => {
      expect(check(files, wanted)).toBe(code)
    })

    it('does not parse tasks.md to know that all is done', () => {
      const checked = { ...crew, 'tasks.md': tasks.replaceAll('[ ]', '[x]') }
      expect(check(checked)).toBe(100)
      expect(turnOf(checked)).toEqual(['developer', undefined])
    })
  })

  describe('Lifecycle of a blocker', () => {
    const file = 'questions/software-architect-001-auth.md'
    const answered = question
      .replace('status: pending', 'status: resolved')
      .replace('**Decision:** ___', '**Decision:** Option A')
      .replace('**Reason:** ___', '**Reason:** Every customer has it')

    it('pending pauses; resolved goes on, with the answer as context', () => {
      expect([check({ ...crew, [file]: question }), check({ ...crew, [file]: answered })]).toEqual([10, 100])
      const { questions } = crewState({ ...crew, [file]: answered })
      const nothing = {
        expert: undefined,
        workflow: undefined,
        idea: undefined,
        index: undefined,
        tasks: undefined,
        artefacts: [],
        templates: [],
        openBoxes: [],
      }
      const prompt = buildPrompt({
        ...nothing,
        role: 'software-architect',
        phase: 'architecture',
        task: 'ADR-002',
        questions,
        questionsFolder: 'questions',
      })
      expect(prompt).toContain(
        '## Previously Resolved Questions\n\n### BLOCKER: Authentication Strategy\n\n**Question:** Should we support SAML, OIDC, or both?\n\n**Answer:** Option A - Every customer has it\n\n**Date:** 2026-01-28',
      )
    })
  })

  it('starts from what `ncrew init` writes: INDEX.md, tasks.md and questions/ at the root, and a workflow with the specification’s rules', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-init-'))
    try {
      const made = await initCrew({
        folder,
        name: 'my-project',
        idea: 'An idea.',
        crew: resolve('resources/ncrew/default'),
        now: Date.parse('2026-01-28T14:52:33Z'),
      })
      const files = Object.fromEntries(made.created.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
      expect(validated(ncrew, files)).toEqual([])
      expect(files['INDEX.md']).toContain(
        '---\ntype: project\nstatus: in_progress\ncurrent_phase: discovery\ncurrent_iteration: 0\ncost_so_far: 0.00\ncreated: "2026-01-28"\nupdated: "2026-01-28T14:52:33Z"\n---\n',
      )
      expect([existsSync(join(folder, 'tasks.md')), existsSync(join(folder, 'questions'))]).toEqual([true, true])
      expect(turnOf(files)).toEqual(['product-owner', 'Write the product vision'])
      for (const rule of [
        'contradict',
        'business decision',
        'direction of the product',
        'preferences',
        'confirmation',
        'reasonably assumed',
        'touch CREW_COMPLETE',
        'status: pending',
        'One task a turn',
      ])
        expect(files['.noodlecrew/WORKFLOW.md']).toContain(rule)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
