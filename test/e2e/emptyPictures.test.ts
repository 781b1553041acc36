/** The small pictures in empty views: they are there, of one size, and small. `npm run pictures -- empty` makes them again. */
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Locator, Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { agentLike } from '../support/agentBench'
import { indexedPng, readPicture } from '../support/goldenPictures'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { writeProject } from '../support/pictureData'
import { answerFileDialogs, answerQuestions, chooseMenuItem, settle } from './support'

const views = ['screen', 'timeline', 'tasks', 'device', 'projects', 'agents'] as const
type View = (typeof views)[number]
const themes = ['light', 'dark'] as const

const WIDTH = 384
const HEIGHT = 192
const MAX_BYTES = 12 * 1024

const fileOf = (view: View, theme: string): string => resolve(`src-renderer/views/${view}/empty-${theme}.png`)
const isMaking = process.env['BRIDGEDECK_PICTURES'] === 'empty'

describe.skipIf(isMaking)('the pictures in empty views', () => {
  it('are those of these views, and no others', () => {
    const files = globSync('src-renderer/**/empty-*.png').map((file) => resolve(file))
    expect(files.sort()).toEqual(views.flatMap((view) => themes.map((theme) => fileOf(view, theme))).sort())
  })

  it.each(views.flatMap((view) => themes.map((theme) => [view, theme] as const)))(
    'of %s in the %s theme is small',
    async (view, theme) => {
      expect((await stat(fileOf(view, theme))).size).toBeLessThan(MAX_BYTES)
      expect(readPicture(await readFile(fileOf(view, theme)))).toMatchObject({ width: WIDTH, height: HEIGHT })
    },
  )
})

if (isMaking)
  it.each(themes)('in the %s theme', { timeout: 120_000 }, async (theme) => {
    const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-empty-'))
    const running = await launchApp({
      dataFolder: join(folder, 'data'),
      environment: { HOME: folder, C64_TASK_STATE_FILE: undefined },
      args: ['--size=1280x800', `--theme=${theme}`],
    })
    try {
      await untilLive(running.page)
      for (const view of views) {
        const { element, across = 0, down = 0 } = await scenes[view](running, folder)
        const box = await element.boundingBox()
        if (box === null) throw new Error(`Nothing of ${view} is seen.`)
        const clip = { x: box.x + across, y: box.y + down, width: WIDTH, height: HEIGHT }
        await writeFile(fileOf(view, theme), indexedPng(readPicture(await running.page.screenshot({ clip }))))
      }
    } finally {
      await running.close()
      await rm(folder, { recursive: true, force: true })
    }
  })

interface Cut {
  /** The picture is cut out of the window at its left and upper edge. */
  readonly element: Locator
  /** Beyond that edge, CSS px. */
  readonly across?: number
  readonly down?: number
}

const panel = (page: Page, view: string): Locator => page.locator(`[data-panel="${view}"]`)

/** In the demo. */
const FRAME_COUNTER = '22'

/** The picture on the page of a task, as large as the C64 draws it. */
async function captureScreen(running: RunningApp): Promise<Locator> {
  await chooseMenuItem(running, 'task.sample')
  const picture = panel(running.page, 'tasks').getByRole('region', { name: 'Files' }).getByRole('img').first()
  await picture.waitFor()
  return picture
}

/** What a person does until the view has something to show. */
const scenes: Readonly<Record<View, (running: RunningApp, folder: string) => Promise<Cut>>> = {
  screen: async (running) => ({ element: await captureScreen(running), down: 24 }),
  tasks: async (running) => ({ element: await captureScreen(running), across: -12, down: 150 }),
  timeline: async (running) => {
    const { page } = running
    await chooseMenuItem(running, 'recorder.toggle')
    // The picture shows what three seconds of the demo are like.
    await page.waitForTimeout(3_000)
    await chooseMenuItem(running, 'recorder.toggle')
    await chooseMenuItem(running, 'view.timeline')
    const element = panel(page, 'timeline').locator('.timeline-times')
    await element.waitFor()
    const goTo = page.getByRole('textbox', { name: 'Go to address' })
    await goTo.fill(FRAME_COUNTER)
    await goTo.press('Enter')
    await panel(page, 'timeline').getByText(`$00${FRAME_COUNTER}`).first().waitFor()
    await settle(page)
    return { element, across: -12, down: -8 }
  },
  device: async (running) => {
    await chooseMenuItem(running, 'view.connections')
    const element = panel(running.page, 'connections').locator('.connections-list')
    await element.getByRole('button').first().waitFor()
    return { element }
  },
  projects: async (running, folder) => {
    await answerFileDialogs(running, await writeProject(folder))
    await chooseMenuItem(running, 'project.open')
    const element = panel(running.page, 'projects').getByRole('listbox', { name: 'Needs you' })
    await element.waitFor()
    // Neither the keyboard nor a place on this computer is part of it.
    await running.page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      for (const place of document.querySelectorAll<HTMLElement>('.project-row .data'))
        place.style.visibility = 'hidden'
    })
    return { element }
  },
  agents: async (running) => {
    const { page } = running
    await answerQuestions(running, 1)
    const agent = agentLike({ answer: 'Phase 1 is planned: 3 tasks.\nready' }, { name: 'helper' })
    await page.evaluate((saved) => window.bridgedeck.agents.save(saved), agent)
    await page.evaluate(() => window.bridgedeck.agents.try({ name: 'helper' }))
    await chooseMenuItem(running, 'view.agents')
    await panel(page, 'agents').getByRole('listbox', { name: 'Runs of agents' }).getByRole('option').click()
    const element = panel(page, 'agents').getByRole('region', { name: 'Details' })
    await element.getByText('done', { exact: true }).waitFor()
    return { element }
  },
}
