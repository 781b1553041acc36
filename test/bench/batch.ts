/** `maestro dispatch` of 200 prompts, 8 at once, whose agents print 100 MB each: the host's memory, and what is left on the disk. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createHash, type Hash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '../../src-main/storage/database'
import { SettingsStore } from '../../src-main/storage/settings'
import { median, type Row } from './row'

const PROMPTS = 200
const AT_ONCE = 8
const BYTES = 100_000_000
/** One agent in so many ends with an exit code of its own. */
const FAILING = 10
const FAILURE = 3
const MEBIBYTE = 1024 * 1024
const SAMPLE_MS = 250

/** How each agent's output goes on: many lines, one line without an end, events, and binary. */
const shapes: Readonly<Record<string, (index: number) => string | Buffer>> = {
  lines: (index) => `line ${index} of a long log about ${'it '.repeat(index % 40)}\n`,
  line: (index) => `word ${index} `,
  events: (index) =>
    `{"type":"message","role":"assistant","delta":true,"content":"word ${index} ${'and more '.repeat(100)}"}\n`,
  bytes: (index) => createHash('sha512').update(String(index)).digest(),
}
const shapeNames = Object.keys(shapes)

/** Prints a file, then who it is, as nothing else does so cheaply. */
const writer = (folder: string) => `#!/bin/sh
cat > /dev/null
number=\${MAESTRO_CURRENT_AGENT#agent_}
shape=$(cat "${folder}/shape-$number")
cat "${folder}/$shape"
echo "$MAESTRO_CURRENT_AGENT was here"
echo "$MAESTRO_CURRENT_AGENT warns" >&2
exit "$(cat "${folder}/exit-$number")"
`

interface Expected {
  readonly name: string
  readonly exit: number
  readonly hash: string
}

export default async function batch(): Promise<Row[]> {
  const top = mkdtempSync(join(tmpdir(), 'bridgedeck-bench-'))
  try {
    const { bavail, bsize } = statfsSync(top)
    if (bavail * bsize < 1.5 * PROMPTS * BYTES) throw new Error(`${top} has not enough room for ${PROMPTS} outputs.`)
    const expected = await prepare(top)
    const measured = await dispatch(top)
    const wrong = await faults(join(top, 'project/batch'), expected, measured.code)
    return rowsOf(measured, wrong)
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}

/** The batch, its agents and what each must leave. */
async function prepare(top: string): Promise<readonly Expected[]> {
  for (const folder of ['project/batch/prompts', 'bin', 'data', 'bench', 'extension/agents'])
    mkdirSync(join(top, folder), { recursive: true })
  const database = openDatabase(join(top, 'data/bridgedeck.sqlite'))
  new SettingsStore(database).change({ mostAgents: AT_ONCE })
  database.close()
  writeFileSync(join(top, 'bin/gemini'), writer(join(top, 'bench')), { mode: 0o755 })
  const hashes = new Map<string, Hash>()
  for (const [name, line] of Object.entries(shapes)) hashes.set(name, await writeShape(join(top, 'bench', name), line))
  return Array.from({ length: PROMPTS }, (_, index) => {
    const number = String(index).padStart(3, '0')
    const shape = shapeNames[index % shapeNames.length] ?? ''
    const exit = index % FAILING === 0 ? FAILURE : 0
    writeFileSync(join(top, 'bench', `shape-${number}`), shape)
    writeFileSync(join(top, 'bench', `exit-${number}`), String(exit))
    writeFileSync(join(top, `extension/agents/agent_${number}.md`), '')
    writeFileSync(join(top, `project/batch/prompts/agent-${number}.md`), `Print shape ${shape}.`)
    const hash = hashes.get(shape)?.copy().update(`agent_${number} was here\n`).digest('hex') ?? ''
    return { name: `agent-${number}`, exit, hash }
  })
}

async function writeShape(path: string, line: (index: number) => string | Buffer): Promise<Hash> {
  const hash = createHash('sha256')
  const pieces = function* () {
    let left = BYTES
    for (let index = 0; left > 0;) {
      const parts: Buffer[] = []
      for (let size = 0; size < MEBIBYTE;) {
        const part = Buffer.from(line(index++))
        parts.push(part)
        size += part.length
      }
      const piece = Buffer.concat(parts).subarray(0, left)
      left -= piece.length
      hash.update(piece)
      yield piece
    }
  }
  await pipeline(Readable.from(pieces()), createWriteStream(path))
  return hash
}

interface Measured {
  readonly code: number | null
  readonly seconds: number
  /** MiB of the host, from its first agent to its end. */
  readonly memory: readonly number[]
  /** MiB, as the system counted it. */
  readonly peak: number
}

async function dispatch(top: string): Promise<Measured> {
  const project = join(top, 'project')
  const started = performance.now()
  const child = spawn(process.execPath, [resolve('out/main/cli.cjs'), 'maestro', 'dispatch', 'batch', '--trust'], {
    cwd: project,
    env: {
      ...process.env,
      PATH: [join(top, 'bin'), process.env['PATH']].join(delimiter),
      BRIDGEDECK_DATA: join(top, 'data'),
      INIT_CWD: project,
      HOME: top,
      MAESTRO_EXTENSION_PATH: join(top, 'extension'),
      MAESTRO_MAX_CONCURRENT: String(AT_ONCE),
      MAESTRO_STAGGER_DELAY: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-20_000)))
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null))
  const memory: number[] = []
  let peak = 0
  for (let isRunning = true; isRunning;) {
    isRunning = await Promise.race([ended.then(() => false), wait(SAMPLE_MS, true)])
    const status = isRunning ? statusOf(child.pid) : ''
    if (status === '' || !said.includes('Dispatching: ')) continue
    memory.push(kibibytes(status, 'VmRSS') / 1024)
    peak = kibibytes(status, 'VmHWM') / 1024
  }
  const code = await ended
  if (memory.length === 0) throw new Error(`Nothing was dispatched: ${said.slice(-2_000)}`)
  return { code, seconds: (performance.now() - started) / 1000, memory, peak }
}

function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid ?? 0}/status`, 'utf8')
  } catch {
    return ''
  }
}

const kibibytes = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN)

/** What is not as it must be, in words. */
async function faults(folder: string, expected: readonly Expected[], code: number | null): Promise<string[]> {
  const results = join(folder, 'results')
  const wrong: string[] = []
  const check = (name: string, found: unknown, wanted: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      wrong.push(`${name}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`.slice(0, 300))
  }
  const failed = expected.filter(({ exit }) => exit !== 0).length
  check('exit code', code, failed)
  for (const { name, exit, hash } of expected) {
    const agent = name.replace('-', '_')
    const output = join(results, `${name}.json`)
    check(`${name}.exit`, await readFile(join(results, `${name}.exit`), 'utf8').catch(String), String(exit))
    check(`${name}.log`, await readFile(join(results, `${name}.log`), 'utf8').catch(String), `${agent} warns\n`)
    check(`${name}.json, bytes`, (await stat(output)).size, BYTES + `${agent} was here\n`.length)
    const found = createHash('sha256')
    for await (const piece of createReadStream(output, { highWaterMark: MEBIBYTE })) found.update(piece as Buffer)
    check(`${name}.json`, found.digest('hex'), hash)
  }
  const names = expected.flatMap(({ name }) => ['exit', 'json', 'log'].map((ending) => `${name}.${ending}`))
  check('files', (await readdir(results)).sort(), [...names, 'summary.json'].sort())
  const summary = JSON.parse(await readFile(join(results, 'summary.json'), 'utf8')) as Record<string, unknown>
  check(
    'summary',
    { ...summary, wall_time_seconds: 0 },
    {
      batch_status: 'partial_failure',
      total_agents: PROMPTS,
      succeeded: PROMPTS - failed,
      failed,
      wall_time_seconds: 0,
      agents: expected.map(({ name, exit }) => ({ name, exit_code: exit, status: exit === 0 ? 'success' : 'failed' })),
    },
  )
  return wrong
}

function rowsOf({ seconds, memory, peak }: Measured, wrong: readonly string[]): Row[] {
  const tenth = Math.max(1, Math.floor(memory.length / 10))
  // The first tenth is taken by what a start takes once.
  const early = median(memory.slice(tenth, 2 * tenth))
  const late = median(memory.slice(-tenth))
  return [
    {
      name: `${PROMPTS} results of 100 MB: not exact`,
      value: wrong.length,
      unit: '',
      target: '0',
      met: wrong.length === 0,
      note: wrong.length === 0 ? 'sizes, SHA-256, exit codes, logs, summary' : wrong.slice(0, 3).join('; '),
    },
    { name: 'memory of the host with its first agents', value: memory[0] ?? Number.NaN, unit: 'MiB' },
    {
      name: 'its growth, last tenth less second',
      value: late - early,
      unit: 'MiB',
      target: 'flat',
      met: late - early < 50,
      note: `${early.toFixed(0)} MiB, then ${late.toFixed(0)} MiB`,
    },
    { name: 'at its peak', value: peak, unit: 'MiB' },
    { name: 'at its end', value: memory.at(-1) ?? Number.NaN, unit: 'MiB' },
    { name: 'time', value: seconds, unit: 's', note: `${((PROMPTS * BYTES) / MEBIBYTE / seconds).toFixed(0)} MiB/s` },
  ]
}
