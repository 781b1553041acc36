/** Projects: many runs opened, a large state that is written again and again, and from the disk to the pixels of a real window. */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright'
import { startProjectWorker } from '../../src-main/projects/worker/projectWorkerClient'
import { formats } from '../../src-main/formats/formats'
import { Projects } from '../../src-main/projects/projects'
import { openDatabase } from '../../src-main/storage/database'
import { launchApp } from '../support/launchApp'
import { median, percentile, type Row } from './row'

const RUNS = 500
const CHANGES = 40
const REWRITES = 10
/** Of the large state, bytes: just below what is read of a file. */
const LARGE = 3.9 * 1024 * 1024
const IDLE = 10_000

export default async function projects(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-bench-'))
  try {
    const state = await readFile(resolve('test/fixtures/spec004/mid-run.json'), 'utf8')
    for (let run = 0; run < RUNS; run++) await put(stateOf(join(folder, 'many'), run), titled(state, `run ${run}`))
    return [...(await follow(folder, state)), ...(await look(folder, state))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const stateOf = (project: string, run: number): string =>
  join(
    project,
    `area-${run % 20}/.workflow/.scratchpad/skill-tuning-20260210T08${String(run).padStart(4, '0')}/state.json`,
  )

const titled = (state: string, title: string): string => {
  const values = JSON.parse(state) as { target_skill: { name: string } }
  values.target_skill.name = title
  return JSON.stringify(values, null, 2)
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.tmp`, text)
  await rename(`${path}.tmp`, path)
}

/** As the bridge does, whose main thread is this one. */
async function follow(folder: string, state: string): Promise<Row[]> {
  const databasePath = join(folder, 'bridgedeck.sqlite')
  const database = openDatabase(databasePath)
  let heard: () => void = () => undefined
  const projects = new Projects({
    database,
    formats,
    startWorker: startProjectWorker(resolve('out/main/projectsWorker.cjs'), databasePath),
    onChanged: ({ runs }) => {
      if (runs.length > 0) heard()
    },
    log: (message) => process.stderr.write(`${message}\n`),
  })
  const delays = monitorEventLoopDelay({ resolution: 1 })
  try {
    delays.enable()
    const started = performance.now()
    const beforeOpening = process.threadCpuUsage()
    const { project } = await projects.open(join(folder, 'many'))
    const opened = performance.now() - started
    const openingTime = spentSince(beforeOpening)
    const opening = delays.max / 1e6
    const count = projects.list().projects.find((known) => known.project === project)?.runs ?? 0
    if (count !== RUNS) throw new Error(`${count} of ${RUNS} runs were found.`)
    // The watcher is set up after that. What looks at the delays wakes up a thousand times a second.
    delays.disable()
    await wait(5_000)
    const before = process.cpuUsage()
    await wait(IDLE)
    const { user, system } = process.cpuUsage(before)
    const idle = (user + system) / 10 / IDLE

    const large = join(folder, 'large')
    const path = stateOf(large, 0)
    const values = JSON.parse(state) as { issues: object[] }
    const issue = JSON.stringify(values.issues[0] ?? {}, null, 2).length
    const text = (title: string) =>
      titled(
        JSON.stringify({
          ...values,
          issues: Array.from({ length: Math.floor(LARGE / (issue * 1.4)) }, (_, index) => ({
            ...values.issues[0],
            id: `I-${index}`,
          })),
        }),
        title,
      )
    await put(path, text('large'))
    await projects.open(large)
    await wait(2_000)
    delays.enable()
    const taken: number[] = []
    const spent: { all: number; thread: number }[] = []
    let longest = 0
    for (let rewrite = 0; rewrite < REWRITES; rewrite++) {
      const next = text(`large ${rewrite}`)
      await wait(100)
      // What this bench itself computes is not counted.
      delays.reset()
      const told = new Promise<void>((done) => (heard = done))
      await put(path, next)
      const written = performance.now()
      const [before, beforeHere] = [process.cpuUsage(), process.threadCpuUsage()]
      await Promise.race([told, wait(30_000)])
      taken.push(performance.now() - written)
      const { user, system } = process.cpuUsage(before)
      spent.push({ all: (user + system) / 1000, thread: spentSince(beforeHere) })
      longest = Math.max(longest, delays.max / 1e6)
    }
    return [
      { name: `${RUNS} runs opened`, value: opened, unit: 'ms', target: 'under 3 s', met: opened < 3_000 },
      {
        name: 'longest stay of the main thread meanwhile',
        value: opening,
        unit: 'ms',
        target: 'under 5 ms',
        met: opening < 5,
        note: `waits for a free core counted; it used ${openingTime.toFixed(0)} ms of processor time in all`,
      },
      {
        name: `processor while ${RUNS} runs are followed`,
        value: idle,
        unit: '%',
        note: `of one core, over ${IDLE / 1000} s in which nothing changes`,
      },
      {
        name: `a state of ${(text('').length / 1e6).toFixed(1)} MB, from the disk to told`,
        value: median(taken),
        unit: 'ms',
        note: `median of ${REWRITES}; in the worker, with ${median(spent.map(({ all }) => all)).toFixed(0)} ms of processor time`,
      },
      {
        name: 'longest stay of the main thread meanwhile',
        value: longest,
        unit: 'ms',
        target: 'under 5 ms',
        met: longest < 5,
        note: `waits for a free core counted; it used ${median(spent.map(({ thread }) => thread)).toFixed(1)} ms of processor time in all`,
      },
    ]
  } finally {
    delays.disable()
    await projects.closeAll()
    database.close()
  }
}

/** Processor time of this thread, ms. */
function spentSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** In a real window: the time until what was written stands on the screen, and what a rewrite of the same bytes does there. */
async function look(folder: string, state: string): Promise<Row[]> {
  const project = join(folder, 'many')
  const { page, close } = await launchApp({ args: ['--size=1280x800', '--view=projects', project] })
  try {
    await page
      .getByRole('listbox', { name: 'Projects and runs' })
      .getByRole('option')
      .nth(5)
      .waitFor({ timeout: 60_000 })
    await wait(5_000)
    const times: number[] = []
    for (let change = 0; change < CHANGES; change++) {
      const marker = `probe ${change}`
      const seen = whenPainted(page, marker)
      await put(stateOf(project, change), titled(state, marker))
      const written = Date.now()
      times.push((await seen) - written)
      await wait(150)
    }
    const path = stateOf(project, 7)
    const same = await readFile(path, 'utf8')
    const start = performance.now()
    const rewritten = await mutations(page, async () => {
      for (let rewrite = 0; rewrite < 20; rewrite++) {
        await put(path, same)
        await wait(200)
      }
    })
    const duration = performance.now() - start
    const still = await mutations(page, () => wait(duration))
    const p95 = percentile(times, 0.95)
    return [
      {
        name: 'from a change on disk to pixels, p95',
        value: p95,
        unit: 'ms',
        target: 'under 250 ms',
        met: p95 < 250,
        note: `median ${median(times).toFixed(0)} ms of ${CHANGES}, ${RUNS} runs open`,
      },
      {
        name: 'changes of the page in 20 rewrites of the same',
        value: rewritten,
        unit: '',
        bare: still,
        target: 'none',
        met: rewritten <= still,
        note: 'beside the times that pass; bare is as long without',
      },
    ]
  } finally {
    await close()
  }
}

/** ms since 1970 of the frame in which the list shows a text. */
const whenPainted = (page: Page, text: string): Promise<number> =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((done) => {
        const list = document.querySelector('.projects-list')
        const look = () =>
          list?.textContent.includes(wanted)
            ? requestAnimationFrame(() => done(performance.timeOrigin + performance.now()))
            : requestAnimationFrame(look)
        look()
      }),
    text,
  )

/** Nodes of the projects' panel that changed meanwhile. */
async function mutations(page: Page, action: () => Promise<unknown>): Promise<number> {
  const counter = await page.evaluateHandle(() => {
    const panel = document.querySelector('[data-panel="projects"]') ?? document.body
    const count = { value: 0 }
    // Times that pass are renewed whatever happens on the disk.
    const isTime = (node: Node) => /ago|just now/.test(node.textContent ?? '')
    new MutationObserver((records) => (count.value += records.filter(({ target }) => !isTime(target)).length)).observe(
      panel,
      { subtree: true, childList: true, characterData: true, attributes: true },
    )
    return count
  })
  await action()
  return counter.evaluate(({ value }) => value)
}
