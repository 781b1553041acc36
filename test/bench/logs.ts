/** A log of a gigabyte: its end, its lines by number, searches through all of it, and what the window takes to show it. */
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { AgentRun } from '@shared/contract/agents'
import { LogFile } from '../../src-main/agents/logFile'
import { searchLog, type LogSearch } from '../../src-main/agents/logSearch'
import { RegexMatcher } from '../../src-main/regex/matcher'
import { AgentRunStore } from '../../src-main/storage/agentRuns'
import { openDatabase } from '../../src-main/storage/database'
import { launchApp, untilLive } from '../support/launchApp'
import { median, type Row } from './row'

const GIGABYTE = 1024 ** 3
const MEBIBYTE = 1024 * 1024
const RUN = '000000001-0123456789ab'

export default async function logs(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-bench-'))
  const path = join(folder, 'data', 'agents', RUN, 'output.log')
  mkdirSync(join(path, '..'), { recursive: true })
  try {
    const lines = await writeLog(path)
    return [...(await reading(path, lines)), ...(await inTheWindow(join(folder, 'data'), lines))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns how many lines it has */
async function writeLog(path: string): Promise<number> {
  const stream = createWriteStream(path)
  let lines = 0
  for (let bytes = 0; bytes < GIGABYTE;) {
    const piece = Array.from(
      { length: 10_000 },
      () => `${String(lines++).padStart(8, '0')} reads src/main.ts and thinks about ${'it '.repeat(lines % 40)}\n`,
    ).join('')
    bytes += piece.length
    if (!stream.write(piece)) await once(stream, 'drain')
  }
  stream.end()
  await finished(stream)
  return lines
}

async function reading(path: string, lines: number): Promise<Row[]> {
  const tails: number[] = []
  for (let round = 0; round < 20; round++) tails.push(await timed(() => tailOf(path)))
  const bare = await timed(() => readThrough(path))
  const rssBefore = process.memoryUsage().rss
  const log = new LogFile(path)
  const counting = await timed(async () => {
    while (!(await log.catchUp(32 * MEBIBYTE)));
  })
  if (log.lines !== lines) throw new Error(`${log.lines} lines were counted instead of ${lines}.`)
  const pages: number[] = []
  for (let round = 0; round < 200; round++) {
    const from = Math.floor(Math.random() * (lines - 200))
    pages.push(
      await timed(async () => {
        const [first] = await log.read(from, 200)
        if (Number(first?.text.slice(0, 8)) !== from) throw new Error(`line ${from} was not found by its number.`)
      }),
    )
  }
  const regex = new RegexMatcher(resolve('test/support/regexWorker.mjs'), 5_000)
  const text = await searching(log, { find: 'is not in there', as: 'text', ignoreCase: false }, regex, GIGABYTE)
  const expression = await searching(
    log,
    { find: 'thinks (of|in) it', as: 'expression', ignoreCase: false },
    regex,
    128 * MEBIBYTE,
  )
  const grown = (process.memoryUsage().rss - rssBefore) / MEBIBYTE
  await regex.close()
  await log.close()
  const tail = median(tails)
  return [
    {
      name: 'tail of 1,000 lines of 1 GB, not counted yet',
      value: tail,
      unit: 'ms',
      target: 'under 200 ms',
      met: tail < 200,
      note: `median of 20; ${Math.max(...tails).toFixed(0)} ms at most`,
    },
    {
      name: `${(lines / 1e6).toFixed(1)} million lines counted`,
      value: counting,
      unit: 'ms',
      bare,
      note: 'bare: the file read through; in pieces between which everything else goes on',
    },
    { name: '200 lines by number, anywhere', value: median(pages), unit: 'ms', note: 'median of 200' },
    {
      name: 'search for text',
      value: text,
      unit: 'MiB/s',
      bare: GIGABYTE / MEBIBYTE / (bare / 1000),
      note: 'bare: the file read through',
    },
    {
      name: 'search for a regular expression',
      value: expression,
      unit: 'MiB/s',
      note: 'in a worker, over the first 128 MiB',
    },
    { name: 'memory taken by all of that', value: grown, unit: 'MiB' },
  ]
}

async function tailOf(path: string): Promise<void> {
  const log = new LogFile(path)
  if ((await log.tail(1_000)).length !== 1_000) throw new Error('The end of the log is not all there.')
  await log.close()
}

async function readThrough(path: string): Promise<void> {
  const file = await open(path)
  const buffer = Buffer.allocUnsafe(256 * 1024)
  while ((await file.read(buffer, 0, buffer.length)).bytesRead > 0);
  await file.close()
}

/** @returns MiB/s */
async function searching(
  log: LogFile,
  search: Omit<LogSearch, 'from'>,
  regex: RegexMatcher,
  until: number,
): Promise<number> {
  let from: number | null = 0
  const start = performance.now()
  while (from !== null && from < until) from = (await searchLog(log, { ...search, from }, regex, 200)).next
  return Math.min(until, from ?? until) / MEBIBYTE / ((performance.now() - start) / 1000)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** As a run of long ago, which the window shows for the first time. */
async function inTheWindow(dataFolder: string, lines: number): Promise<Row[]> {
  const database = openDatabase(join(dataFolder, 'bridgedeck.sqlite'))
  const run: AgentRun = {
    run: RUN,
    agent: 'coder',
    preset: 'custom',
    purpose: 'a log of a gigabyte',
    turn: null,
    model: null,
    state: 'ended',
    askedAt: 1,
    startedAt: 1,
    endedAt: 2,
    pid: 1,
    status: 'success',
    reason: '',
    exitCode: 0,
    tokens: null,
    cost: null,
    turns: null,
    stillAlive: [],
    output: { bytes: GIGABYTE, lines },
    errors: { bytes: 0, lines: 0 },
    lastLine: '',
  }
  new AgentRunStore(database).save(run)
  database.close()
  const { app, page, close } = await launchApp({ dataFolder, args: ['--size=1280x800', '--view=agents'] })
  try {
    await untilLive(page)
    const view = page.locator('[data-panel="agents"]')
    await view.getByRole('listbox', { name: 'Runs of agents' }).getByRole('option').first().waitFor()
    const end = await timed(async () => {
      await view.getByRole('option', { name: /a log of a gigabyte/ }).click()
      await view
        .locator('.log-line')
        .getByText(String(lines - 1).padStart(8, '0'))
        .waitFor()
    })
    await view.getByText(`${lines.toLocaleString('en')} lines`).waitFor({ timeout: 120_000 })
    const log = view.getByRole('group', { name: 'Log, output' })
    await log.focus()
    for (let round = 0; round < 20; round++) {
      await page.keyboard.press(round % 2 === 0 ? 'Home' : 'End')
      for (let step = 0; step < 20; step++) await page.keyboard.press(round % 2 === 0 ? 'PageDown' : 'PageUp')
    }
    await wait(2_000)
    const processes = await app.evaluate(({ app: electron }) =>
      electron.getAppMetrics().map(({ type, memory }) => ({ type, memory: memory.workingSetSize })),
    )
    const memory = processes.filter(({ type }) => type === 'Tab').reduce((sum, found) => sum + found.memory, 0) / 1024
    return [
      {
        name: 'its last line in the window after a click',
        value: end,
        unit: 'ms',
        note: 'its lines are counted meanwhile',
      },
      {
        name: 'the window’s process, with it open and scrolled',
        value: memory,
        unit: 'MiB',
        target: 'under 500 MB',
        met: memory < 476,
      },
    ]
  } finally {
    await close()
  }
}
