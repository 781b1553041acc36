/** The person beside an agent: what the window asks, shows and undoes, with the app and an agent's program as they were built. */
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { actions, type Action, type ActionId } from '@shared/actions'
import { CommandLine } from '../support/commandLine'
import { launchApp, untilLive, type RunningApp } from '../support/launchApp'
import { ask, startAgentProcessNamed, type AgentAnswer } from '../support/mcpClient'
import { lacks } from '../support/parts'
import { walkWithTab } from '../support/tabWalk'
import { axeProblems, chooseMenuItem, pressNative } from './support'

const BORDER = 0xd020
const modifierOf: Readonly<Record<string, 'shift' | 'alt'>> = { Shift: 'shift', Alt: 'alt' }

describe.skipIf(lacks('electron', 'xvfb'))('an agent at the machine that the person watches', () => {
  let calls: CommandLine
  let running: RunningApp
  let page: Page
  const clients: Client[] = []

  beforeAll(async () => {
    calls = new CommandLine()
    running = await launchApp({
      dataFolder: join(calls.folder, 'data'),
      environment: { HOME: calls.folder, C64_TASK_STATE_FILE: undefined },
      args: ['--size=1280x800'],
    })
    page = running.page
    await untilLive(page)
    // The demo has the border too.
    await page.evaluate(() => window.bridgedeck.machine.pause({ machine: 'builtin' }))
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close()
    await statusItems().first().waitFor({ state: 'detached' })
    await page.evaluate(() => window.bridgedeck.steering.handBack({ machine: 'builtin' }))
  })
  afterAll(async () => {
    await running.close()
    await calls.remove()
  })

  const agent = async (name: string, ...words: string[]): Promise<Client> => {
    const client = await startAgentProcessNamed(name, calls, ...words)
    clients.push(client)
    await ask(client, 'machine', { op: 'list' })
    return client
  }
  const write = (client: Client, address: string, bytes: string): Promise<AgentAnswer> =>
    ask(client, 'memory', { op: 'write', address, bytes, ...(address.startsWith('$d') ? { bank: 'io' } : {}) })
  const border = (): Promise<number | undefined> =>
    page.evaluate(async (address) => {
      const read = await window.bridgedeck.memory.read({ machine: 'builtin', space: 'io', address, length: 1 })
      return read.ok ? (read.data.bytes[0] ?? 0) & 15 : undefined
    }, BORDER)

  const question = (): Locator => page.getByRole('region', { name: 'An agent asks' })
  const statusItems = (): Locator => page.getByRole('group', { name: 'Agents at machines' }).getByRole('button')
  const panel = (): Locator => page.locator('[data-panel="steering"]')
  const journal = (): Locator => panel().getByRole('listbox', { name: 'Calls of agents' })
  const connected = (name: string): Locator => panel().getByRole('listitem', { name })
  const machineBar = (): Locator => page.getByRole('group', { name: 'Machine', exact: true })
  const pressShortcut = (id: ActionId) => {
    const { accelerator = '' }: Action = actions[id]
    const [key = '', ...modifiers] = accelerator.split('+').reverse()
    return pressNative(running, key, ...modifiers.map((name) => modifierOf[name] ?? 'control'))
  }
  /** The question that is there long enough to be answered. */
  const untilAsked = async (words: string): Promise<void> => {
    await question().filter({ hasText: words }).and(page.locator('[data-answerable="true"]')).waitFor()
  }

  it('asks, is allowed by keyboard, changes the border, and has it undone', async () => {
    await chooseMenuItem(running, 'view.steering')
    const before = await border()
    expect(before).not.toBe(2)
    const client = await agent('painter')
    const written = write(client, '$d020', '02')
    await untilAsked('painter wants to change machines')
    expect(await question().textContent()).toContain('memory write address: $d020, bytes: 02, bank: io')
    expect(await axeProblems(page, '.agent-question')).toEqual([])
    await pressShortcut('steering.allowOnce')
    expect(await written).toMatchObject({ isError: false })
    await question().waitFor({ state: 'detached' })
    expect(await border()).toBe(2)
    const call = journal().getByRole('option').filter({ hasText: 'memory write' }).first()
    await call.filter({ hasText: 'done' }).waitFor()
    await journal().focus()
    await page.keyboard.press('Home')
    await panel().getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('u')
    await expect.poll(border).toBe(before)
    await panel().getByRole('region', { name: 'Call' }).getByText('Undone.').waitFor()
  })

  it('takes no key that was meant elsewhere, and is reached by F6 and Tab', async () => {
    await chooseMenuItem(running, 'view.tasks')
    const field = page.getByRole('searchbox', { name: 'Search the tasks' })
    await field.focus()
    const client = await agent('painter')
    const written = write(client, '$c000', '01')
    await untilAsked('painter')
    await page.keyboard.type('a b')
    await page.keyboard.press('Enter')
    expect([await field.inputValue(), await question().count()]).toEqual(['a b', 1])
    await field.fill('')
    const allow = question().getByRole('button', { name: 'Allow once' })
    await expect
      .poll(async () => {
        await chooseMenuItem(running, 'view.nextPanel')
        return allow.evaluate((button) => button === document.activeElement)
      })
      .toBe(true)
    expect(await walkWithTab(running, '.agent-question')).toMatchObject({ missed: [], unseen: [] })
    await question().getByRole('button', { name: 'Refuse' }).focus()
    await page.keyboard.press('Enter')
    expect(await written).toMatchObject({ isError: true, text: expect.stringContaining('does not allow') as string })
    expect(await border()).not.toBe(1)
  })

  it('is refused, and allowed after all from the panel', async () => {
    await chooseMenuItem(running, 'view.steering')
    const client = await agent('painter')
    const written = write(client, '$c000', '01')
    await untilAsked('painter')
    await pressShortcut('steering.refuse')
    expect(await written).toMatchObject({ isError: true })
    await connected('painter').getByText('May not').waitFor()
    await connected('painter').getByRole('button', { name: 'Allow' }).press('Enter')
    await connected('painter').getByRole('button', { name: 'Revoke' }).waitFor()
    expect(await write(client, '$c000', '02')).toMatchObject({ isError: false })
    await connected('painter').getByRole('button', { name: 'Revoke' }).press('Enter')
    const last = write(client, '$c000', '03')
    await untilAsked('painter')
    await pressShortcut('steering.refuse')
    expect(await last).toMatchObject({ isError: true })
  })

  it('is put aside, and asks again from the status bar', async () => {
    const [one, other] = [await agent('painter'), await agent('tester')]
    const first = write(one, '$c000', '01')
    await untilAsked('painter')
    const second = write(other, '$c001', '02')
    await question().getByText('1 of 2 questions').waitFor()
    await question().getByRole('button', { name: 'Answer later' }).click()
    await question().waitFor({ state: 'detached' })
    await statusItems().filter({ hasText: 'painter' }).filter({ hasText: 'asks you' }).click()
    await untilAsked('painter')
    await pressShortcut('steering.allowSession')
    expect(await first).toMatchObject({ isError: false })
    await untilAsked('tester')
    await pressShortcut('steering.refuse')
    expect(await second).toMatchObject({ isError: true })
  })

  it('stands in the status bar and waits while it is paused', async () => {
    await chooseMenuItem(running, 'view.steering')
    const client = await agent('painter', '--allow', 'change')
    await statusItems().filter({ hasText: 'idle' }).waitFor()
    await connected('painter').getByRole('button', { name: 'Pause' }).press('Enter')
    await statusItems().filter({ hasText: 'paused' }).waitFor()
    let isDone = false
    const written = write(client, '$c000', '11').then((answered) => {
      isDone = true
      return answered
    })
    await journal().getByRole('option').first().filter({ hasText: 'running' }).waitFor()
    expect(isDone).toBe(false)
    await connected('painter').getByRole('button', { name: 'Resume' }).press('Enter')
    expect(await written).toMatchObject({ isError: false })
    await statusItems().filter({ hasText: 'steers Built-in C64' }).waitFor()
  })

  it('is kept from a machine that the person took over, until it is handed back', async () => {
    await chooseMenuItem(running, 'view.machine')
    const client = await agent('painter', '--allow', 'change')
    expect(await write(client, '$c000', '21')).toMatchObject({ isError: false })
    await machineBar().getByText('painter').waitFor()
    await pressShortcut('steering.takeOver')
    await machineBar().getByText('You steer').waitFor()
    expect((await write(client, '$c000', '22')).text).toContain('the person took it over')
    expect(await ask(client, 'see', { op: 'screen' })).toMatchObject({ isError: false })
    await pressShortcut('steering.handBack')
    await machineBar().getByRole('button', { name: 'Take over' }).waitFor()
    expect(await write(client, '$c000', '23')).toMatchObject({ isError: false })
  })

  it('has several calls undone at once, after a question', async () => {
    await chooseMenuItem(running, 'view.steering')
    const client = await agent('painter', '--allow', 'change')
    const before = await border()
    await write(client, '$d020', '05')
    await write(client, '$d020', '06')
    const later = journal().getByRole('option').filter({ hasText: 'bytes: 06' })
    await later.filter({ hasText: 'done' }).waitFor()
    await journal().getByRole('option').filter({ hasText: 'bytes: 05' }).first().click()
    await panel().getByRole('button', { name: 'Undo' }).click()
    await panel().getByRole('alertdialog').getByText('the later call of painter').waitFor()
    expect(await border()).toBe(6)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(border).toBe(before)
  })

  it('has its calls found by its name, and the moment before one', async () => {
    await chooseMenuItem(running, 'view.steering')
    const client = await agent('tester', '--allow', 'change')
    await write(client, '$d020', '07')
    await page.evaluate(() => window.bridgedeck.machine.step({ machine: 'builtin', count: 1, over: false }))
    await panel().getByRole('combobox').selectOption('tester')
    await journal().getByRole('option').filter({ hasText: 'bytes: 07' }).click()
    expect(await journal().getByRole('option').filter({ hasText: 'painter' }).count()).toBe(0)
    await journal().focus()
    await panel().getByRole('button', { name: 'Go there' }).waitFor()
    await page.keyboard.press('g')
    await page.getByRole('toolbar', { name: 'Run and step' }).getByRole('slider').waitFor()
    await expect.poll(border).not.toBe(7)
    await page.evaluate(() => window.bridgedeck.timeTravel.goTo({ machine: 'builtin', beforeEnd: 0 }))
    expect(await axeProblems(page)).toEqual([])
  })
})
