/** The sample project's crew run in the window, with a program in the place of its experts. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentSchema } from '@shared/contract/agents'
import { identifyFolder } from '../../src-main/projects/trust'
import { openDatabase } from '../../src-main/storage/database'
import { ProjectStore } from '../../src-main/storage/projects'
import { SettingsStore } from '../../src-main/storage/settings'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { chooseMenuItem, stopC64 } from './support'

describe.skipIf(lacks('electron', 'xvfb'))('the crew of the sample project in the window', () => {
  let top: string
  let sample: string
  let running: RunningApp
  let page: Page

  beforeAll(async () => {
    top = await realpath(await mkdtemp(join(tmpdir(), 'bridgedeck-crew-')))
    sample = join(top, 'sample')
    cpSync(resolve('resources/sample-project'), sample, { recursive: true })
    for (const words of [
      ['init', '-q'],
      ['config', 'user.name', 'Tester'],
      ['config', 'user.email', 'tester@example.org'],
      ['add', '.'],
      ['commit', '-q', '-m', 'begin'],
    ])
      execFileSync('git', words, { cwd: sample })
    writeFileSync(join(top, 'script'), 'held held')
    writeFileSync(join(top, 'script.hold'), '')
    const agent = agentSchema.parse({
      name: 'claude',
      preset: 'custom',
      command: process.execPath,
      model: null,
      args: [resolve('test/peers/agents/crewExpert.ts'), join(top, 'script')],
      environment: [],
      timeLimit: 600,
      maxTurns: null,
      maxCost: null,
    })
    const first = await launchApp({ dataFolder: join(top, 'data'), args: [sample] })
    await untilLive(first.page)
    await first.close()
    const database = openDatabase(join(top, 'data/bridgedeck.sqlite'))
    new ProjectStore(database).trust(sample, identifyFolder(sample).identity, Date.now())
    new SettingsStore(database).change({ agents: [agent] })
    database.close()
    running = await launchApp({ dataFolder: join(top, 'data'), args: ['--size=1280x800', '--view=projects', sample] })
    page = running.page
    await untilLive(page)
    await stopC64(page)
  })
  afterAll(async () => {
    await running.close()
    await rm(top, { recursive: true, force: true })
  })

  const view = () => page.locator('[data-panel="projects"]')
  const controls = () => view().getByRole('region', { name: 'Run it' })
  const button = (name: string | RegExp) => controls().getByRole('button', { name })
  const crew = (path: string) => join(sample, 'tape-archive', path)
  const read = (path: string) => readFileSync(crew(path), 'utf8')

  it('does not run past a question: it says which one waits, and launches nobody', async () => {
    const runs = view().getByRole('listbox', { name: 'Projects and runs' })
    await runs.getByRole('option').filter({ hasText: 'Tape archive' }).first().click()
    await controls().getByText('software-architect').first().waitFor()
    await expect.poll(() => button(/^(Run|Resume)$/).getAttribute('aria-disabled')).toBe('true')
    await button(/^Answer…$/).waitFor()
    await chooseMenuItem(running, 'run.start')
    await controls().getByText('A question needs an answer: What counts as a good recording').first().waitFor()
    expect(existsSync(join(top, 'script.prompt'))).toBe(false)
  })

  it('runs once it is answered, pauses after the turn at hand, and stops in the middle of the next', async () => {
    const question = 'questions/software-architect-002-levels.md'
    writeFileSync(
      crew(question),
      read(question)
        .replace('status: pending', 'status: resolved')
        .replace('**Decision:** ___', '**Decision:** Option C'),
    )
    await button(/^(Run|Resume)$/).click()
    await controls().getByText('software-architect, architecture: ADR-002').first().waitFor()
    await button(/^Pause/).click()
    await controls().getByText('Pausing when its agent has ended').first().waitFor()
    rmSync(join(top, 'script.hold'))
    await controls().getByText('Paused after 1 turn.').first().waitFor()
    writeFileSync(join(top, 'script.hold'), '')
    expect(read('tasks.md')).toContain('- [x] ADR-002')
    expect(read('INDEX.md')).toContain('current_iteration: 8\n')
    expect(readFileSync(join(top, 'script.prompt'), 'utf8')).toContain('**Answer:** Option C')

    await button(/^(Run|Resume)$/).click()
    await controls().getByText('software-architect, architecture: ADR-003').first().waitFor()
    await button(/^Stop/).click()
    await controls()
      .getByText(/Stopped.*No process is left/)
      .first()
      .waitFor()
    await expect.poll(() => existsSync(crew('.noodlecrew/.lock'))).toBe(false)
    // It may have been stopped before it took its word.
    rmSync(join(top, 'script.hold'))
    expect(read('tasks.md')).toContain('- [ ] ADR-003')
  })

  it('waits at the gate behind its phase', async () => {
    await button(/^(Run|Resume)$/).click()
    await controls()
      .getByText(/Architecture.*needs approval/)
      .first()
      .waitFor()
    expect(read('tasks.md')).toContain('- [x] ADR-003')
  })
})
