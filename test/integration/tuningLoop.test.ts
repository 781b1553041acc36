/** The loop of a tuning run, with real files: every state that it writes keeps to specification 004. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LoopOptions } from '@shared/contract/loopOptions'
import { initialState } from '../../src-main/formats/tuning/initialState'
import { startedStateSchema } from '../../src-main/formats/tuning/schema'
import { initTuning } from '../../src-main/loops/tuning/initTuning'
import { runTuning } from '../../src-main/loops/tuning/runTuning'
import { tuningStatus } from '../../src-main/loops/tuning/tuningStatus'
import template from '../fixtures/spec004/initial-state.json'
import { nothingRemembered } from '../support/projectFiles'
import { TuningFolder } from '../support/tuningFolder'

const { signal } = new AbortController()
let at: TuningFolder
beforeEach(() => {
  at = new TuningFolder()
})
afterEach(() => at.remove())

/** No text: a zero byte, and bytes that are no UTF-8. */
const bytes = [0x00, 0xff, 0xc3, 0x28, 0x80, 0x0a]
function putBytes(file: string): void {
  at.put(file, '')
  writeFileSync(join(at.root, file), Buffer.from(bytes))
  chmodSync(join(at.root, file), 0o755)
}
const bytesOf = (file: string): number[] => [...readFileSync(join(at.root, file))]
const modeOf = (file: string): number => statSync(join(at.root, file)).mode & 0o777

const put = (file: string, text: string) => at.put(file, text)
const textOf = (file: string) => at.text(file)
const state = () => at.state()
const start = (options?: LoopOptions<'tuning'>) => at.start(options)
const act: TuningFolder['act'] = (...action) => at.act(...action)

async function begin(): Promise<void> {
  put('skill/SKILL.md', '---\nname: notes\n---\n# Notes\n')
  put('skill/phases/1.md', '# One\n\n```js\nhistory.push(reply)\n```\n')
  put('skill/phases/2.md', '# Two\n\n```js\nmessages.push(reply)\n```\n')
  put('skill/phases/3.md', '# Three\n\n```js\nconversation.push(reply)\n```\n')
  await at.begin()
}

/** Each is sound, begins where the one before ended, and never goes back in time. */
function checkWritten(): void {
  const { written } = at
  for (const text of written) startedStateSchema.parse(JSON.parse(text))
  const times = written.map((text) => startedStateSchema.parse(JSON.parse(text)).updated_at as string)
  expect(times).toEqual(times.toSorted())
}

it('A new run has the specification’s template', () => {
  expect(initialState).toEqual(template)
})

describe('A run without an agent', () => {
  it('goes from its start to completed with the person’s choice, each state sound', async () => {
    await begin()
    expect(await start()).toMatchObject({ outcome: 'gate', hint: 'Choose the fixes to apply.' })
    const proposed = state()
    expect(proposed).toMatchObject({ status: 'running', current_action: null, quality_gate: 'review' })
    await act('select-fixes', { fixes: proposed.proposed_fixes.map(({ id }) => id) })
    expect(await start()).toMatchObject({ outcome: 'done' })
    checkWritten()
    const ended = state()
    expect(ended).toMatchObject({ status: 'completed', issues: [], quality_gate: 'pass', iteration_count: 1 })
    expect(ended.applied_fixes.map(({ verification_result }) => verification_result)).toEqual(['pass', 'pass', 'pass'])
    expect(ended.action_history.every(({ result }) => result === 'success')).toBe(true)
    expect(ended.completed_actions).toEqual(ended.action_history.map(({ action }) => action))
    expect([ended.completed_actions[0], ended.completed_actions.at(-1)]).toEqual(['action-init', 'action-complete'])
    for (const file of ended.action_history.flatMap(({ output_files }) => output_files))
      expect([file, existsSync(join(at.root, file))]).toEqual([file, true])
    expect(textOf(`${at.run}/tuning-summary.md`)).toContain('- Gate: pass')
    expect(await start()).toMatchObject({ outcome: 'done' })
  })

  it('needs nobody with auto, one step at a time or all at once', async () => {
    await begin()
    let steps = 0
    for (; state().status !== 'completed' && steps < 20; steps++) await start({ auto: true, maxSteps: 1 })
    expect([state().status, state().quality_gate]).toEqual(['completed', 'pass'])
    const oneByOne = state().completed_actions
    rmSync(join(at.root, at.run), { recursive: true })
    await begin()
    expect(await start({ auto: true })).toMatchObject({ outcome: 'done' })
    expect(state().completed_actions).toEqual(oneByOne)
  })

  it('says while it is at it what the action is', async () => {
    await begin()
    await start()
    const actions = at.written.map((text) => startedStateSchema.parse(JSON.parse(text)).current_action)
    expect(actions).toEqual(['action-diagnose-context', null, 'action-propose-fixes', null])
  })

  it('of the sample project is driven to its end', async () => {
    cpSync(resolve('resources/sample-project'), at.root, { recursive: true })
    at.run = '.workflow/.scratchpad/skill-tuning-20261118090000'
    const end = await start({ auto: true })
    expect([end, state().status]).toMatchObject([{ outcome: 'done' }, 'completed'])
    checkWritten()
  })
})

describe('The loop', () => {
  it('goes on after a stop in the middle of an action', async () => {
    await begin()
    const text = textOf(at.stateFile)
    put(at.stateFile, text.replace('"current_action": null', '"current_action": "action-diagnose-context"'))
    await start()
    expect(at.log[0]).toContain('action-diagnose-context was interrupted')
    expect(state()).toMatchObject({ current_action: null, diagnosis: { context: { status: 'completed' } } })
  })

  it('stops where the person left the run, and goes on when it is resumed', async () => {
    await begin()
    await act('leave')
    expect(await start()).toMatchObject({ outcome: 'waiting', hint: 'Resume the run.' })
    expect([at.written, state().status]).toEqual([[], 'running'])
    expect(await start({ resumes: true })).toMatchObject({ outcome: 'gate', hint: 'Choose the fixes to apply.' })
  })

  it('leaves out a fix that does not fit, with one error, and goes on with the next', async () => {
    await begin()
    await start()
    await act('select-fixes', { fixes: ['FIX-1', 'FIX-2'] })
    put('skill/phases/1.md', '# Another\n')
    await start()
    expect(state()).toMatchObject({
      error_count: 1,
      errors: [{ action: 'action-apply-fix', recoverable: false }],
      pending_fixes: [],
      applied_fixes: [{ fix_id: 'FIX-2', verification_result: 'pass' }],
    })
    expect(state().action_history.find(({ result }) => result === 'failure')).toMatchObject({
      action: 'action-apply-fix',
    })
    checkWritten()
  })

  it('aborts at the limit of errors', async () => {
    await begin()
    put(at.stateFile, textOf(at.stateFile).replace('"error_count": 0', '"error_count": 3'))
    expect(await start()).toMatchObject({ outcome: 'failed' })
    expect(state()).toMatchObject({ status: 'failed', completed_actions: ['action-init', 'action-abort'] })
    checkWritten()
  })

  it('completes at the limit of iterations', async () => {
    await begin()
    put(at.stateFile, textOf(at.stateFile).replace('"iteration_count": 0', '"iteration_count": 5'))
    expect(await start()).toMatchObject({ outcome: 'limit' })
    expect(state().status).toBe('completed')
    expect(await start({ resumes: true })).toMatchObject({ outcome: 'gate' })
    expect(state()).toMatchObject({ status: 'running', max_iterations: 6 })
    checkWritten()
  })

  it('proposes no more where the person wants none, and stops after two rounds without a fix that helped', async () => {
    await begin()
    for (const round of [1, 2]) {
      expect(await start()).toMatchObject({ hint: 'Choose the fixes to apply.' })
      await act('select-fixes', { fixes: [] })
      expect(await start()).toMatchObject({ outcome: 'waiting', hint: 'Start another iteration, or end the run.' })
      await act('continue', { go: 'yes' })
      expect(state()).toMatchObject({ iteration_count: round, proposed_fixes: [] })
      expect(existsSync(join(at.root, at.run, `fixes/round-${round}.json`))).toBe(true)
    }
    await act('leave')
    checkWritten()
  })

  it('waits for the verdict of the person where the scanners cannot tell', async () => {
    await begin()
    await start()
    await act('select-fixes', { fixes: ['FIX-1'] })
    await start({ maxSteps: 1 })
    put('skill/odd.md', 'a\0b')
    expect(await start()).toMatchObject({ outcome: 'waiting', hint: expect.stringContaining('verdict') as string })
    expect(state()).toMatchObject({ current_action: null, applied_fixes: [{ verification_result: 'pending' }] })
  })

  it('names the place of a state that cannot be read, and writes nothing', async () => {
    await begin()
    put(at.stateFile, '{ "status": ')
    await expect(start()).rejects.toThrow(/state\.json:1:\d+/)
    expect(at.written).toEqual([])
  })

  it('waits where a list of the state is none, and does not take it for an empty one', async () => {
    await begin()
    at.replaceInState('"issues": []', '"issues": "none"')
    const before = textOf(at.stateFile)
    const message = expect.stringContaining('state.json has no list as issues: "none".') as string
    expect(await start({ auto: true })).toMatchObject({ outcome: 'waiting', message })
    expect(textOf(at.stateFile)).toBe(before)
    expect(await at.needs()).toMatchObject([{ kind: 'unreadable' }])
  })

  it('waits for an analysis of another program, but not for one that is certainly over', async () => {
    await begin()
    const analysis = (minutesAgo: number) =>
      `"gemini_analysis": { "status": "running", "started_at": "${new Date(Date.now() - minutesAgo * 60_000).toISOString()}" }`
    const [underWay, over] = [analysis(1), analysis(6)]
    at.replaceInState('"issues": []', `${underWay},\n  "issues": []`)
    expect(await start()).toMatchObject({ outcome: 'waiting', message: 'Another program is analysing the skill.' })
    at.replaceInState(underWay, over)
    expect(await start()).toMatchObject({ outcome: 'gate', hint: 'Choose the fixes to apply.' })
    expect(await at.needs()).toMatchObject([{ kind: 'approval', title: 'Choose the fixes to apply' }])
  })

  it('names the later fix that has to be rolled back first where two touch the same lines', async () => {
    put('skill/SKILL.md', '# Notes\n')
    put('skill/phases/1.md', '# One\n\n```js\nhistory.push(reply)\nconst x = JSON.parse(Read("state.json"))\n```\n')
    // No fix can be generated for them, and the gate asks for another round.
    for (const name of ['2', '3', '4'])
      put(`skill/phases/${name}.md`, '```js\nreturn { full_output: output, status }\n```\n')
    const before = textOf('skill/phases/1.md')
    await at.begin()
    await start({ auto: true })
    const [first = '', second = ''] = state()
      .applied_fixes.map(({ fix_id }) => fix_id)
      .filter((id) =>
        state()
          .proposed_fixes.find((fix) => fix.id === id)
          ?.changes.some(({ file }) => file.endsWith('1.md')),
      )
    await expect(act('roll-back', {}, first)).rejects.toMatchObject({
      code: 'CONFLICT',
      hint: expect.stringContaining(`Roll back ${second} first`) as string,
    })
    await act('roll-back', {}, second)
    await act('roll-back', {}, first)
    expect(textOf('skill/phases/1.md')).toBe(before)
  })

  it('keeps what the person wrote into the state at the same moment', async () => {
    await begin()
    let isMeddled = false
    await runTuning(
      at.work({}, ({ file, after }) => {
        if (isMeddled || file !== at.stateFile || !after?.includes('"CTX-1"')) return
        isMeddled = true
        put(file, textOf(file).replace('"max_errors": 3', '"max_errors": 4'))
      }),
    )
    expect(state()).toMatchObject({ max_errors: 4, diagnosis: { context: { status: 'completed' } } })
  })

  it('keeps the modes of the skill’s files and of their copies', async () => {
    await begin()
    chmodSync(join(at.root, 'skill/phases/1.md'), 0o755)
    await start({ auto: true })
    const { backup_path } = state().applied_fixes[0] ?? { backup_path: '' }
    expect([modeOf('skill/phases/1.md'), modeOf(`${backup_path}/phases/1.md`)]).toEqual([0o755, 0o755])
  })
})

describe('Applying a fix and rolling it back', () => {
  /** A run whose only fix makes these changes. */
  async function withFix(...changes: object[]): Promise<void> {
    await begin()
    await start()
    const text = JSON.parse(textOf(at.stateFile)) as { proposed_fixes: object[] }
    const [first] = text.proposed_fixes
    text.proposed_fixes = [{ ...first, changes }]
    put(at.stateFile, JSON.stringify(text, undefined, 2))
    await act('select-fixes', { fixes: ['FIX-1'] })
  }

  it('brings back a file that was deleted with its mode', async () => {
    await withFix({ file: 'run.sh', action: 'delete' })
    put('skill/run.sh', '#!/bin/sh\n')
    chmodSync(join(at.root, 'skill/run.sh'), 0o755)
    await start({ maxSteps: 1 })
    expect(existsSync(join(at.root, 'skill/run.sh'))).toBe(false)
    await act('roll-back', {}, 'FIX-1')
    expect([textOf('skill/run.sh'), modeOf('skill/run.sh')]).toEqual(['#!/bin/sh\n', 0o755])
  })

  it('brings back a file that is not text byte for byte, with its mode', async () => {
    await withFix({ file: 'sprites.bin', action: 'delete' })
    putBytes('skill/sprites.bin')
    await start({ maxSteps: 1 })
    const { backup_path } = state().applied_fixes[0] ?? { backup_path: '' }
    const copy = `${backup_path}/sprites.bin`
    expect([existsSync(join(at.root, 'skill/sprites.bin')), bytesOf(copy), modeOf(copy)]).toEqual([false, bytes, 0o755])
    expect(await start()).toMatchObject({ outcome: 'waiting' })
    await act('roll-back', {}, 'FIX-1')
    expect([bytesOf('skill/sprites.bin'), modeOf('skill/sprites.bin')]).toEqual([bytes, 0o755])
  })

  it('does not replace what stands in its place since', async () => {
    await withFix({ file: 'sprites.bin', action: 'delete' })
    putBytes('skill/sprites.bin')
    await start({ maxSteps: 1 })
    put('skill/sprites.bin', 'Others')
    await expect(act('roll-back', {}, 'FIX-1')).rejects.toThrow('was changed after FIX-1')
    expect(textOf('skill/sprites.bin')).toBe('Others')
  })

  it('keeps the mode of a file that was changed', async () => {
    await withFix({ file: 'run.sh', action: 'modify', old_content: 'one', new_content: 'two' })
    put('skill/run.sh', 'one\n')
    chmodSync(join(at.root, 'skill/run.sh'), 0o764)
    await start({ maxSteps: 1 })
    expect([textOf('skill/run.sh'), modeOf('skill/run.sh')]).toEqual(['two\n', 0o764])
    await act('roll-back', {}, 'FIX-1')
    expect([textOf('skill/run.sh'), modeOf('skill/run.sh')]).toEqual(['one\n', 0o764])
  })

  it('says that a folder is in the way of a new file', async () => {
    await withFix({ file: 'notes', action: 'create', new_content: 'x' })
    mkdirSync(join(at.root, 'skill/notes'))
    await start({ maxSteps: 1 })
    expect(state()).toMatchObject({
      error_count: 1,
      errors: [{ message: expect.stringContaining('is a folder') as string }],
    })
  })
})

describe('A skill with files that are not text', () => {
  it('is backed up byte for byte with their modes, and restored when the run is aborted', async () => {
    putBytes('skill/fonts/one.bin')
    putBytes('skill/two.bin')
    await begin()
    const copy = `${at.run}/backups/notes-backup/fonts/one.bin`
    expect([bytesOf(copy), modeOf(copy)]).toEqual([bytes, 0o755])
    rmSync(join(at.root, 'skill/fonts/one.bin'))
    put('skill/two.bin', 'text by now')
    await act('abort', { skill: 'restore' })
    for (const file of ['skill/fonts/one.bin', 'skill/two.bin'])
      expect([bytesOf(file), modeOf(file)]).toEqual([bytes, 0o755])
  })

  it('leaves out what is too large, and says so', async () => {
    put('skill/large.bin', '')
    truncateSync(join(at.root, 'skill/large.bin'), 5_000_000)
    put('skill/SKILL.md', '# Notes\n')
    const { warnings } = await initTuning({
      folder: at.root,
      skill: undefined,
      problem: 'It grows',
      focus: [],
      maxIterations: undefined,
      signal,
    })
    expect(warnings).toEqual([expect.stringMatching(/larger than 4 MB, so not backed up: .*large\.bin/)])
  })
})

it('The status tells where each run stands, and what comes next', async () => {
  await begin()
  const statusNow = () => tuningStatus(at.root, nothingRemembered, signal)
  expect(await statusNow()).toMatchObject({ runs: [{ run: at.run, status: 'running', next: 'Diagnosing the skill.' }] })
  await start()
  expect(await statusNow()).toMatchObject({
    runs: [{ issues: 3, urgent: 3, gate: 'review', next: expect.stringContaining('Choose the fixes') as string }],
  })
})
