/** Each workspace and dialog for those without a mouse, by Tab and shortcuts alone, and for axe in both themes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { actions, showActionOf, type Action, type ActionId } from '@shared/actions'
import { workspaceNames } from '@shared/workspaces'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { writeProject, writeTasks } from '../support/pictureData'
import { walkWithTab } from '../support/tabWalk'
import { answerFileDialogs, axeProblems, chooseMenuItem, pressNative, settle, stopC64 } from './support'

const themes = ['light', 'dark'] as const
const modifierOf: Readonly<Record<string, 'shift' | 'alt'>> = { Shift: 'shift', Alt: 'alt' }

describe.skipIf(lacks('electron', 'xvfb'))('everybody reaches everything', () => {
  let folder: string
  let running: RunningApp
  let page: Page

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-reach-'))
    await writeTasks(folder)
    running = await launchApp({
      dataFolder: join(folder, 'data'),
      environment: { HOME: folder, C64_TASK_STATE_FILE: undefined },
      args: ['--size=1440x900'],
    })
    page = running.page
    await untilLive(page)
    await stopC64(page)
    await answerFileDialogs(running, await writeProject(folder))
    await chooseMenuItem(running, 'project.open')
    await page.getByRole('listbox', { name: 'Needs you' }).getByRole('option').first().waitFor()
  })
  afterAll(async () => {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  })

  const pressShortcut = (id: ActionId) => {
    const { accelerator = '' }: Action = actions[id]
    const [key = '', ...modifiers] = accelerator.split('+').reverse()
    return pressNative(running, key, ...modifiers.map((name) => modifierOf[name] ?? 'control'))
  }
  const useTheme = async (theme: (typeof themes)[number]) => {
    await chooseMenuItem(running, `theme.${theme}`)
    await page.locator(`html[data-theme="${theme}"]`).waitFor()
    await settle(page)
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  }

  describe.each(workspaceNames)('in the workspace %s', (name) => {
    beforeAll(async () => {
      await pressShortcut(showActionOf(name))
      await page.locator(`[data-workspace="${name}"][data-current="true"] .view > *`).first().waitFor()
      await settle(page)
    })

    it('Tab comes to every control, with a focus that can be seen, and leaves it again', async () => {
      expect(await walkWithTab(running)).toEqual({ missed: [], unseen: [], holds: [] })
    })

    it.each(themes)('axe finds nothing in %s', async (theme) => {
      await useTheme(theme)
      expect(await axeProblems(page)).toEqual([])
    })
  })

  it('axe finds nothing while a tooltip is open', async () => {
    await page.locator('.activity-bar').getByRole('button').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.locator('.tooltip').waitFor()
    expect(await axeProblems(page)).toEqual([])
  })

  const runs = () => page.getByRole('listbox', { name: 'Projects and runs' })
  const toProjects = async () => {
    const current = page.locator('[data-workspace="projects"][data-current="true"]')
    if ((await current.count()) > 0) return
    await pressShortcut('view.projects')
    await current.waitFor()
  }
  /** Again where the workspace that came took the focus meanwhile. */
  const chooseRow = (position: number) =>
    expect
      .poll(async () => {
        await runs().focus()
        await page.keyboard.press('Home')
        for (let at = 1; at < position; at++) await page.keyboard.press('ArrowDown')
        return runs().locator('[aria-selected=true]').getAttribute('aria-posinset')
      })
      .toBe(String(position))
  const chooseFirstRun = async () => {
    await toProjects()
    await chooseRow(2)
    await page.getByRole('button', { name: 'Act…' }).waitFor()
  }
  const dialog = () => page.getByRole('dialog')
  const dialogs: readonly { readonly name: string; readonly open: () => Promise<void> }[] = [
    { name: 'the command palette', open: () => pressShortcut('view.palette') },
    { name: 'the choice of a machine', open: () => pressShortcut('machine.choose') },
    {
      name: 'the choice of what to do with a run',
      open: async () => {
        await chooseFirstRun()
        await pressShortcut('project.act')
        await dialog().getByRole('listbox').and(page.locator(':focus')).waitFor()
      },
    },
    {
      name: 'the form of what to do with a run',
      open: async () => {
        await chooseFirstRun()
        await pressShortcut('project.act')
        await dialog().getByRole('listbox').and(page.locator(':focus')).waitFor()
        await page.keyboard.press('Enter')
        await dialog().getByRole('button', { name: 'Preview change' }).waitFor()
      },
    },
    {
      name: 'the form of a new run',
      open: async () => {
        await chooseRow(1)
        await page.getByRole('button', { name: 'New Meta-Shell run…' }).press('Enter')
      },
    },
  ]
  /** An open tooltip takes the first Escape. */
  const close = async () => {
    if ((await page.locator('.tooltip').count()) > 0) {
      await page.keyboard.press('Escape')
      await expect.poll(() => page.locator('.tooltip').count()).toBe(0)
    }
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog().count()).toBe(0)
  }
  /** For the next test, whatever became of this one. */
  afterEach(async () => {
    if ((await dialog().count()) > 0) await close()
  })

  describe.each(dialogs)('in $name', ({ open }) => {
    beforeAll(toProjects)

    it('Tab comes to every control and stays inside, Escape leads back', async () => {
      await open()
      await dialog().waitFor()
      const { missed, unseen } = await walkWithTab(running, '[role=dialog]')
      expect({ missed, unseen }).toEqual({ missed: [], unseen: [] })
      expect(await dialog().locator(':focus').count()).toBe(1)
      await close()
    })

    it.each(themes)('axe finds nothing in %s', async (theme) => {
      await useTheme(theme)
      await open()
      await dialog().waitFor()
      expect(await axeProblems(page)).toEqual([])
      await close()
    })
  })

  it('a tooltip lies over the dialog that it is about', async () => {
    await chooseFirstRun()
    await pressShortcut('project.act')
    await dialog().getByRole('listbox').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await page.locator('.tooltip').waitFor()
    const layerOf = (selector: string) =>
      page.locator(selector).evaluate((element) => Number(getComputedStyle(element).zIndex))
    expect(await layerOf('.tooltip')).toBeGreaterThan(await layerOf('.dialog'))
    await close()
  })
})
