/** A bridge at work as in a long evening: the built-in C64, its frames to a window, a recording, a task, and agents that log a lot. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { agentLike } from './agentBench'
import { taskHomeOf, RealBridge } from './realBridge'

const AGENTS = 2

export interface SessionProgress {
  /** Of its own time. */
  readonly c64Minutes: number
  readonly keptMinutes: number
  readonly keptBytes: number
  readonly recordedFrames: number
  readonly taskRuns: number
  /** Of each agent. */
  readonly agentLines: readonly number[]
}

export interface LongSessionOptions {
  readonly program: Uint8Array
  /** Lines a second of each agent. */
  readonly agentLines: number
  readonly taskIntervalMs: number
}

const memorySampleSchema = z.object({
  time: z.number(),
  thread: z.number(),
  name: z.string(),
  rss: z.number().optional(),
  heapTotal: z.number(),
  heapUsed: z.number(),
  external: z.number(),
  arrayBuffers: z.number(),
})
/** Of one thread, bytes; `rss` is the whole process's and the main thread's alone. */
export type MemorySample = z.infer<typeof memorySampleSchema>

export class LongSession {
  readonly bridge: RealBridge
  readonly #folder: string
  /** Frames that the stand-in of the window got. */
  frames = 0

  private constructor(bridge: RealBridge, folder: string) {
    this.bridge = bridge
    this.#folder = folder
  }

  static async start({ program, agentLines, taskIntervalMs }: LongSessionOptions): Promise<LongSession> {
    const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-session-'))
    mkdirSync(taskHomeOf({ folder }), { recursive: true })
    const prg = join(folder, 'session.prg')
    writeFileSync(prg, program)
    const bridge = await RealBridge.start(
      { folder },
      {
        // The program in `env node` of an agent is the one that measures.
        PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
        NODE_OPTIONS: `--require=${resolve('test/support/memoryProbe.cjs')}`,
        MEMORY_PROBE: join(folder, 'memory.jsonl'),
      },
    )
    const session = new LongSession(bridge, folder)
    try {
      await session.#begin(prg, agentLines, taskIntervalMs)
    } catch (error) {
      await session.close()
      throw error
    }
    return session
  }

  async #begin(path: string, agentLines: number, intervalMs: number): Promise<void> {
    const { bridge } = this
    const machine = 'builtin'
    await bridge.call('machine.connect', { machine })
    const line = bridge.openLine('frames')
    line.onMessage(() => {
      this.frames++
      line.post({ kind: 'credit' })
    })
    line.post({ kind: 'subscribe', machine, spaces: ['cpu', 'ram', 'io'], picture: true })
    await bridge.call('machine.runProgram', { machine, path, watch: false })
    await bridge.call('tasks.start', { operation: 'record', machine, type: 'background', args: {} })
    await bridge.call('tasks.start', {
      operation: 'read',
      machine,
      type: 'background',
      intervalMs,
      args: { address: '$0400', length: 1024 },
    })
    for (let number = 1; number <= AGENTS; number++) {
      const name = `agent${number}`
      await bridge.call(
        'agents.save',
        agentLike({ lines: 1_000_000_000, rate: agentLines }, { name, timeLimit: 24 * 3600 }),
      )
      await bridge.call('agents.try', { name })
    }
  }

  /** What has been done so far. */
  async done(): Promise<SessionProgress> {
    const { machines } = await this.bridge.call('machine.list', {})
    const past = machines.find(({ machine }) => machine === 'builtin')?.past
    if (!past) throw new Error('The built-in C64 has no past.')
    const { tasks } = await this.bridge.call('tasks.list', { after: null })
    const { runs } = await this.bridge.call('agentRuns.list', { before: null })
    return {
      c64Minutes: past.now / past.clockRate / 60,
      keptMinutes: (past.end - past.start) / past.clockRate / 60,
      keptBytes: past.bytes,
      recordedFrames: tasks.find(({ operation }) => operation === 'record')?.recorded?.frames ?? 0,
      taskRuns: tasks.find(({ operation }) => operation === 'read')?.iterations ?? 0,
      agentLines: runs.map(({ output }) => output.lines),
    }
  }

  /** Oldest first. */
  memory(): MemorySample[] {
    return readFileSync(join(this.#folder, 'memory.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => memorySampleSchema.parse(JSON.parse(line)))
  }

  async close(): Promise<void> {
    await this.bridge.call('agentRuns.stopAll', {}).catch(() => undefined)
    await this.bridge.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
