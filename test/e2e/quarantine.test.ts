/** The window after the bridge ended twice within a minute of opening something. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { dataFolderOf, RealBridge } from '../support/realBridge'
import { axeProblems } from './support'

describe.skipIf(lacks('electron', 'xvfb'))('what was left closed after crashes', () => {
  let folder: string
  let project: string
  let running: RunningApp | undefined

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bridgedeck-closed-'))
    project = join(folder, 'project')
    mkdirSync(join(folder, 'home'))
    cpSync(resolve('resources/sample-project'), project, { recursive: true })
  })
  afterEach(async () => {
    await running?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is told in a banner, and opened anyway from there', async () => {
    const seen = { BRIDGEDECK_LAST_END: 'was killed by SIGSEGV' }
    for (let end = 0; end < 2; end++) {
      const bridge = await RealBridge.start({ folder }, end === 0 ? {} : seen)
      await bridge.call('projects.open', { path: project })
      await bridge.kill('SIGSEGV')
    }
    await (await RealBridge.start({ folder }, seen)).stop()
    running = await launchApp({ dataFolder: dataFolderOf({ folder }), args: ['--view=projects'] })
    const { page } = running
    await untilLive(page)
    const banner = page.getByRole('status').filter({ hasText: 'Left closed: project' })
    await banner.getByText(project).waitFor()
    expect(await axeProblems(page)).toEqual([])
    const row = page.locator('[data-panel="projects"]').getByText('closed', { exact: true })
    await row.waitFor()
    await banner.getByRole('button', { name: 'Open anyway' }).click()
    await banner.waitFor({ state: 'detached' })
    await row.waitFor({ state: 'detached' })
  })
})
