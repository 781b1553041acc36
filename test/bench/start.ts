/** From the start of the process to the first live frame, against an empty window of the same Electron. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { makeAppPackages, unpacked } from '../../scripts/lib/appPackages.mjs'
import { windowName } from '../../scripts/lib/builderConfig.mjs'
import { electronRuntime } from '../../scripts/lib/electron.mjs'
import { projectFolder } from '../support/launchApp'
import { median, type Row } from './row'

const RUNS = 5

const emptyApp = `const { app, BrowserWindow } = require('electron')
app.setPath('userData', process.env.BRIDGEDECK_DATA)
if (Number(process.versions.napi) < 10) app.commandLine.appendSwitch('disable-gpu')
app.whenReady().then(() => new BrowserWindow().loadURL('data:text/html,<html data-live="builtin">'))
`

export default async function start(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-bench-'))
  const emptyEntry = join(folder, 'empty.cjs')
  await writeFile(emptyEntry, emptyApp)
  const { executable } = await electronRuntime()
  const installed = await packedApp()
  const starts = {
    empty: { program: executable, args: [emptyEntry] },
    ours: { program: executable, args: [projectFolder] },
    ...(installed === undefined ? {} : { installed: { program: installed, args: [] } }),
  }
  const times = new Map<string, number[]>(Object.keys(starts).map((name) => [name, []]))
  try {
    // One run of each first, which fills the caches of the disk and of the data folders: people start it more than once.
    for (let run = 0; run <= RUNS; run++)
      for (const [name, start] of Object.entries(starts)) {
        const time = await timeToLive(start, join(folder, name))
        if (run > 0) times.get(name)?.push(time)
      }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const [empty = [], ours = [], packed = []] = times.values()
  const ratio = median(ours) / median(empty)
  return [
    {
      name: 'start to first live frame',
      value: median(ours),
      unit: 'ms',
      bare: median(empty),
      note: `median of ${RUNS}; bare is an empty window`,
    },
    { name: 'ratio to an empty window', value: ratio, unit: '', target: 'at most 2', met: ratio <= 2 },
    ...(installed === undefined ? [] : rowsOfPacked(median(packed), median(empty))),
  ]
}

function rowsOfPacked(packed: number, empty: number): Row[] {
  const ratio = packed / empty
  return [
    { name: 'installed app: start to first live frame', value: packed, unit: 'ms', bare: empty },
    {
      name: 'installed app: ratio to an empty window',
      value: ratio,
      unit: '',
      target: 'at most 2.5',
      met: ratio <= 2.5,
    },
  ]
}

/** As `npm run package -- dir` makes it; on Linux, where its folder is known. */
async function packedApp(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  await makeAppPackages(['dir'])
  return join(unpacked(), windowName)
}

/**
 * ms from the start of Electron's process to the first paint of a live page. The app runs free: Playwright's own launch
 * would hold it back.
 */
async function timeToLive({ program, args }: { program: string; args: string[] }, dataFolder: string): Promise<number> {
  const started = performance.timeOrigin + performance.now()
  const electron = spawn(program, ['--no-sandbox', '--remote-debugging-port=0', ...args], {
    env: {
      ...process.env,
      BRIDGEDECK_DATA: dataFolder,
      BRIDGEDECK_NODE: process.execPath,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(electron, 'exit')
  try {
    return (await whenLive(await debuggerPort(electron))) - started
  } finally {
    electron.kill()
    await ended
  }
}

async function debuggerPort({ stderr }: ChildProcess): Promise<string> {
  if (!stderr) throw new Error('Electron’s output is not read.')
  for await (const line of createInterface({ input: stderr })) {
    const port = /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port === undefined) continue
    stderr.resume()
    return port
  }
  throw new Error('Electron ended before it listened.')
}

/** Resolves to the time, ms since 1970, of the animation frame in which the page found itself live. */
const waitInPage = `new Promise((done) => {
  const look = () => document.documentElement?.dataset.live === "builtin" ? done(performance.timeOrigin + performance.now()) : requestAnimationFrame(look)
  look()
})`

const targetsSchema = z.array(
  z.object({ type: z.string(), url: z.string(), webSocketDebuggerUrl: z.string().optional() }),
)
const answerSchema = z.object({ result: z.object({ result: z.object({ value: z.number() }) }) })

/** Asks the page over the bare debugging protocol; Playwright’s needs an app that was launched by it. */
async function whenLive(port: string): Promise<number> {
  const until = Date.now() + 30_000
  while (Date.now() < until) {
    const targets = targetsSchema.parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json())
    const page = targets.find(({ type, url }) => type === 'page' && /^(app|data):/.test(url))
    const live = page?.webSocketDebuggerUrl ? await evaluate(page.webSocketDebuggerUrl) : undefined
    if (live !== undefined) return live
    await delay(10)
  }
  throw new Error('No page was live within 30 s.')
}

/** Undefined while the page is not there enough to be asked. */
function evaluate(address: string): Promise<number | undefined> {
  return new Promise((done, reject) => {
    const socket = new WebSocket(address)
    socket.onopen = () =>
      socket.send(
        JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: waitInPage, awaitPromise: true } }),
      )
    socket.onerror = () => reject(new Error('The page’s debugger does not answer.'))
    socket.onclose = () => reject(new Error('The page ended before it was live.'))
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      done(answerSchema.safeParse(JSON.parse(data)).data?.result.result.value)
      socket.close()
    }
  })
}
