/**
 * What agents did to git, in the window: runs in worktrees of their own are merged and thrown away, a left worktree is removed, what a
 * turn left uncommitted is committed, and a task's commits are shown together.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
import { TestRepository } from '../support/repository'
import { answerQuestions, axeProblems, chooseMenuItem, stopC64 } from './support'

const agent = agentSchema.parse({
  name: 'fake',
  preset: 'custom',
  command: process.execPath,
  model: null,
  environment: [],
  args: [resolve('test/peers/agents/metashellAgent.mjs'), '--tasks', '1'],
  timeLimit: 600,
  maxTurns: null,
  maxCost: null,
})
const untidy = { ...agent, name: 'untidy', args: [...agent.args, '--commits', '2', '--leaves', '1'] }

describe.skipIf(lacks('electron', 'xvfb'))('a run in a worktree', () => {
  let data: string
  let running: RunningApp
  let page: Page
  /** The first is merged, the second thrown away, the third has no worktree, the fourth begins above its project. */
  let repositories: readonly [TestRepository, TestRepository, TestRepository, TestRepository]

  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), 'bridgedeck-worktrees-e2e-'))
    repositories = [new TestRepository(), new TestRepository(), new TestRepository(), new TestRepository()]
    const database = openDatabase(join(data, 'bridgedeck.sqlite'))
    for (const [index, repository] of repositories.entries()) {
      const below = repository === repositories[3] ? 'tools/four/' : ''
      const folder = join(repository.root, below)
      repository.commit('Begin', {
        [`${below}.meta/context.md`]: `# Project: Tool ${index + 1}\n\n## Current Phase Focus\n\nPhase 1: Reading\n`,
        [`${below}.gitignore`]: '.meta/session.json*\n.meta/artifacts\n',
      })
      const projects = new ProjectStore(database)
      projects.opened(folder, Date.now())
      projects.trust(folder, identifyFolder(folder).identity, Date.now())
    }
    new SettingsStore(database).change({ agents: [agent, untidy], uncommittedChanges: 'ask' })
    database.close()
    running = await launchApp({ dataFolder: data, args: ['--size=1280x800', '--view=projects'] })
    page = running.page
    await untilLive(page)
    await stopC64(page)
  })
  afterAll(async () => {
    await running.close()
    for (const repository of repositories) repository.remove()
    rmSync(data, { recursive: true, force: true })
  })

  const view = () => page.locator('[data-panel="projects"]')
  const controls = () => view().getByRole('region', { name: 'Run it' })
  const branches = (repository: TestRepository) => repository.git('branch', '--format=%(refname:short)')

  /** Chooses the run, has it run in a worktree to its end, and comes to its need. */
  async function runIt(repository: TestRepository, title: string): Promise<string> {
    const before = repository.git('rev-parse', 'HEAD')
    await view().getByRole('option').filter({ hasText: title }).filter({ hasText: 'Meta-Shell' }).first().click()
    const choice = controls().getByRole('checkbox', { name: 'Work in a git worktree of its own' })
    await choice.click()
    await expect.poll(() => choice.isChecked()).toBe(true)
    await controls().getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(() => controls().getByRole('status').textContent(), { timeout: 60_000 }).toContain('Ended')
    const branch = (await controls().locator('code').filter({ hasText: 'bridgedeck/' }).textContent()) ?? ''
    expect(repository.git('log', '-1', '--format=%s', branch)).toBe('feat(01): part')
    expect(repository.git('rev-parse', 'HEAD')).toBe(before)
    expect(existsSync(join(repository.root, '01.txt'))).toBe(false)
    return branch
  }

  /** From its need, shown first. */
  async function carryOut(title: string, shown: readonly string[]): Promise<void> {
    await view().getByRole('radio', { name: 'Overview' }).click()
    await view().getByRole('button', { name: 'Answer…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('option').filter({ hasText: title }).click()
    await dialog.getByRole('button', { name: 'Choose' }).click()
    for (const text of shown) await dialog.getByText(text).first().waitFor()
    const questions = await answerQuestions(running, 1)
    await dialog.getByRole('button', { name: 'Write' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await questions()).toMatchObject([{ detail: expect.stringContaining(shown[0] ?? '') as string }])
    await controls().getByRole('checkbox', { name: 'Work in a git worktree of its own' }).waitFor()
    await view().getByRole('button', { name: 'Answer…' }).waitFor({ state: 'detached' })
  }

  it('is started, finishes, and is merged from its need', async () => {
    const [repository] = repositories
    const branch = await runIt(repository, 'Tool 1')
    expect(await axeProblems(page, '[data-panel="projects"]')).toEqual([])
    await carryOut('Merge the run’s work', [`git merge ${branch}`, 'Commits of the branch', '01.txt'])
    expect(repository.git('log', '-1', '--format=%s')).toBe('feat(01): part')
    expect(existsSync(join(repository.root, '01.txt'))).toBe(true)
    expect(branches(repository)).toBe('main')
  })

  it('has its merge undone, and goes on in its worktree then', async () => {
    const [repository] = repositories
    await view().getByRole('radio', { name: 'Activity' }).click()
    await view().getByRole('button', { name: 'Undo' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('git reset --keep').waitFor()
    await dialog.getByRole('button', { name: 'Write' }).click()
    await controls().locator('code').filter({ hasText: 'bridgedeck/' }).waitFor()
    expect(repository.git('log', '-1', '--format=%s')).toBe('Begin')
    expect(existsSync(join(repository.root, '01.txt'))).toBe(false)
  })

  it('is thrown away, which leaves the project as it was and the commits under a ref', async () => {
    const [, repository] = repositories
    const branch = await runIt(repository, 'Tool 2')
    const tip = repository.git('rev-parse', branch)
    await carryOut('Throw the run’s work away', [branch, 'Removes:', 'Commits of the branch', '01.txt'])
    expect(repository.git('log', '-1', '--format=%s')).toBe('Begin')
    expect(existsSync(join(repository.root, '01.txt'))).toBe(false)
    expect(branches(repository)).toBe('main')
    expect(repository.git('rev-parse', `refs/bridgedeck/kept/${branch}`)).toBe(tip)
  })

  it('that is left is listed on the page of its project, and removed once that was agreed to', async () => {
    const [, repository] = repositories
    const left = join(data, 'loops/left/worktree')
    repository.git('worktree', 'add', '--quiet', '-b', 'bridgedeck/left', left)
    repository.git('-C', left, 'commit', '--quiet', '--allow-empty', '-m', 'Forgotten')
    writeFileSync(join(left, 'idea.txt'), 'idea\n')
    await chooseMenuItem(running, 'project.worktrees')
    const list = view().getByRole('region', { name: 'Worktrees' })
    await list.getByText('bridgedeck/left').click()
    await list.getByText('Forgotten').waitFor()
    await list.getByText('Uncommitted: idea.txt').waitFor()
    expect(await axeProblems(page, '[data-panel="projects"]')).toEqual([])
    const questions = await answerQuestions(running, 1)
    await list.getByRole('button', { name: 'Remove…' }).click()
    await list.waitFor({ state: 'detached' })
    expect(await questions()).toMatchObject([
      { detail: expect.stringContaining('1 commit and 1 uncommitted file go with it') as string },
    ])
    expect([existsSync(left), branches(repository)]).toEqual([false, 'main'])
  })

  it('left out, a run waits for what its agent left uncommitted, and the task’s commits are shown together', async () => {
    const [, , repository] = repositories
    await view().getByRole('option').filter({ hasText: 'Tool 3' }).filter({ hasText: 'Meta-Shell' }).first().click()
    const executor = controls().getByLabel('executor')
    await executor.selectOption('untidy')
    await controls().getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(() => controls().getByRole('status').textContent(), { timeout: 60_000 }).toContain('left.txt')
    await view().getByRole('radio', { name: 'Overview' }).click()
    await view().getByRole('button', { name: 'Answer…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('option').filter({ hasText: 'Commit what the turn left' }).click()
    await dialog.getByRole('button', { name: 'Choose' }).click()
    await dialog.getByLabel('Message').fill('Keep the notes')
    await dialog.getByRole('button', { name: 'Preview change' }).click()
    await dialog.getByText('git commit -m "Keep the notes"').waitFor()
    await answerQuestions(running, 1)
    await dialog.getByRole('button', { name: 'Write' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(repository.git('log', '-1', '--format=%s')).toBe('Keep the notes')
    expect(repository.git('status', '--porcelain')).toBe('')
    await view().getByRole('radio', { name: 'Plan' }).click()
    await view().getByRole('radio', { name: 'List' }).click()
    await view()
      .getByRole('button', { name: /^says commits/ })
      .first()
      .click()
    const commits = view().getByRole('region', { name: 'Commits of the task' })
    await commits.getByText('All 2 commits together').click()
    await commits.getByText('01-2.txt', { exact: true }).waitFor()
    expect(await commits.innerText()).toContain('01.txt')
  })

  it('is made in a repository that begins above the project, once its top is trusted in a dialog that names it', async () => {
    const [, , , repository] = repositories
    await view().getByRole('option').filter({ hasText: 'Tool 4' }).filter({ hasText: 'Meta-Shell' }).first().click()
    const choice = controls().getByRole('checkbox', { name: 'Work in a git worktree of its own' })
    const declined = await answerQuestions(running, 0)
    await choice.click()
    await expect.poll(declined).toMatchObject([{ detail: expect.stringContaining(`\n${repository.root}\n`) as string }])
    expect(await choice.isChecked()).toBe(false)
    await answerQuestions(running, 1)
    const branch = await runIt(repository, 'Tool 4')
    expect(repository.git('ls-tree', '-r', '--name-only', branch)).toContain('tools/four/01.txt')
    await carryOut('Merge the run’s work', [`git merge ${branch}`, 'tools/four/01.txt'])
    expect(existsSync(join(repository.root, 'tools/four/01.txt'))).toBe(true)
  })
})
