/** What the pictures of README and docs show, and what a person does in the window until it shows that. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Locator } from 'playwright'
import { chooseMenuItem, settle } from '../e2e/support'
import type { CommandLine } from './commandLine'
import type { RunningApp } from './launchApp'
import { ask, startAgentProcessNamed } from './mcpClient'

export interface ReadmeScene {
  /** Of the file below docs/images. */
  readonly name: string
  readonly arrange: (running: RunningApp, calls: CommandLine) => Promise<unknown>
}

/** In their order: each begins in the window as the one before has left it. */
export const readmeScenes: readonly ReadmeScene[] = [
  { name: 'bridgedeck', arrange: (running) => chooseMenuItem(running, 'view.machine') },
  { name: 'timeline', arrange: showRecording },
  { name: 'tasks', arrange: sampleCounter },
  { name: 'devices', arrange: showDevices },
  { name: 'graphics', arrange: editSprite },
  { name: 'debug', arrange: stopAtWrite },
  { name: 'agents', arrange: letAgentsWork },
  { name: 'projects', arrange: openQuestion },
  { name: 'edit', arrange: previewAnswer },
  { name: 'run', arrange: showRun },
  { name: 'morning', arrange: (running) => chooseMenuItem(running, 'report.show') },
]

/** A picture that moves, of the window as a scene has left it. */
export interface MovingPicture {
  readonly name: string
  readonly after: string
  readonly frames: number
  /** What the person does after a frame. */
  readonly act: (running: RunningApp, frame: number) => Promise<unknown>
}

/** Of a moving picture, ms. */
export const FRAME_MS = 500

const STEPS_BACK = 4
/** Each for a frame: both halves of the sail get another colour, and their own again. */
const drawing: readonly string[][] = [
  Array<string>(8).fill('ArrowDown'),
  Array<string>(3).fill('ArrowRight'),
  ['2', 'f'],
  ['Space'],
  Array<string>(4).fill('ArrowRight'),
  ['1', 'Space'],
  [],
  ['h'],
  [],
  ['Control+z'],
  ['Control+z'],
  ['Control+z'],
]

export const movingPictures: readonly MovingPicture[] = [
  {
    name: 'draw',
    after: 'graphics',
    frames: drawing.length + 1,
    act: async ({ page }, frame) => {
      for (const key of drawing[frame] ?? []) await page.getByRole('application', { name: /^Pixels/ }).press(key)
    },
  },
  {
    // A few steps back, then a second for each frame.
    name: 'back',
    after: 'debug',
    frames: STEPS_BACK + 12,
    act: (running, frame) =>
      frame < STEPS_BACK
        ? chooseMenuItem(running, 'machine.stepBack')
        : running.page.getByRole('slider', { name: 'Moment of the machine’s time' }).press('PageDown'),
  },
]

const panel = ({ page }: RunningApp, view: string): Locator => page.locator(`[data-panel="${view}"]`)

/** Of the demo. */
const FRAME_COUNTER = '$22'
const BORDER = 0xd020

async function showRecording(running: RunningApp): Promise<void> {
  const { page } = running
  await chooseMenuItem(running, 'recorder.toggle')
  // The picture shows what eight seconds of the demo are like.
  await page.waitForTimeout(8_000)
  await chooseMenuItem(running, 'recorder.toggle')
  await chooseMenuItem(running, 'view.timeline')
  await panel(running, 'timeline').locator('.timeline-times').waitFor()
  await goToAddress(running, FRAME_COUNTER)
  await panel(running, 'timeline').getByText('$0022').first().waitFor()
}

async function goToAddress(running: RunningApp, address: string): Promise<void> {
  await chooseMenuItem(running, 'memory.goto')
  const field = running.page.getByRole('textbox', { name: 'Go to address' }).and(running.page.locator(':visible'))
  await field.fill(address)
  await field.press('Enter')
}

async function sampleCounter(running: RunningApp): Promise<void> {
  const tasks = panel(running, 'tasks')
  await chooseMenuItem(running, 'task.new')
  const details = tasks.getByRole('region', { name: 'Details' })
  await details.getByLabel('Operation', { exact: true }).selectOption('sample')
  for (const [name, text] of Object.entries({ Addresses: `${FRAME_COUNTER} $D012`, Rate: '50', 'Duration (s)': '4' }))
    await details.getByLabel(name, { exact: true }).fill(text)
  await tasks.getByRole('button', { name: 'Start', exact: true }).click()
  await tasks.getByRole('option').filter({ hasText: 'sample' }).filter({ hasText: 'completed' }).waitFor()
  await details.getByRole('img', { name: /^Values of \$0022/ }).waitFor()
}

async function showDevices(running: RunningApp): Promise<void> {
  await chooseMenuItem(running, 'view.connections')
  await panel(running, 'connections').locator('.connections-list').getByRole('button').first().waitFor()
}

async function editSprite(running: RunningApp): Promise<void> {
  await chooseMenuItem(running, 'view.spriteBrowser')
  await chooseMenuItem(running, 'editor.openSprite')
  await panel(running, 'editor').locator('.editor-canvases canvas').first().waitFor()
}

/** Two programs of agents look at the machine, and one of them changes it. */
async function letAgentsWork(running: RunningApp, calls: CommandLine): Promise<void> {
  await running.page.evaluate(async () => {
    const known = await window.bridgedeck.machine.checkpoints({ machine: 'builtin' })
    for (const { number } of known.ok ? known.data.checkpoints : [])
      await window.bridgedeck.machine.deleteCheckpoint({ machine: 'builtin', number })
    await window.bridgedeck.machine.resume({ machine: 'builtin' })
  })
  await chooseMenuItem(running, 'view.steering')
  const clients: Client[] = [
    await startAgentProcessNamed('claude-code', calls, '--allow', 'change'),
    await startAgentProcessNamed('gemini-cli', calls),
  ]
  const [first, second] = clients
  if (!first || !second) return
  await ask(first, 'machine', { op: 'list' })
  await ask(first, 'see', { op: 'screen' })
  await ask(second, 'machine', { op: 'list' })
  await ask(first, 'run', { op: 'assembly', source: 'lda #2\nsta $d020\nstay jmp stay' })
  await ask(first, 'memory', { op: 'why', address: '$d020' })
  await ask(second, 'memory', { op: 'read', address: '$0400', length: 40 })
  await ask(first, 'see', { op: 'sprites' })
  await ask(first, 'memory', { op: 'write', address: '$0400', bytes: '08 05 0c 0c 0f' })
  const journal = panel(running, 'steering').getByRole('listbox', { name: 'Calls of agents' })
  await journal.getByRole('option').filter({ hasText: 'memory write' }).click()
}

/** The demo stands where it wrote the border, and the window says what did. */
async function stopAtWrite(running: RunningApp): Promise<void> {
  const { page } = running
  await page.evaluate((address) => {
    const write = { start: address, end: address, operations: ['store' as const], temporary: false }
    const always = { stop: true, enabled: true, condition: null, fromHit: 3, log: null, label: null, line: null }
    return window.bridgedeck.machine.setCheckpoint({ machine: 'builtin', checkpoint: { ...write, ...always } })
  }, BORDER)
  await chooseMenuItem(running, 'view.debug')
  await page.locator('[data-panel="status-bar"]').getByText('Paused').waitFor()
  await goToAddress(running, '$d020')
  await page.locator('[data-panel="code"]').getByRole('list', { name: 'Code at the PC' }).waitFor()
}

async function openQuestion(running: RunningApp): Promise<void> {
  await chooseMenuItem(running, 'project.sample')
  const needs = panel(running, 'projects').getByRole('listbox', { name: 'Needs you' })
  await needs.getByRole('option').filter({ hasText: 'What counts as a good recording' }).click()
  await panel(running, 'projects').getByText('Is the mark about how a tape sounds').first().waitFor()
}

async function previewAnswer(running: RunningApp): Promise<void> {
  const projects = panel(running, 'projects')
  await projects
    .getByRole('button', { name: /^Option C/ })
    .first()
    .click()
  await projects.getByRole('button', { name: 'Preview change' }).click()
  await running.page.getByRole('dialog').waitFor()
}

async function showRun(running: RunningApp): Promise<void> {
  await running.page.keyboard.press('Escape')
  const runs = panel(running, 'projects').getByRole('option').filter({ hasText: 'A scroller over colour bars' })
  await runs.last().click()
  await settle(running.page)
}
