/** Taking back commits asks in a native dialog of main, which names the folder, the command and the commits. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { TestRepository } from '../support/repository'
import { answerFileDialogs, answerQuestions, stopC64 } from './support'

describe.skipIf(lacks('electron', 'xvfb'))('the window', () => {
  let folder: string
  let repository: TestRepository
  let running: RunningApp

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bridgedeck-rollback-e2e-'))
    repository = new TestRepository()
    repository.commit('Base', { 'a.txt': 'a\n', '.gitignore': '.meta/\n' })
    const one = repository.commit('One', { 'a.txt': 'b\n' })
    repository.put('.meta/context.md', '# Project: Notes\n')
    const task = { id: '01-01', title: 'Add an index', status: 'failed', dependencies: [], commits: [one] }
    repository.put(
      '.meta/session.json',
      JSON.stringify({
        sessionId: 's',
        status: 'halted',
        currentPhase: 1,
        gapCount: 0,
        plan: { tasks: [task], currentTaskIdx: 0 },
        variables: {},
      }),
    )
    running = await launchApp({ dataFolder: join(folder, 'data'), args: ['--size=1280x800', '--view=projects'] })
    await untilLive(running.page)
    await stopC64(running.page)
  })
  afterAll(async () => {
    await running.close()
    repository.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has git’s history changed only after the person agreed to exactly that', async () => {
    await answerFileDialogs(running, repository.root)
    const rollBack = () =>
      running.page.evaluate(async () => {
        const api = window.bridgedeck.projects
        const opened = await api.choose({})
        const project = opened.ok ? (opened.data.project ?? 0) : 0
        const found = await api.runs({ project, after: null })
        const run = found.ok ? (found.data.runs[0]?.key ?? '') : ''
        await api.trust({ project })
        const request = { kind: 'action' as const, name: 'roll-back', target: '01-01', values: {} }
        const preview = await api.preview({ project, run, request })
        if (!preview.ok) return preview
        const { token } = preview.data
        return {
          written: await api.write({ project, run, request, token }),
          rolledBack: await api.rollBack({ project, run, request, token }),
        }
      })

    await answerQuestions(running, 0)
    expect(await rollBack()).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } })
    // The folder is trusted, and the rollback is not agreed to.
    await running.app.evaluate(({ dialog }) => {
      dialog.showMessageBox = (...args: unknown[]) => {
        const question = args.at(-1) as { message: string }
        Object.assign(globalThis, { asked: question })
        return Promise.resolve({ response: question.message === 'Trust this folder?' ? 1 : 0, checkboxChecked: false })
      }
    })
    expect(await rollBack()).toMatchObject({
      written: { ok: false, error: { code: 'FORBIDDEN' } },
      rolledBack: { ok: false, error: { code: 'CANCELLED' } },
    })
    const asked = await running.app.evaluate(() => Reflect.get(globalThis, 'asked') as { detail: string })
    for (const words of [repository.root, 'git revert', 'One', 'refs/bridgedeck/backup'])
      expect(asked.detail).toContain(words)
    expect(repository.git('log', '-1', '--format=%s')).toBe('One')

    await answerQuestions(running, 1)
    expect(await rollBack()).toMatchObject({ rolledBack: { ok: true, data: { outcome: 'written' } } })
    expect(repository.git('log', '-1', '--format=%s')).toBe('Revert "One"')
    expect(repository.git('show', 'HEAD:a.txt')).toBe('a')
  })

  it('has it taken back from the list of edits, shown first and agreed to in the same dialog', async () => {
    const { page } = running
    const runs = page.getByRole('listbox', { name: 'Projects and runs' })
    await runs.getByRole('option', { name: /Notes/ }).first().click()
    await page.getByRole('radio', { name: 'Activity' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('git reset --keep').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    repository.put('a.txt', 'of somebody else\n')
    await page.getByRole('button', { name: 'Undo' }).click()
    await dialog.getByText('Cannot do this now: There are changes that are not committed, in a.txt').waitFor()
    expect(await dialog.getByRole('button', { name: 'Write' }).count()).toBe(0)
    repository.git('checkout', '--', 'a.txt')
    await dialog.getByRole('button', { name: 'Look again' }).click()
    await dialog.getByRole('button', { name: 'Write' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Undid: Rolled back task 01-01' }).first().waitFor()
    expect(repository.git('log', '-1', '--format=%s')).toBe('One')
    expect(repository.git('status', '--porcelain')).toBe('')
  })

  it('shows in place what a commit changed, on its task and among what happened', async () => {
    const { page } = running
    const hash = repository.git('rev-parse', 'HEAD')
    const inActivity = page.getByRole('group').filter({ hasText: hash.slice(0, 12) })
    await inActivity.getByText('One').click()
    await inActivity.getByLabel('Diff').getByText('+b').waitFor()
    await inActivity.getByText('One').click()

    await page.getByRole('region', { name: 'Journal' }).getByRole('button', { name: hash }).first().click()
    const pane = page.getByRole('region', { name: `Commit ${hash}` })
    await pane.getByLabel('Diff').getByText('+b').waitFor()
    await pane.getByRole('button', { name: 'Hide the commit' }).click()
    await pane.waitFor({ state: 'detached' })

    await page.getByRole('radio', { name: 'Plan' }).click()
    await page.getByRole('button', { name: new RegExp(`${hash.slice(0, 12)} \\(found\\)`) }).click()
    const panel = page.getByRole('region', { name: 'Commits of the task' })
    await panel.getByText('One').click()
    await panel.getByLabel('Files').getByText('a.txt').waitFor()
    await panel.getByRole('button', { name: 'Copy hash' }).click()
    await expect.poll(() => running.app.evaluate(({ clipboard }) => clipboard.readText())).toBe(hash)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  })
})
