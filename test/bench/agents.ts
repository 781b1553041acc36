/** Fifty agents that write two hundred lines a second each: what the bridge takes for it, and what crosses to the window. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { serialize } from 'node:v8'
import { AgentBench, agentLike } from '../support/agentBench'
import { memoryInUse } from '../support/memoryInUse'
import { median, type BenchOptions, type Row } from './row'

const AGENTS = 50
const RATE = 200
/** Until all of them run and what they take at first is taken, ms. */
const WARM_UP = 15_000
const MEBIBYTE = 1024 * 1024

export default async function agents({ minutes = 1 }: BenchOptions): Promise<Row[]> {
  let events = 0
  let crossed = 0
  let largest = 0
  const bench = new AgentBench(undefined, undefined, (changes) => {
    const { length } = serialize(changes)
    events++
    crossed += length
    largest = Math.max(largest, length)
  })
  try {
    bench.settings.change({ mostAgents: AGENTS })
    const stop = new AbortController()
    bench.agents.setups.save(agentLike({ lines: 1_000_000_000, rate: RATE }, { timeLimit: 24 * 3600 }))
    const runs = Array.from({ length: AGENTS }, (_, index) =>
      bench.agents.run({ agent: 'coder', prompt: 'write', cwd: bench.cwd, purpose: `bench ${index}` }, stop.signal),
    )
    await wait(WARM_UP)
    const running = bench.agents.live.filter(({ state }) => state === 'running').length
    if (running < AGENTS) throw new Error(`Only ${running} of ${AGENTS} agents run.`)
    const linesBefore = linesOf(bench)
    events = crossed = largest = 0
    const heldBefore = held()
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const cpuBefore = process.cpuUsage()
    const memory: number[] = []
    const start = performance.now()
    while (performance.now() - start < minutes * 60_000) {
      await wait(1_000)
      memory.push(process.memoryUsage().rss / MEBIBYTE)
    }
    const seconds = (performance.now() - start) / 1000
    const cpu = process.cpuUsage(cpuBefore)
    delay.disable()
    const lines = (linesOf(bench) - linesBefore) / seconds
    const tenth = Math.max(1, Math.floor(memory.length / 10))
    const growth = median(memory.slice(-tenth)) - median(memory.slice(0, tenth))
    const heldGrowth = held() - heldBefore
    stop.abort()
    const ended = await Promise.all(runs)
    const alive = ended.flatMap(({ stillAlive }) => stillAlive)
    const p99 = delay.percentile(99) / 1e6
    return [
      {
        name: `lines written by ${AGENTS} agents`,
        value: lines,
        unit: '/s',
        target: `${AGENTS * RATE}/s`,
        met: lines > AGENTS * RATE * 0.8,
        note: `over ${seconds.toFixed(0)} s`,
      },
      {
        name: 'memory held after collection, its growth',
        value: heldGrowth,
        unit: 'MiB',
        target: 'flat',
        met: heldGrowth < 30,
        note: `the answers that are kept fill up to ${AGENTS / 2} MiB at first`,
      },
      {
        name: 'memory of the process, its last tenth less its first',
        value: growth,
        unit: 'MiB',
        note: `${median(memory).toFixed(0)} MiB in the middle, with what is not collected yet`,
      },
      {
        name: 'events to the window',
        value: events / seconds,
        unit: '/s',
        note: `${(largest / 1024).toFixed(1)} KiB the largest`,
      },
      {
        name: 'bytes to the window',
        value: crossed / seconds / 1024,
        unit: 'KiB/s',
        target: 'only deltas',
        met: crossed / seconds / lines < 40,
        note: `${(crossed / seconds / lines).toFixed(1)} bytes a line`,
      },
      {
        name: 'processor of the bridge',
        value: ((cpu.user + cpu.system) / 1e6 / seconds) * 100,
        unit: '%',
        note: 'of one core',
      },
      {
        name: 'delay of the bridge’s main thread, p99',
        value: p99,
        unit: 'ms',
        note: `${(delay.max / 1e6).toFixed(0)} ms at most, on this machine with ${AGENTS} processes beside it`,
      },
      {
        name: 'processes alive after all were stopped',
        value: alive.length,
        unit: '',
        target: 'none',
        met: alive.length === 0,
      },
    ]
  } finally {
    await bench.close()
  }
}

/** MiB that are in use. */
const held = (): number => memoryInUse() / MEBIBYTE

const linesOf = ({ agents }: AgentBench): number => agents.live.reduce((sum, { output }) => sum + output.lines, 0)
