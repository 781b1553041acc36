/** The npm package: its size, and how long the program of an agent waits for it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initializeLine, installPackage } from '../support/installedPackage'
import { median, type Row } from './row'

const RUNS = 9
const MAX_SIZE_MB = 5
const MAX_ANSWER_MS = 600
const MAX_RATIO = 8

export default async function npmPackage(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bridgedeck-bench-'))
  try {
    const { size, unpackedSize, files, program } = await installPackage(folder)
    const [fresh, used] = [join(folder, 'fresh'), join(folder, 'used')]
    for (const home of [fresh, join(used, '.config', 'bridgedeck')]) await mkdir(home, { recursive: true })
    const times = { empty: [] as number[], fresh: [] as number[], used: [] as number[] }
    // One run of each first, which fills the caches of the disk and of the data folder.
    for (let run = 0; run <= RUNS; run++) {
      const measured = {
        empty: await timeOf(['-e', '0'], fresh),
        fresh: await timeOf([program, 'mcp'], fresh),
        used: await timeOf([program, 'mcp'], used),
      }
      if (run === 0) continue
      for (const name of ['empty', 'fresh', 'used'] as const) times[name].push(measured[name])
    }
    const bare = median(times.empty)
    const answer = (name: string, value: number): Row => ({
      name,
      value,
      unit: 'ms',
      bare,
      target: `under ${MAX_ANSWER_MS} ms`,
      met: value < MAX_ANSWER_MS,
      note: `median of ${RUNS}; bare is node -e 0`,
    })
    const ratio = median(times.fresh) / bare
    return [
      {
        name: 'the npm package',
        value: size / 1e6,
        unit: 'MB',
        target: `under ${MAX_SIZE_MB} MB`,
        met: size < MAX_SIZE_MB * 1e6,
        note: `${files.length} files, ${(unpackedSize / 1e6).toFixed(1)} MB unpacked`,
      },
      answer('first answer of bridgedeck mcp, no data folder', median(times.fresh)),
      answer('first answer of bridgedeck mcp, used before', median(times.used)),
      {
        name: 'ratio to an empty Node, no data folder',
        value: ratio,
        unit: '',
        target: `at most ${MAX_RATIO}`,
        met: ratio <= MAX_RATIO,
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** ms from the start of Node to the first output, or to the end where there is none. */
async function timeOf(args: readonly string[], home: string): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  // An empty program reads nothing.
  child.stdin.on('error', () => undefined)
  child.stdin.write(initializeLine)
  await Promise.race([once(child.stdout, 'data'), ended])
  const time = performance.now() - started
  child.stdin.end()
  child.stdout.resume()
  await ended
  return time
}
