/** The tasks view with a person before it: a task started, seen, run again, stopped and deleted; by keyboard and for axe. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { lacks } from '../support/parts'
import { answerFileDialogs, answerQuestions, axeProblems, chooseMenuItem, rememberedState, settle } from './support'

describe.skipIf(lacks('electron', 'xvfb'))('the tasks view', () => {
  let folder: string
  let running: RunningApp
  let page: Page

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridgedeck-tasks-'))
    running = await launchApp({
      dataFolder: join(folder, 'data'),
      environment: { HOME: folder, C64_TASK_STATE_FILE: undefined },
      args: ['--size=1280x800'],
    })
    page = running.page
    await untilLive(page)
    await chooseMenuItem(running, 'view.tasks')
    await button('New task').waitFor()
  })
  afterAll(async () => {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  })

  const view = () => page.locator('[data-panel="tasks"]')
  const button = (name: string) => view().getByRole('button', { name, exact: true })
  const rows = () => view().getByRole('listbox', { name: 'Tasks' }).getByRole('option')
  const row = (text: string) => rows().filter({ hasText: text })
  const details = () => view().getByRole('region', { name: 'Details' })
  const start = async (operation: string, fields: Readonly<Record<string, string>> = {}, recurs = false) => {
    await button('New task').click()
    await details().getByLabel('Operation', { exact: true }).selectOption(operation)
    if (recurs) await details().getByRole('radio', { name: 'Again and again' }).click()
    for (const [name, text] of Object.entries(fields)) await details().getByLabel(name, { exact: true }).fill(text)
    await button('Start').click()
  }

  it('starts an operation from a form that its schema makes, and shows what came of it', async () => {
    await start('read', { Address: '0x0400', Length: '4' })
    await row('0001_read').filter({ hasText: 'completed' }).waitFor()
    await expect.poll(() => details().textContent()).toMatch(/Result.*Address\$0400.*Length4 bytes/s)
    await details().getByRole('region', { name: 'Result' }).getByRole('checkbox', { name: 'Raw' }).check()
    await expect.poll(() => details().textContent()).toMatch(/Result.*"address": "0x0400".*"length": 4/s)
    await details().getByRole('region', { name: 'Result' }).getByRole('checkbox', { name: 'Raw' }).uncheck()
    const stored = async () => JSON.parse(await readFile(join(folder, '.c64bridge/tasks.json'), 'utf8')) as unknown
    await expect
      .poll(stored)
      .toMatchObject({ tasks: [{ id: '0001_read', args: { address: '0x0400', length: 4 }, status: 'completed' }] })
  })

  it('draws the sprites that a task found', async () => {
    await start('extract_sprites_from_ram', { Address: '$0840', Length: '512' })
    await row('0002_extract_sprites_from_ram').filter({ hasText: 'completed' }).waitFor()
    const pictures = details().getByRole('img')
    await expect.poll(() => pictures.count()).toBe(8)
    await expect
      .poll(() => pictures.first().evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
      .toBe(24)
    await expect.poll(() => details().textContent()).toContain('sprite_0840')
  })

  it('keeps what was typed, and says beside the form what an operation does not take', async () => {
    await start('write', { Address: '$C000', Bytes: 'xyz' })
    await expect.poll(() => details().getByRole('alert').textContent()).toContain('“xyz” is not hexadecimal')
    await button('Cancel').click()
    await button('New task').click()
    await expect.poll(() => details().getByLabel('Bytes', { exact: true }).inputValue()).toBe('xyz')
    await button('Empty the form').click()
    await button('Start').click()
    await expect.poll(() => details().getByRole('alert').textContent()).toBe('Address is missing.')
    await details().getByLabel('Bytes', { exact: true }).fill('00')
    await details().getByLabel('Address', { exact: true }).fill('1'.repeat(300_000))
    await button('Start').click()
    await details().getByText('Too long: the arguments').waitFor()
    await details().getByRole('radio', { name: 'Again and again' }).click()
    await details().getByLabel('Address', { exact: true }).fill('$C000')
    await details().getByLabel('Interval (ms)', { exact: true }).fill('often')
    await button('Start').click()
    await details().getByText('Interval: a whole number of ms').waitFor()
    // Remembered after the text of that length, which was refused each time.
    await expect.poll(() => rememberedState(page)).toContain('often')
    await settle(page)
    expect(await page.getByText('window.remember').count()).toBe(0)
    await button('Empty the form').click()
    await button('Cancel').click()
  })

  it('runs a task again and again until it is stopped, and tells that one failed', async () => {
    await start('read_screen', { 'Interval (ms)': '50' }, true)
    await row('read_screen').filter({ hasText: 'running' }).waitFor()
    await expect
      .poll(async () => Number(/Runs(\d+)/.exec((await details().textContent()) ?? '')?.[1]))
      .toBeGreaterThan(2)
    await button('Stop').click()
    await row('read_screen').filter({ hasText: 'stopped' }).waitFor()
    await start('poll_screen', { Pattern: 'no such text', 'Timeout (s)': '0.05' })
    await row('poll_screen').filter({ hasText: 'failed' }).waitFor()
    await page.getByText('The task poll_screen failed').waitFor()
    await expect.poll(() => details().textContent()).toContain('did not appear on the screen within 50 ms')
  })

  it('shows the values that a task recorded over time, closer and farther', async () => {
    await start('sample', { Addresses: '$A2 $D012', Rate: '50', 'Duration (s)': '0.4' })
    await row('sample').filter({ hasText: 'completed' }).waitFor()
    const chart = details().getByRole('img', { name: /^Values of \$00A2: \d+ steps?,/ })
    await chart.waitFor()
    // A reading of while it still ran shows less of it.
    await details().getByRole('region', { name: 'Values over time' }).and(page.locator('[aria-busy=false]')).waitFor()
    const span = () => details().locator('.task-chart figcaption').first().textContent()
    const whole = await span()
    await chart.focus()
    await page.keyboard.press('+')
    await expect.poll(span).not.toBe(whole)
    await page.keyboard.press('0')
    await expect.poll(span).toBe(whole)
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(span).not.toBe(whole)
    await page.keyboard.press('Escape')
    await expect.poll(span).toBe(whole)
    const box = await chart.boundingBox()
    if (!box) throw new Error('The chart cannot be seen.')
    await page.mouse.move(box.x + box.width / 2, box.y + 60)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 1.5, box.y + 60, { steps: 3 })
    await page.mouse.up()
    await expect.poll(span).not.toBe(whole)
    await details().getByRole('button', { name: 'Back' }).click()
    await expect.poll(span).toBe(whole)
    await details().getByRole('radio', { name: 'Bits' }).click()
    await details()
      .getByRole('img', { name: /^Values of \$00A2: \d+ steps?, the last %[01]{8}\./ })
      .waitFor()
    await details().getByText('Table').first().click()
    await details()
      .getByRole('group', { name: 'Table, Values of $00A2' })
      .getByRole('cell', { name: /^%[01]{8}$/ })
      .first()
      .waitFor()
    await details().getByRole('radio', { name: 'Hex' }).click()
    await details().getByRole('button', { name: 'Show these in Timeline' }).click()
    const both = page.locator('[data-panel="timeline"]')
    await both.getByText('CSV of $00A2…').waitFor()
    await both.getByRole('region', { name: '$D012 over time' }).waitFor()
    await both.getByRole('button', { name: 'Close the chart of $D012' }).click()
    await both.getByRole('region', { name: '$D012 over time' }).waitFor({ state: 'detached' })
    await chooseMenuItem(running, 'view.tasks')
    // All that was sampled is open; another choice replaces it.
    await details()
      .getByRole('img', { name: /^Values of \$D012/ })
      .waitFor()
    await details().getByLabel('Address').fill('$D012')
    await expect
      .poll(() =>
        details()
          .getByRole('img', { name: /^Values of/ })
          .count(),
      )
      .toBe(1)
    await details().getByRole('button', { name: 'Show this in Timeline' }).click()
    const timeline = page.locator('[data-panel="timeline"]')
    await timeline.getByText('CSV of $D012…').waitFor()
    await timeline.getByText(/^\d\d:\d\d:\d\d\.\d{3} to \d\d:\d\d:\d\d\.\d{3}$/).waitFor()
    await chooseMenuItem(running, 'view.tasks')
    await details().getByLabel('Address').fill('$C000')
    await details().getByText('Recorded: $00A2 (1 bytes)').waitFor()
  })

  it('runs a task again as it was', async () => {
    await row('0001_read').click()
    await button('Run again').click()
    await row('0006_read').waitFor()
    await expect.poll(() => details().textContent()).toMatch(/0006_read.*Address\$0400/s)
  })

  it('finds, filters and sorts', async () => {
    await view().getByLabel('Search the tasks').fill('sprites')
    await expect.poll(() => rows().count()).toBe(1)
    await view().getByLabel('Search the tasks').fill('')
    await view().getByRole('radio', { name: 'Failed' }).click()
    await expect.poll(async () => (await rows().allTextContents()).join()).toMatch(/^failed[^,]*poll_screen[^,]*$/)
    await view().getByRole('radio', { name: 'All' }).click()
    await view().getByRole('button', { name: 'Sort by task, now descending' }).click()
    await expect.poll(() => rows().first().textContent()).toContain('0001_read')
  })

  it('is worked by keyboard: search, choose, new', async () => {
    await view().getByRole('listbox').focus()
    await page.keyboard.press('Home')
    await expect.poll(() => details().textContent()).toContain('0001_read')
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => details().textContent()).toContain('0002_extract')
    await page.keyboard.press('/')
    await expect
      .poll(() =>
        view()
          .getByLabel('Search the tasks')
          .evaluate((field) => field === document.activeElement),
      )
      .toBe(true)
    await view().getByRole('listbox').focus()
    await page.keyboard.press('n')
    await details().getByRole('form', { name: 'New task' }).waitFor()
    expect(await axeProblems(page)).toEqual([])
    await button('Cancel').click()
  })

  it('has nothing that axe finds fault with', async () => {
    await row('0002_extract').click()
    await expect.poll(() => details().getByRole('img').count()).toBe(8)
    expect(await axeProblems(page)).toEqual([])
  })

  it('deletes a task once that was confirmed', async () => {
    await answerQuestions(running, 1)
    await row('0006_read').click()
    await button('Delete…').click()
    await expect.poll(() => rows().count(), { timeout: 60_000 }).toBe(5)
  })

  it('has a file chosen for an argument that is one, and lets the page name none', async () => {
    const path = join(folder, 'nothing.prg')
    // 10 SYS 2061: RTS
    const program = [0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00, 0x60]
    await writeFile(path, Uint8Array.from(program))
    await answerFileDialogs(running, path)
    await start('run_prg')
    await expect.poll(() => details().getByRole('alert').textContent()).toBe('Path is missing.')
    await button('Choose a file…').click()
    await details().getByText('nothing.prg').waitFor()
    await button('Start').click()
    await row('run_prg').filter({ hasText: 'completed' }).waitFor()
    const named = (args: Record<string, string>) =>
      page.evaluate(
        (args) =>
          window.bridgedeck.tasks.startGranted({
            operation: 'run_prg',
            machine: 'builtin',
            type: 'foreground',
            args,
            files: {},
          }),
        args,
      )
    expect(await named({ path })).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } })
  })

  it('charts what the runs of a recurring task found', async () => {
    await start('read', { Address: '$A1', Length: '2', 'Interval (ms)': '50' }, true)
    const chart = details().getByRole('img', { name: /^bytes, byte 0: \d+ steps?, the last \$/ })
    await chart.waitFor()
    await expect.poll(() => details().textContent()).toMatch(/[1-9]\d* runs/)
    await details().getByLabel('Byte', { exact: true }).fill('1')
    await details()
      .getByRole('img', { name: /^bytes, byte 1: \d+ steps?/ })
      .waitFor()
    await button('Stop').click()
    await expect.poll(() => details().textContent()).toMatch(/Runs\d+/)
    expect(await axeProblems(page)).toEqual([])
  })

  it('says that a machine is paused before it is sampled or recorded, with Resume', async () => {
    const execution = () =>
      page.evaluate(async () => {
        const listed = await window.bridgedeck.machine.list({})
        return listed.ok ? listed.data.machines[0]?.execution : listed.error.message
      })
    const pause = async () => {
      await page.evaluate(() => window.bridgedeck.machine.pause({ machine: 'builtin' }))
      await expect.poll(execution).toBe('paused')
    }
    await pause()
    await button('New task').click()
    await details().getByLabel('Operation', { exact: true }).selectOption('sample')
    const still = details().locator('.task-still')
    await still.getByText(/is paused: until it runs on, each sample is the same/).waitFor()
    await still.getByRole('button', { name: 'Resume' }).click()
    await still.waitFor({ state: 'detached' })
    expect(await execution()).toBe('running')
    await pause()
    await still.waitFor()
    await chooseMenuItem(running, 'recorder.toggle')
    const toast = page.locator('.toast').filter({ hasText: 'is paused: until it runs on' })
    await toast.getByRole('button', { name: 'Resume' }).click()
    await expect.poll(execution).toBe('running')
    await row('recording').first().waitFor()
    await chooseMenuItem(running, 'recorder.toggle')
    await row('recording').filter({ hasText: 'recorded' }).waitFor()
    await button('Cancel').click()
  })

  it('offers the repair of a damaged tasks.json, shows what it makes of it, and keeps the damaged one', async () => {
    await page.evaluate(() =>
      window.bridgedeck.tasks.startGranted({
        operation: 'read',
        name: 'to_repair',
        machine: 'builtin',
        type: 'foreground',
        args: {},
        files: {},
      }),
    )
    await row('to_repair').filter({ hasText: 'completed' }).waitFor()
    const registry = join(folder, '.c64bridge/tasks.json')
    const read = async () => JSON.parse(await readFile(registry, 'utf8')) as { tasks: { status: string }[] }
    await expect.poll(async () => (await read()).tasks.at(-1)?.status).toBe('completed')
    const whole = await read()
    await writeFile(registry, '{"tasks": [{"id": "0001_re')
    await expect.poll(() => page.locator('.tasks-problem').textContent()).toMatch(/^tasks\.json:1:\d+: \D/)
    await button('Preview repair').click()
    await details().getByRole('heading', { name: 'Repair tasks.json' }).waitFor()
    await expect.poll(() => details().getByRole('listitem').count()).toBeGreaterThan(0)
    expect(await axeProblems(page)).toEqual([])
    await answerQuestions(running, 1)
    await button('Repair…').click()
    await expect.poll(read).toEqual(whole)
    await expect.poll(() => button('Preview repair').count()).toBe(0)
    const kept = (await readdir(join(folder, '.c64bridge'))).filter((name) => name.startsWith('tasks.json.damaged-'))
    expect(kept).toHaveLength(1)
  })

  describe('closing the window while a task runs', () => {
    /** Closes the window, with a person who chooses the button of this number. */
    const closeAnd = async (choice: number) => {
      const asked = await answerQuestions(running, choice)
      await running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
      return asked
    }
    const isVisible = () => running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible())
    const states = async () => {
      const { tasks } = JSON.parse(await readFile(join(folder, '.c64bridge/tasks.json'), 'utf8')) as {
        tasks: { name: string; status: string }[]
      }
      return tasks.filter(({ name }) => name === 'at_closing').map(({ status }) => status)
    }

    it('asks, keeps them running without a window, and stops them cleanly at the end', async () => {
      await page.evaluate(() =>
        window.bridgedeck.tasks.startGranted({
          operation: 'read',
          name: 'at_closing',
          machine: 'builtin',
          type: 'background',
          args: {},
          files: {},
          intervalMs: 100,
        }),
      )
      const asked = await closeAnd(2)
      await expect
        .poll(asked)
        .toMatchObject([
          { message: 'A task is running.', buttons: ['Keep them running', 'Stop them and close', 'Cancel'] },
        ])
      expect(await isVisible()).toBe(true)

      await closeAnd(0)
      await expect.poll(isVisible).toBe(false)
      await expect.poll(states).toEqual(['running'])

      const ended = new Promise<void>((resolve) => running.app.once('close', () => resolve()))
      await closeAnd(1)
      await ended
      expect(await states()).toEqual(['stopped'])
    })
  })
})
