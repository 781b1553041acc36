/** The loop of ncrew with programs as experts, in real git repositories. */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { HOLD, runHold } from '@shared/runHold'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { EditValues } from '@shared/contract/edits'
import { rollBack } from '../../src-main/git/rollback'
import { readCrew } from '../../src-main/loops/ncrew/crewFiles'
import { runCrew } from '../../src-main/loops/ncrew/runCrew'
import { approvedAt } from '../../src-main/formats/ncrew/gates'
import { ncrew } from '../../src-main/formats/ncrew/format'
import { shownCheck } from '../../src-main/formats/hostChecks'
import { CrewProject, shortManifest, shortTasks } from '../support/crewProject'
import { validated } from '../support/projectFiles'
import { runTypescript } from '../support/runTypescript'

const projects: CrewProject[] = []
afterEach(() => {
  for (const project of projects.splice(0)) project.remove()
})
const create = async (files?: Readonly<Record<string, string>>) => {
  const project = await CrewProject.create(files)
  projects.push(project)
  return project
}
/** As the window and the command line do it. */
const actOn = async (project: CrewProject, name: string, target: string, values: EditValues = {}) => {
  const work = project.work()
  const crew = await readCrew(project.folder, () => () => work.remembered, new AbortController().signal)
  const plan = crew && ncrew.plan(crew.files, { name, target, values, now: Date.now() })
  if (plan?.git) await rollBack(work.trusted(), plan.git)
  for (const { file, after } of plan?.changes ?? []) {
    if (after === null) rmSync(join(project.folder, file))
    else project.put({ [file]: after })
  }
  work.remembered.set(plan?.remember ?? {})
}
const commits = (project: CrewProject) => project.git('log', '--format=%s', '--reverse').trim().split('\n')
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
/** The same numbers in each run. */
let seed = 1
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
const question = 'questions/product-owner-001-tapes.md'
const answer = (project: CrewProject) => {
  project.replace(question, 'Decision:** ___', 'Decision:** Only the good ones')
  project.replace(question, 'Reason:** ___', 'Reason:** The others cannot be read')
  project.replace(question, 'status: pending', 'status: resolved')
}

describe('a crew', () => {
  it('is run to CREW_COMPLETE, a task and a commit for each turn', async () => {
    const project = await create()
    expect(await project.run()).toMatchObject({ code: 0, message: expect.stringContaining('CREW_COMPLETE') as string })
    expect(project.launched).toBe(3)
    expect(commits(project)).toEqual([
      'chore: begin',
      'feat(discovery): Vision',
      'feat(discovery): Users',
      'feat(architecture): ADR-001',
      'chore: the crew is complete',
    ])
    expect([project.index('current_iteration'), project.index('status'), project.index('cost_so_far')]).toEqual([
      '3',
      'complete',
      '0.00',
    ])
    expect(project.has('.noodlecrew/.lock')).toBe(false)
    expect(await project.run()).toMatchObject({ code: 0 })
    expect(project.launched).toBe(3)
  })

  it('is not done where nothing was ever committed, until the person commits it or says so', async () => {
    const project = await create()
    const none = { code: 10, message: expect.stringMatching(/no turn made a commit: \d+ files uncommitted/) as string }
    expect(await project.script('no-commit no-commit no-commit').run()).toMatchObject(none)
    expect([project.has('CREW_COMPLETE'), project.launched]).toEqual([true, 3])
    expect(await project.run()).toMatchObject(none)
    await actOn(project, 'continue-run', '')
    expect(await project.run()).toMatchObject({ code: 0 })
    const other = await create()
    expect(await other.script('no-commit no-commit no-commit').run()).toMatchObject(none)
    other.git('add', '.')
    other.git('commit', '-q', '-m', 'feat: all at once')
    expect(await other.run()).toMatchObject({ code: 0 })
    expect(other.remembered.get(HOLD)).toBeUndefined()
  })

  it('has a log for each turn, in the lines of the specification', async () => {
    const project = await create()
    await project.run()
    expect(readdirSync(join(project.folder, '.noodlecrew/logs'))).toHaveLength(3)
    const lines = project.logs.trimEnd().split('\n')
    expect(
      lines
        .filter((line) => !line.startsWith('  '))
        .every((line) => /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] (INFO|WARN|ERROR): \S/.test(line)),
    ).toBe(true)
    expect(lines.flatMap((line) => /INFO: (Starting iteration .*)$/.exec(line)?.[1] ?? [])).toEqual([
      'Starting iteration 1/100',
      'Starting iteration 2/100',
      'Starting iteration 3/100',
    ])
    expect(project.logs).toContain('INFO: Checked: discovery: Vision')
    expect(project.git('status', '--porcelain', '--', '.noodlecrew')).toBe('')
  })

  it('counts the iterations and the cost where the expert does not, to two decimals', async () => {
    const project = await create()
    project.cost = 0.004
    await project.script('task counted').run({ maxTurns: 2 })
    expect([project.index('current_iteration'), project.index('cost_so_far')]).toEqual(['2', '0.01'])
    expect(project.read('INDEX.md')).toContain('created: "2026-02-02"')
  })

  it('leaves a cost that the expert wrote itself', async () => {
    const project = await create()
    project.cost = 0.5
    await project.script('costed').run({ maxTurns: 1 })
    expect(project.index('cost_so_far')).toBe('9.99')
  })

  it('has only its own bytes changed in INDEX.md, and what a person writes meanwhile stays', async () => {
    const project = await create()
    const before =
      '\uFEFF---\r\ntype: project # mine\r\nstatus: "in_progress"\r\ncurrent_phase: discovery\r\ncurrent_iteration: 7\r\ncost_so_far: 0.50\r\nmine: yes\r\n---\r\n# Tapes\r\n'
    project.put({ 'INDEX.md': before })
    project.cost = 0.25
    project.script('lie')
    await project.run({ maxTurns: 1 })
    expect(project.read('INDEX.md')).toBe(before.replace('iteration: 7', 'iteration: 8').replace('0.50', '0.75'))
  })

  it('stops at its iterations with 20, and goes on when more are allowed', async () => {
    const project = await create({ '.noodlecrew/manifest.yml': `${shortManifest}execution:\n  max_iterations: 2\n` })
    expect(await project.run()).toMatchObject({
      code: 20,
      message: expect.stringMatching(/Iteration limit.*2 of 2/) as string,
    })
    expect(project.launched).toBe(2)
    expect(await project.run()).toMatchObject({ code: 20 })
    expect(project.launched).toBe(2)
    expect(await project.run({ maxIterations: 10 })).toMatchObject({ code: 0 })
  })

  it('stops at its budget with 21', async () => {
    const project = await create()
    project.cost = 0.6
    expect(await project.run({ maxCost: 1 })).toMatchObject({
      code: 21,
      message: expect.stringMatching(/Cost limit.*\$1\.20 of \$1\.00/) as string,
    })
    expect(project.launched).toBe(2)
  })

  it('does not run for longer when an expert sets the counter back', async () => {
    const project = await create()
    project.script('lie reset lie reset lie reset lie reset')
    expect(await project.run({ maxIterations: 4 })).toMatchObject({ code: 20 })
    expect(project.launched).toBe(4)
  })

  it('that says it is done and checks nothing is told so, and ends at its limit', async () => {
    const project = await create()
    project.script('lie lie lie')
    expect(await project.run({ maxIterations: 3 })).toMatchObject({ code: 20 })
    expect(project.logs).toMatch(/WARN: .*no task of tasks\.md was checked\.$/m)
    expect(project.index('current_iteration')).toBe('3')
    expect(commits(project)).toEqual(['chore: begin'])
  })

  it('that changes nothing in three turns waits with 22, and costs no turn until it may continue', async () => {
    const project = await create()
    project.script('lie lie lie')
    expect(await project.run()).toMatchObject({ code: 22 })
    expect(await project.run()).toMatchObject({ code: 22, message: expect.stringMatching(/^No progress/) as string })
    expect(project.launched).toBe(3)
    project.remembered.delete(HOLD)
    expect(await project.run()).toMatchObject({ code: 0 })
  })

  it('stops at a limit of all its starts with 21', async () => {
    const project = await create()
    project.cost = 0.6
    project.limits = { ...project.limits, runCost: 1 }
    expect(await project.run()).toMatchObject({ code: 21 })
    expect(runHold(project.remembered)).toMatchObject({ ceiling: { scope: 'run', limit: 1 } })
    expect(project.launched).toBe(2)
  })

  it('whose expert ticks in a list of an older version is told which one counts', async () => {
    const project = await create()
    project.script('elsewhere')
    await project.run({ maxTurns: 1 })
    expect(project.logs).toMatch(/WARN: .*no task of tasks\.md was checked.*TODO\.md does not count/)
  })

  it('whose expert checks two tasks in one turn is told so', async () => {
    const project = await create()
    await project.script('two').run({ maxTurns: 1 })
    expect(project.logs).toMatch(/WARN: 2 tasks .*one turn/)
  })

  it('with everything checked is asked once more whether it is done, and then waits for the person', async () => {
    const project = await create()
    project.script('forgets forgets forgets lie')
    expect(await project.run()).toMatchObject({ code: 2 })
    expect(project.launched).toBe(4)
    expect(project.prompt).toContain('but there is no `CREW_COMPLETE`')
    expect(await project.script('task').run()).toMatchObject({ code: 0 })
  })
})

describe('a check command of the person’s own', () => {
  it('is run for what a turn ticked, and one that fails waits with 10 until the crew may continue', async () => {
    const project = await create()
    await actOn(project, 'set-check', '', { command: 'test -f ok' })
    const held = { code: 10, message: 'The check exited 1: test -f ok.' }
    expect(await project.run()).toMatchObject(held)
    expect(shownCheck(project.remembered, 'discovery/1')).toMatchObject({ result: 'failed', claimed: true })
    expect(await project.run()).toMatchObject(held)
    expect(project.launched).toBe(1)
    project.put({ ok: '' })
    await actOn(project, 'continue-run', '')
    expect((await project.run()).code).toBe(0)
    expect(shownCheck(project.remembered, 'architecture/1')).toMatchObject({ result: 'passed' })
  })
})

describe('boxes outside the phases', () => {
  const withCriteria = { 'tasks.md': `${shortTasks}\n## Overview\n\n## Success criteria\n- [ ] It is fast\n` }

  it('are asked about once when every task is done, and the person finishes the crew', async () => {
    const project = await create(withCriteria)
    const end = await project.run()
    expect(end).toMatchObject({ code: 10, message: expect.stringContaining('Success criteria: It is fast') as string })
    expect(project.launched).toBe(3)
    await actOn(project, 'finish', '')
    expect(await project.run()).toMatchObject({ code: 0 })
    expect([project.launched, project.index('status')]).toEqual([3, 'complete'])
  })

  it('are looked at by the last expert where the person continues, and not asked about after a restart', async () => {
    const project = await create(withCriteria)
    await project.run()
    await actOn(project, 'continue', '')
    const restarted = new CrewProject(project.top)
    expect(await restarted.script('lie').run()).toMatchObject({ code: 2 })
    expect(restarted.prompt).toContain('- Success criteria: It is fast')
    expect(await restarted.script('task').run()).toMatchObject({ code: 0 })
    expect(restarted.read('tasks.md')).not.toContain('[ ]')
  })
})

describe('a turn', () => {
  it('is rolled back after later ones, and the crew goes on with its task alone', async () => {
    const project = await create()
    expect(await project.run()).toMatchObject({ code: 0 })
    await actOn(project, 'roll-back', 'discovery/1')
    expect([project.has('docs/discovery/vision.md'), project.has('docs/discovery/users.md')]).toEqual([false, true])
    expect(project.read('tasks.md')).toBe(shortTasks.replaceAll('[ ]', '[x]').replace('[x] Vision', '[ ] Vision'))
    expect([project.has('CREW_COMPLETE'), project.index('status')]).toEqual([false, 'in_progress'])
    await actOn(project, 'roll-back-run', '')
    expect(project.has('docs')).toBe(false)
    expect(project.read('tasks.md')).toBe(shortTasks)
    expect(await project.run()).toMatchObject({ code: 0 })
    expect(project.launched).toBe(6)
  })
})

describe('what a turn left uncommitted', () => {
  it.each(['leave-changes', 'commit-changes', 'stash-changes'])(
    'waits for the person where that is wanted, and the crew goes on after %s',
    async (decision) => {
      const project = await create()
      project.remembered.set('uncommitted default', 'ask')
      project.script('crash task')
      expect(await project.run()).toMatchObject({
        code: 10,
        message: expect.stringContaining('half-written.md') as string,
      })
      expect(await project.run()).toMatchObject({ code: 10 })
      expect(project.launched).toBe(1)
      const values = decision === 'leave-changes' ? {} : { message: 'Half' }
      await actOn(project, decision, '', values)
      expect(project.has('half-written.md')).toBe(decision !== 'stash-changes')
      expect(commits(project).includes('Half')).toBe(decision === 'commit-changes')
      expect(await project.run({ maxTurns: 1 })).toMatchObject({ code: 100 })
      expect(project.launched).toBe(2)
    },
  )

  it('is no matter any more once the person has committed it', async () => {
    const project = await create()
    project.remembered.set('uncommitted default', 'ask')
    project.script('crash task')
    expect(await project.run()).toMatchObject({ code: 10 })
    project.git('add', '.')
    project.git('commit', '-q', '-m', 'Mine')
    expect(await project.run({ maxTurns: 1 })).toMatchObject({ code: 100 })
  })
})

describe('a turn that takes open tasks off the list', () => {
  it('stops the crew until the person has looked at it', async () => {
    const project = await create()
    expect(await project.script('tear').run()).toMatchObject({
      code: 10,
      message: expect.stringMatching(/took 2 open tasks off the list: Users, ADR-001/) as string,
    })
    expect(await project.run()).toMatchObject({ code: 10 })
    expect(project.launched).toBe(1)
  })
})

describe('a turn that unticks a done task', () => {
  it('is told with the task, which is then done again', async () => {
    const project = await create()
    project.script('task untick')
    expect(await project.run({ maxTurns: 2 })).toMatchObject({ code: 100 })
    expect(project.logs).toMatch(/WARN: The turn unticked 1 task that was done: discovery: /)
    expect(project.logs).not.toContain('no task of')
  })
})

describe('a question', () => {
  it('pauses the crew with 10 and costs no turn; its answer is in the next prompt', async () => {
    const project = await create()
    project.script('task ask')
    expect(await project.run()).toMatchObject({
      code: 10,
      message: `A question needs an answer: Which tapes (${question}).`,
    })
    expect(await project.run()).toMatchObject({ code: 10 })
    expect(project.launched).toBe(2)
    expect(project.prompt).not.toContain('Previously Resolved')
    answer(project)
    expect(await project.run()).toMatchObject({ code: 0 })
    expect(project.prompt).toContain(
      '## Previously Resolved Questions\n\n### BLOCKER: Which tapes\n\n**Question:** All tapes, or only the good ones?\n\n**Answer:** Only the good ones - The others cannot be read\n\n**Date:** 2026-02-02',
    )
  })

  it('pauses it in whichever folder it stands', async () => {
    const project = await create()
    expect(await project.script('ask-hidden').run()).toMatchObject({
      code: 10,
      message: expect.stringContaining('.noodlecrew/questions/') as string,
    })
  })
})

const gated = { '.noodlecrew/manifest.yml': `${shortManifest}validation:\n  human_gates: [discovery]\n` }

describe('a gate', () => {
  it('pauses the crew with 11 once its phase is complete, until it is approved', async () => {
    const project = await create(gated)
    expect(await project.run()).toMatchObject({
      code: 11,
      message: expect.stringMatching(/Discovery.*approval/) as string,
    })
    expect(await project.run()).toMatchObject({ code: 11 })
    expect(project.launched).toBe(2)
    project.remembered.set('gate:discovery', approvedAt(Date.now()))
    expect(await project.run()).toMatchObject({ code: 0 })
    expect(project.git('status', '--porcelain', '--', 'tasks.md', '.noodlecrew')).toBe('')
  })

  it('holds when the turn that completed its phase has begun the next one', async () => {
    const project = await create({
      ...gated,
      'tasks.md': '## Discovery Phase\n- [ ] Vision\n## Architecture Phase\n- [ ] ADR-001\n- [ ] ADR-002\n',
    })
    expect(await project.script('two').run()).toMatchObject({ code: 11 })
    expect(await project.run()).toMatchObject({ code: 11 })
  })

  it('holds again when its phase was opened and completed again', async () => {
    const project = await create(gated)
    await project.run()
    project.remembered.set('gate:discovery', approvedAt(Date.now()))
    project.replace('tasks.md', '[x] Users', '[ ] Users')
    expect(await project.run()).toMatchObject({ code: 11 })
  })
})

describe('an expert', () => {
  it('that crashes is tried again, and what it left is not lost', async () => {
    const project = await create()
    project.script('crash crash task')
    expect(await project.run()).toMatchObject({ code: 0 })
    expect(project.launched).toBe(5)
    expect(project.logs).toMatch(/ERROR: fake: error: .*exit code 3/)
    expect(project.logs).toContain('  out of memory')
    expect(project.has('half-written.md')).toBe(true)
    expect(project.index('current_iteration')).toBe('5')
  })

  it('that goes on crashing ends the run with 99', async () => {
    const project = await create()
    project.script('crash crash crash crash')
    expect(await project.run()).toMatchObject({
      code: 99,
      message: expect.stringMatching(/3 times in a row.*exit code 3/) as string,
    })
    expect(await project.run({ retries: 0 })).toMatchObject({ code: 99 })
    expect(project.launched).toBe(4)
  })

  it('that crashes when it is asked whether the crew is done is asked again', async () => {
    const project = await create()
    project.script('forgets forgets forgets crash task')
    expect(await project.run()).toMatchObject({ code: 0 })
    expect(project.launched).toBe(5)
  })

  it('that did its task and then died has done its task', async () => {
    const project = await create()
    expect(await project.script('dies').run()).toMatchObject({ code: 0 })
    expect(project.launched).toBe(3)
  })

  it('is ended by a stop, and the crew goes on from there', async () => {
    const project = await create()
    const running = project.script('hang').run()
    await expect.poll(() => project.launched).toBe(1)
    await expect.poll(() => project.has('../script.prompt')).toBe(true)
    project.stop.abort()
    expect(await running).toMatchObject({ code: 130 })
    expect(project.has('.noodlecrew/.lock')).toBe(false)
    project.stop = new AbortController()
    expect(await project.run()).toMatchObject({ code: 0 })
  })

  it('ends its turn before a pause', async () => {
    const project = await create()
    project.isPausing = true
    expect(await project.run()).toMatchObject({ code: 100 })
    project.isPausing = false
    expect(await project.run({ maxTurns: 1 })).toMatchObject({
      code: 100,
      message: expect.stringContaining('after 1 turn') as string,
    })
    expect(project.launched).toBe(1)
  })
})

describe('what is not set up', () => {
  it('is told with a code of its own: no crew, no tasks, no expert, no agent', async () => {
    const without = async (files: Readonly<Record<string, string>>, agents = ['fake', 'other']) =>
      (await runCrew({ ...(await create(files)).work(), agents })).code
    expect(await without({ 'tasks.md': '# Tasks\n' })).toBe(5)
    expect(
      await without({
        '.noodlecrew/manifest.yml': 'phases: [discovery]\n',
        'tasks.md': '## Testing Phase\n- [ ] One\n',
      }),
    ).toBe(3)
    expect(await without({ '.noodlecrew/manifest.yml': shortManifest.replace('fake', 'claude') })).toBe(4)
    expect(await without({}, [])).toBe(4)
    const empty = new CrewProject(mkdtempSync(join(tmpdir(), 'bridgedeck-crew-')))
    projects.push(empty)
    mkdirSync(empty.folder)
    expect(await empty.run()).toMatchObject({ code: 5 })
  })

  it('is refused: a folder for logs that leads out of the project', async () => {
    const project = await create()
    symlinkSync(tmpdir(), join(project.folder, '.noodlecrew/logs'))
    await expect(project.run()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(project.launched).toBe(0)
  })
})

describe('a process that runs a crew', () => {
  it('may be killed at any moment: the files are valid, and another goes on', async () => {
    const project = await create({
      'tasks.md': `## Discovery Phase\n${Array.from({ length: 12 }, (_, n) => `- [ ] Task ${n}\n`).join('')}## Architecture Phase\n- [ ] ADR-001\n`,
      ...gated,
    })
    let launched = 0
    for (let kills = 0; kills < 24; kills++) {
      const host = runTypescript(resolve('test/peers/crewHost.ts'), [project.top])
      let said = ''
      host.stdout.on('data', (text: string) => (said += text))
      const ended = once(host, 'close')
      await Promise.race([once(host.stdout, 'data'), ended])
      // Every second one is killed while an expert works, however slow the computer is.
      const isAtWork = async () => {
        while (!said.includes('launched')) await once(host.stdout, 'data')
      }
      if (kills % 2 === 1) await Promise.race([isAtWork(), ended])
      await wait(random() * 900)
      host.kill('SIGKILL')
      await ended
      const experts = [...said.matchAll(/^launched (\d+)$/gm)].map(([, pid]) => Number(pid))
      launched += experts.length
      // The last one works on; that two are at work at the same time is what the registry of agents prevents.
      for (const pid of experts) await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 60_000)
      expect(validated(ncrew, project.files()).filter((line) => /error (?!ncrew\/contradiction)/.test(line))).toEqual(
        [],
      )
      expect(said).toMatch(/^ready\n/)
      const done = Number(/current_iteration: (\d+)$/m.exec(project.read('INDEX.md'))?.[1])
      // One that was killed between noting a turn and launching it has noted one more.
      expect(done).toBeGreaterThanOrEqual(launched - 1)
      expect(done).toBeLessThanOrEqual(launched + kills)
    }
    expect(launched).toBeGreaterThan(6)
    const last = new CrewProject(project.top)
    const end = await last.run()
    expect(end.code).toBe(11)
    expect(Number(last.index('current_iteration'))).toBeGreaterThanOrEqual(launched + last.launched)
    last.remembered.set('gate:discovery', approvedAt(Date.now()))
    expect(await last.run()).toMatchObject({ code: 0 })
  }, 300_000)

  it('is the only one: a second is refused and says who runs it, and a lock of nobody known is left alone', async () => {
    const project = await create()
    const running = project.script('hang').run()
    await expect.poll(() => project.has('.noodlecrew/.lock')).toBe(true)
    await expect(new CrewProject(project.top).run()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(`process ${process.pid} on`) as string,
    })
    project.stop.abort()
    await running
    project.put({ '.noodlecrew/.lock': '' })
    await expect(new CrewProject(project.top).run()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(project.read('.noodlecrew/.lock')).toBe('')
  })
})
