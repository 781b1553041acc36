/** What a person does with a Maestro session, byte by byte, in both syntaxes of its front matter. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { act as actOn, actionsOf, NOW, offered, runFiles, type Texts } from '../../../../test/support/actions'
import type { EditValues } from '@shared/contract/edits'
import { readFrontMatter } from '../../text/frontMatter'
import { plain } from '../../text/located'
import { StateText } from '../../text/stateFile'
import { maestro } from '../format'
import { CHOOSE_MODE } from '../needs'

const example = (name: string) => readFileSync(resolve('test/fixtures/spec003', name), 'utf8')
const yaml = example('active-session.md')
const json = example('active-session-1.6.md')
const yamlFile = '.gemini/state/active-session.md'
const jsonFile = 'docs/maestro/state/active-session.md'
const now = '2026-03-02T10:00:00.000Z'

const replaced = (text: string, ...changes: readonly (readonly [string, string])[]) => {
  let result = text
  for (const [from, to] of changes) {
    if (result.split(from).length !== 2) throw new Error(`${from} stands there ${result.split(from).length - 1} times.`)
    result = result.replace(from, () => to)
  }
  return result
}
const yamlUpdated = ['"2026-02-24T10:03:05.771Z"', `"${now}"`] as const
const jsonUpdated = ['"2026-05-04T07:40:00.000Z"', `"${now}"`] as const
const inYaml = (text: string, name: string, target = '', values: EditValues = {}) =>
  actOn(maestro, { [yamlFile]: text }, name, target, values)
const inJson = (text: string, name: string, target = '', values: EditValues = {}) =>
  actOn(maestro, { [jsonFile]: text }, name, target, values)
const refused =
  (files: Texts, name: string, target = '', values: EditValues = {}) =>
  () =>
    maestro.plan(runFiles(maestro, files), { name, target, values, now: NOW })
const view = (files: Texts) => maestro.read(runFiles(maestro, files))?.view
const values = (text: string) => {
  const { root } = readFrontMatter(new StateText('s.md', text)).document
  return root ? plain(root) : undefined
}
/** What answers each need, by the need's title. */
const answering = (files: Texts) =>
  view(files)?.needs.map(({ title, source }) => [
    title,
    actionsOf(maestro, files).flatMap((action) =>
      action.answersNeed && action.source.pointer === source.pointer && action.source.file === source.file
        ? [action.name]
        : [],
    ),
  ])
const errorOpen = 'resolution: "pending"\n        resolved: false'
const errorSaid = (text: string) => `resolution: ${JSON.stringify(text)}\n        resolved: true`

describe('Retrying a failed phase', () => {
  it('changes status, retries, the error and the time', () => {
    const { plan, after } = inYaml(yaml, 'retry', '2', { resolution: 'Timeout is 20 minutes now' })
    expect(after[yamlFile]).toBe(
      replaced(
        yaml,
        yamlUpdated,
        ['"failed"', '"in_progress"'],
        ['retry_count: 2', 'retry_count: 3'],
        [errorOpen, errorSaid('Timeout is 20 minutes now')],
      ),
    )
    expect(plan.warnings).toEqual([
      expect.stringContaining('All 2 retries were used up'),
      expect.stringContaining('check them with git'),
    ])
    expect(view(after)).toMatchObject({ state: { value: 'running' }, needs: [] })
  })

  it('makes it the current phase', () => {
    const text = replaced(yaml, ['current_phase: 2', 'current_phase: 1 # theirs'])
    expect(inYaml(text, 'retry', '2', { resolution: 'x' }).after[yamlFile]).toContain('\ncurrent_phase: 2 # theirs\n')
  })

  it('clears the time of its end, and sets that of its start where there is none', () => {
    const failed = yaml.slice(0, yaml.indexOf('status: "failed"'))
    const rest = yaml.slice(failed.length)
    const ended =
      failed +
      rest.replace(/completed: null/, 'completed: "2026-02-24T10:00:00Z"').replace(/started: "[^"]*"/, 'started: null')
    expect(ended).not.toBe(yaml)
    const { after } = inYaml(ended, 'retry', '2', { resolution: 'x' })
    const phase = (after[yamlFile] ?? '').slice(failed.length)
    expect(/started: (.*)/.exec(phase)?.[1]).toContain('2026-03-02T10:00:00.000Z')
    expect(/completed: (.*)/.exec(phase)?.[1]).toBe('null')
    expect(maestro.validate(runFiles(maestro, after)).map(({ rule }) => rule)).not.toContain('maestro/phase-times')
  })

  it('in JSON', () => {
    const text = replaced(json, [
      '"status": "in_progress",\n      "agents": ["coder"]',
      '"status": "failed",\n      "agents": ["coder"]',
    ])
    const at = text.indexOf('"retry_count": 0')
    const expected = replaced(text, jsonUpdated, ['"failed"', '"in_progress"'])
    expect(inJson(text, 'retry', 'writer').after[jsonFile]).toBe(
      expected.replace('"retry_count": 0', '"retry_count": 1'),
    )
    expect(at).toBeGreaterThan(0)
  })

  it('is refused for a phase that did not fail, and while it waits for another', () => {
    expect(refused({ [yamlFile]: yaml }, 'retry', '1')).toThrow(/“Queue schema”.*completed/)
    expect(
      refused({ [yamlFile]: replaced(yaml, ['status: "completed"', 'status: "in_progress"']) }, 'retry', '2'),
    ).toThrow('blocked by phase 1, which is not completed')
  })
})

describe('Resolving an error', () => {
  it('changes that entry and the time', () => {
    expect(inYaml(yaml, 'resolve', '2/1', { resolution: 'It’s "fixed"' }).after[yamlFile]).toBe(
      replaced(yaml, yamlUpdated, [errorOpen, errorSaid('It’s "fixed"')]),
    )
  })

  it('answers the need of a phase that goes on', () => {
    const files = { [yamlFile]: replaced(yaml, ['"failed"', '"in_progress"']) }
    expect(answering(files)).toEqual([['Unresolved error in “Retry worker”', ['resolve']]])
    expect(view(actOn(maestro, files, 'resolve', '2/1', { resolution: 'done' }).after)?.needs).toEqual([])
  })

  it('adds what the entry lacks, in its indentation', () => {
    const text = replaced(yaml, [errorOpen, 'resolution: pending'])
    expect(inYaml(text, 'resolve', '2/1', { resolution: 'done' }).after[yamlFile]).toBe(
      replaced(text, yamlUpdated, ['resolution: pending', 'resolution: done\n        resolved: true']),
    )
  })

  it('is done once, and needs a place', () => {
    expect(
      refused(inYaml(yaml, 'resolve', '2/1', { resolution: 'x' }).after, 'resolve', '2/1', { resolution: 'x' }),
    ).toThrow('already resolved')
    const sentence = replaced(yaml, [
      yaml.slice(yaml.indexOf('    errors:\n'), yaml.indexOf('    retry_count: 2')),
      '    errors: ["it broke"]\n',
    ])
    expect(refused({ [yamlFile]: sentence }, 'resolve', '2/1', { resolution: 'x' })).toThrow('without a field')
    expect(refused({ [yamlFile]: yaml }, 'resolve', '2/1', {})).toThrow('Resolution is missing')
  })
})

describe('Skipping a phase', () => {
  it('that is pending changes its status and the time', () => {
    const { plan, after } = inYaml(yaml, 'skip', '3')
    expect(after[yamlFile]).toBe(replaced(yaml, yamlUpdated, ['status: "pending"', 'status: "skipped"']))
    expect(plan.warnings).toEqual([])
    expect(inJson(json, 'skip', 'docs').after[jsonFile]).toBe(
      replaced(json, jsonUpdated, ['"status": "pending"', '"status": "skipped"']),
    )
  })

  it('that failed is the person’s override, and says why in its error', () => {
    const { plan, after } = inYaml(yaml, 'skip', '2', { reason: 'not needed' })
    expect(after[yamlFile]).toBe(
      replaced(yaml, yamlUpdated, ['"failed"', '"skipped"'], [errorOpen, errorSaid('skipped by operator: not needed')]),
    )
    expect(plan.warnings).toEqual([expect.stringContaining('failed to skipped')])
    expect(refused({ [yamlFile]: yaml }, 'skip', '2')).toThrow('Reason is missing')
    expect(refused({ [yamlFile]: yaml }, 'skip', '1')).toThrow(/“Queue schema”.*completed/)
  })

  it('says which phases wait for it', () => {
    const text = replaced(json, [
      '"status": "in_progress",\n      "agents": ["coder"]',
      '"status": "pending",\n      "agents": ["coder"]',
    ])
    expect(inJson(text, 'skip', 'writer').plan.warnings).toEqual([
      expect.stringMatching(/^“Documentation” needs it completed/),
    ])
  })
})

describe('Choosing a mode', () => {
  const open = replaced(
    yaml,
    ['execution_mode: "parallel"', 'execution_mode: null'],
    ['"failed"', '"pending"'],
    [errorOpen, errorSaid('x')],
  )

  it('answers the gate with one word', () => {
    expect(answering({ [yamlFile]: open })).toEqual([[CHOOSE_MODE, ['choose-mode']]])
    expect(inYaml(open, 'choose-mode', '', { mode: 'sequential' }).after[yamlFile]).toBe(
      replaced(open, yamlUpdated, ['execution_mode: null', 'execution_mode: sequential']),
    )
    expect(
      inJson(replaced(json, ['"execution_mode": "sequential"', '"execution_mode": null']), 'choose-mode', '', {
        mode: 'parallel',
      }).after[jsonFile],
    ).toBe(replaced(json, jsonUpdated, ['"execution_mode": "sequential"', '"execution_mode": "parallel"']))
  })

  it('is offered while there is none, and takes one of two', () => {
    expect(offered(maestro, { [yamlFile]: yaml })).not.toContain('choose-mode')
    expect(refused({ [yamlFile]: open }, 'choose-mode', '', { mode: 'both' })).toThrow('one of the options')
  })
})

describe('Reconciling', () => {
  it('writes the lists that changed and takes the mark away', () => {
    const { after } = inJson(json, 'reconcile', 'writer', { created: 'src/csv.ts\n\n src/quote.ts ', modified: '' })
    expect(values(after[jsonFile] ?? '')).toEqual({
      ...(values(json) as object),
      updated: now,
      phases: (values(json) as { phases: object[] }).phases.map((phase, index) =>
        index === 0
          ? { ...phase, files_created: ['src/csv.ts', 'src/quote.ts'], requires_reconciliation: false }
          : phase,
      ),
    })
    expect(after[jsonFile]).toContain('"files_created": ["src/csv.ts", "src/quote.ts"],\n      "files_modified": [],')
    expect(answering({ [jsonFile]: json })).toEqual([['List the files that phase “CSV writer” changed', ['reconcile']]])
  })

  it('in YAML, with brackets or dashes as they are', () => {
    const text = replaced(yaml, [
      '    files_modified: ["src/worker.ts"]\n',
      '    files_modified:\n      - src/worker.ts\n    requires_reconciliation: true\n',
    ])
    const { after } = inYaml(text, 'reconcile', '2', { created: 'a.ts', modified: 'src/worker.ts\nb: c.ts' })
    const at = text.indexOf('id: 2')
    const expected =
      text.slice(0, at) +
      text
        .slice(at)
        .replace('files_created: []', 'files_created: ["a.ts"]')
        .replace('      - src/worker.ts\n', '      - src/worker.ts\n      - "b: c.ts"\n')
        .replace('requires_reconciliation: true', 'requires_reconciliation: false')
    expect(after[yamlFile]).toBe(replaced(expected, yamlUpdated))
  })
})

describe('Aborting', () => {
  it('sets the session to failed', () => {
    const at = yaml.indexOf('status:')
    expect(inYaml(yaml, 'abort').after[yamlFile]).toBe(
      replaced(yaml.slice(0, at) + yaml.slice(at).replace('"in_progress"', '"failed"'), yamlUpdated),
    )
    expect(view(inYaml(yaml, 'abort').after)).toMatchObject({ state: { value: 'failed' } })
  })
})

describe('Archiving', () => {
  const done = replaced(
    yaml,
    ['status: "failed"', 'status: "completed"'],
    ['status: "pending"', 'status: "completed"'],
    [errorOpen, errorSaid('done')],
  )
  const plans: Texts = {
    '.gemini/plans/2026-02-24-webhook-retries-design.md': '---\ntitle: D\n---\n',
    '.gemini/plans/2026-02-24-webhook-retries-impl-plan.md': '# Plan\r\n',
  }
  const archived = '.gemini/state/archive/2026-02-24-webhook-retries.md'

  it('moves design, plan and session, in this order, and completes it', () => {
    const files = {
      [yamlFile]: done,
      ...plans,
      '.gemini/state/2026-02-24-webhook-retries.design-gate.json':
        '{"session_id":"2026-02-24-webhook-retries","entered_at":"2026-02-24T09:00:00Z","approved_at":"2026-02-24T09:10:00Z","design_document_path":null}',
    }
    expect(answering(files)).toEqual([['Review and archive the session', ['archive']]])
    const plan = maestro.plan(runFiles(maestro, files), { name: 'archive', target: '', values: {}, now: NOW })
    const at = done.indexOf('status:')
    const text = replaced(done.slice(0, at) + done.slice(at).replace('"in_progress"', '"completed"'), yamlUpdated)
    expect(plan.changes.map(({ file, after }) => [file, after])).toEqual([
      ['.gemini/plans/archive/2026-02-24-webhook-retries-design.md', '---\ntitle: D\n---\n'],
      ['.gemini/plans/2026-02-24-webhook-retries-design.md', null],
      ['.gemini/plans/archive/2026-02-24-webhook-retries-impl-plan.md', '# Plan\r\n'],
      ['.gemini/plans/2026-02-24-webhook-retries-impl-plan.md', null],
      [archived, text],
      [yamlFile, null],
      ['.gemini/state/2026-02-24-webhook-retries.design-gate.json', null],
    ])
    expect(plan.changes.flatMap(({ file, from }) => (from === undefined ? [] : [[from, file]]))).toContainEqual([
      yamlFile,
      archived,
    ])
    expect(plan.warnings).toEqual([expect.stringContaining('No code review')])
  })

  it('has no warning once the code was reviewed after its last phase', () => {
    const reviewed = `${done}\n## Code Review (passed)\n\nReviewed at ${now}\n`
    const plan = maestro.plan(runFiles(maestro, { [yamlFile]: reviewed, ...plans }), {
      name: 'archive',
      target: '',
      values: {},
      now: NOW,
    })
    expect(plan.warnings).toEqual([])
  })

  it('is blocked by what the review found, until the person accepts it', () => {
    const blocked = `${done}\n## Code Review (blocked: 1 critical, 2 major)\n\nReviewed at ${now}\n\n- critical: no lock\n`
    const files = { [yamlFile]: blocked, ...plans }
    expect(answering(files)).toEqual([['The code review found 1 critical, 2 major', ['accept-review']]])
    expect(refused(files, 'archive')).toThrow('1 critical, 2 major')
    const { after } = actOn(maestro, files, 'accept-review', '', { reason: 'Only one user' })
    expect(after[yamlFile]).toBe(
      replaced(
        blocked,
        yamlUpdated,
        ['(blocked: 1', '(accepted: 1'],
        ['no lock\n', 'no lock\n\nAccepted: Only one user\n'],
      ),
    )
    expect(offered(maestro, after)).toContain('archive')
  })

  it('says what is not done, not resolved and not there', () => {
    const plan = maestro.plan(runFiles(maestro, { [yamlFile]: yaml }), {
      name: 'archive',
      target: '',
      values: {},
      now: NOW,
    })
    expect(plan.warnings).toEqual([
      expect.stringContaining('“Retry worker”, “Docs”'),
      '1 unresolved error.',
      expect.stringContaining('.gemini/plans/2026-02-24-webhook-retries-design.md is missing'),
      expect.stringContaining('.gemini/plans/2026-02-24-webhook-retries-impl-plan.md is missing'),
      expect.stringContaining('No code review'),
    ])
  })

  it('leaves a plan outside its folder where it is', () => {
    const text = done.replace('.gemini/plans/2026-02-24-webhook-retries-design.md', 'docs/design.md')
    const plan = maestro.plan(runFiles(maestro, { [yamlFile]: text, 'docs/design.md': '# D\n' }), {
      name: 'archive',
      target: '',
      values: {},
      now: NOW,
    })
    expect(plan.changes.map(({ file }) => file)).toEqual([archived, yamlFile])
    expect(plan.warnings[0]).toContain('docs/design.md is outside .gemini/plans')
  })

  it('never overwrites, and is refused for an id that is no name and before a reconciliation', () => {
    const occupied = { [yamlFile]: done, ...plans, '.gemini/plans/archive/2026-02-24-webhook-retries-design.md': 'old' }
    expect(refused(occupied, 'archive')).toThrow('already exists')
    expect(refused({ [yamlFile]: done.replace('"2026-02-24-webhook-retries"', '"../../x"') }, 'archive')).toThrow(
      'cannot be the name of an archive',
    )
    expect(refused({ [jsonFile]: json }, 'archive')).toThrow('unclear which files phase “CSV writer” changed')
  })
})

describe('Approving a design', () => {
  const gate = '.gemini/state/2026-06-01-x.design-gate.json'
  const text =
    '{\n  "session_id": "2026-06-01-x",\n  "entered_at": "2026-06-01T08:00:00.000Z",\n  "approved_at": null,\n  "design_document_path": null\n}\n'
  const design = '.gemini/plans/2026-06-01-x-design.md'

  it('writes the time and the design that is there', () => {
    const files = { [gate]: text, [design]: '# X\n' }
    expect(answering(files)).toEqual([['Approve the design of 2026-06-01-x', ['approve']]])
    expect(actOn(maestro, files, 'approve', gate, { design }).after[gate]).toBe(
      replaced(
        text,
        ['"approved_at": null', `"approved_at": "${now}"`],
        ['"design_document_path": null', `"design_document_path": "${design}"`],
      ),
    )
    expect(view(actOn(maestro, files, 'approve', gate).after)?.needs).toEqual([])
  })

  it('keeps the design that is named, and is done once', () => {
    const named = replaced(text, ['"design_document_path": null', '"design_document_path": "x.md"'])
    const { after, plan } = actOn(maestro, { [gate]: named }, 'approve', gate)
    expect(after[gate]).toBe(replaced(named, ['"approved_at": null', `"approved_at": "${now}"`]))
    expect(plan.warnings).toEqual([])
    expect(refused(after, 'approve', gate)).toThrow(`The design was approved at ${now}`)
  })
})

it('A session with CRLF, a byte order mark, comments and unknown keys keeps them', () => {
  const text = `\uFEFF${replaced(yaml, ['current_phase: 2', 'current_phase: 2 # here\ntheirs: {a: [1]}'])}`.replaceAll(
    '\n',
    '\r\n',
  )
  const expected = replaced(
    text,
    yamlUpdated,
    ['"failed"', '"skipped"'],
    [errorOpen.replaceAll('\n', '\r\n'), errorSaid('skipped by operator: x').replaceAll('\n', '\r\n')],
  )
  expect(inYaml(text, 'skip', '2', { reason: 'x' }).after[yamlFile]).toBe(expected)
})

describe('Maestro’s hooks', () => {
  const file = '.gemini/settings.json'

  it('are installed beside what the settings hold, and removed again', () => {
    const theirs = '{ "theme": "Dark" }'
    const files = { [yamlFile]: yaml, [file]: theirs }
    expect(offered(maestro, files)).not.toContain(`remove-hooks ${file}`)
    const { after } = actOn(maestro, files, 'install-hooks', file, { format: '1.4' })
    expect(after[file]).toContain('bridgedeck maestro hook after-agent --format 1.4')
    expect(offered(maestro, after)).not.toContain(`install-hooks ${file}`)
    expect(JSON.parse(actOn(maestro, after, 'remove-hooks', file, {}).after[file] ?? '')).toEqual(JSON.parse(theirs))
  })

  it('make the settings where there are none', () => {
    expect(actOn(maestro, { [yamlFile]: yaml }, 'install-hooks', file, { format: '1.2' }).after[file]).toContain(
      'bridgedeck-session-start',
    )
  })

  it('of an extension that is developed there can be removed too', () => {
    const extension = 'hooks/hooks.json'
    const { after } = actOn(maestro, { [yamlFile]: yaml }, 'install-hooks', file, { format: '1.2' })
    expect(offered(maestro, { [yamlFile]: yaml, [extension]: after[file] ?? '' })).toContain(
      `remove-hooks ${extension}`,
    )
  })
})

it('Nothing is offered for an archive, and for front matter that cannot be read', () => {
  expect(offered(maestro, { '.gemini/state/archive/2026-02-24-webhook-retries.md': yaml })).toEqual([])
  expect(offered(maestro, { [yamlFile]: '---\n{ "phases": [\n---\n' })).toEqual(['install-hooks .gemini/settings.json'])
  expect(refused({ [yamlFile]: yaml.replace('total_phases: 3', 'total_phases: 3\ntotal_phases: 3') }, 'abort')).toThrow(
    'must be fixed first',
  )
})

it('Whatever is written of an error reads back as that, and nothing else changes', () => {
  const said = fc
    .string({
      unit: fc.constantFrom('a', '"', "'", '\\', ':', '#', ' ', '-', '{', 'é', '🔄'),
      minLength: 1,
      maxLength: 20,
    })
    .filter((text) => text.trim() !== '')
  fc.assert(
    fc.property(
      said,
      fc.constantFrom('"pending"', "'pending'", 'pending'),
      fc.boolean(),
      (resolution, quoted, crlf) => {
        const source = replaced(yaml, ['resolution: "pending"', `resolution: ${quoted}`])
        const text = crlf ? source.replaceAll('\n', '\r\n') : source
        const { after } = inYaml(text, 'resolve', '2/1', { resolution })
        const before = values(text) as { phases: { errors: object[] }[] }
        const phases = before.phases.map((phase, index) =>
          index === 1
            ? { ...phase, errors: [{ ...phase.errors[0], resolution: resolution.trim(), resolved: true }] }
            : phase,
        )
        expect(values(after[yamlFile] ?? '')).toEqual({ ...before, updated: now, phases })
        expect(after[yamlFile]?.split('\n').length).toBe(text.split('\n').length)
      },
    ),
    { numRuns: 25 },
  )
})
