/** Agents that share one VICE, each with memory of its own, while some of them are killed now and then. */
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { z } from 'zod'
import { Session } from '../../src-main/cli/session'
import { startVice } from '../vice/support'
import { CommandLine } from './commandLine'
import { ask, startAgentProcess } from './mcpClient'

export interface Soak {
  /** Writes that were read back, of each agent. */
  readonly written: readonly number[]
  readonly kills: number
  /** Writes that had to wait for another agent's turn. */
  readonly busy: number
  /** Between two answers to somebody who only looks, at most. */
  readonly longestGapMs: number
  /** Answers that another agent should have got, and bytes that are not what was written. */
  readonly faults: readonly string[]
}

const AGENTS = 8
const RANGE = 0x100
const MAX_BYTES = 64
/** Of an agent's turns, one in so many is its last. */
const TURNS_PER_KILL = 40
/** Each agent writes once more within this time, in which all others may have had a turn of 5 s, or it is locked out. */
const LAST_WRITE_MS = 120_000

const never = (): Promise<undefined> => Promise.resolve(undefined)
const bytesRead = z.object({ address: z.string(), bytes: z.string() })

export async function agentsOnVice(durationMs: number): Promise<Soak> {
  const calls = new CommandLine()
  const vice = await startVice()
  const machine = `vice:127.0.0.1:${vice.port}`
  try {
    await calls.data('bridge', 'start')
    const agents = Array.from({ length: AGENTS }, (_, index) => new WritingAgent(calls, machine, index))
    const end = performance.now() + durationMs
    const watching = new AbortController()
    const watch = watchMachine(join(calls.folder, 'data'), machine, watching.signal)
    await Promise.all(agents.map((agent) => agent.work(end)))
    watching.abort()
    const sum = (count: (agent: WritingAgent) => number) => agents.reduce((total, agent) => total + count(agent), 0)
    return {
      written: agents.map(({ written }) => written),
      kills: sum(({ kills }) => kills),
      busy: sum(({ busy }) => busy),
      longestGapMs: await watch,
      faults: agents.flatMap(({ faults }) => faults),
    }
  } finally {
    await calls.remove()
    await vice.stop()
  }
}

/** @returns the longest time without an answer, ms */
async function watchMachine(dataFolder: string, machine: string, signal: AbortSignal): Promise<number> {
  const session = await Session.find(dataFolder, { given: never, ask: never })
  if (!session) throw new Error('No bridge runs.')
  try {
    await session.connect(machine, AbortSignal.timeout(60_000))
    let longest = 0
    for (let last = performance.now(); !signal.aborted; last = performance.now()) {
      await session.client.call('memory.read', { machine, space: 'ram', address: 0x0400, length: 1000 })
      longest = Math.max(longest, performance.now() - last)
      await wait(20)
    }
    return longest
  } finally {
    session.client.close()
  }
}

class WritingAgent {
  written = 0
  kills = 0
  busy = 0
  readonly faults: string[] = []
  readonly #calls: CommandLine
  readonly #machine: string
  readonly #index: number
  readonly #start: number
  #client: Client | undefined
  /** What its memory holds; unknown before the first look. */
  #held: Uint8Array | undefined

  constructor(calls: CommandLine, machine: string, index: number) {
    this.#calls = calls
    this.#machine = machine
    this.#index = index
    this.#start = 0xc000 + index * RANGE
  }

  async work(end: number): Promise<void> {
    try {
      while (performance.now() < end) await this.#turn(Math.random() * TURNS_PER_KILL < 1)
      const before = this.written
      const last = performance.now() + LAST_WRITE_MS
      while (this.written === before && performance.now() < last) await this.#turn(false)
      if (this.written === before) this.faults.push(`Agent ${this.#index} is locked out.`)
    } finally {
      await this.#client?.close()
    }
  }

  /** Writes somewhere in its memory and reads all of it back, or is killed meanwhile. */
  async #turn(isLast: boolean): Promise<void> {
    const client = (this.#client ??= await startAgentProcess(this.#calls, '--allow', 'change'))
    const held = (this.#held ??= await this.#read(client))
    const from = Math.floor(Math.random() * (RANGE - MAX_BYTES))
    const bytes = Uint8Array.from({ length: 1 + Math.floor(Math.random() * MAX_BYTES) }, () => Math.random() * 256)
    const given = {
      op: 'write',
      machine: this.#machine,
      address: `$${(this.#start + from).toString(16)}`,
      bytes: Buffer.from(bytes).toString('hex'),
    }
    const asked = ask(client, 'memory', given)
    const after = Uint8Array.from(held)
    after.set(bytes, from)
    if (isLast) {
      await wait(Math.random() * 20)
      await this.#kill(client, asked, [held, after])
      return
    }
    const { isError, text } = await asked
    if (isError) {
      if (!text.includes('until')) this.faults.push(`Agent ${this.#index} was refused: ${text}`)
      this.busy++
      await wait(Math.random() * 50)
      return
    }
    this.#held = after
    this.#compare(await this.#read(client), [after])
    this.written++
  }

  async #kill(client: Client, asked: Promise<unknown>, possible: readonly Uint8Array[]): Promise<void> {
    const { transport } = client
    if (!(transport instanceof StdioClientTransport) || transport.pid === null) throw new Error('No process to kill.')
    process.kill(transport.pid, 'SIGKILL')
    await asked.catch(() => undefined)
    await client.close()
    this.kills++
    this.#client = await startAgentProcess(this.#calls, '--allow', 'change')
    const found = await this.#read(this.#client)
    this.#compare(found, possible)
    this.#held = found
  }

  async #read(client: Client): Promise<Uint8Array> {
    const address = `$${this.#start.toString(16).toUpperCase()}`
    const given = { op: 'read', machine: this.#machine, address, length: RANGE, raw: true }
    const { data, text, isError } = await ask(client, 'memory', given)
    if (isError) throw new Error(`Agent ${this.#index} may not look: ${text}`)
    const read = bytesRead.parse(data)
    if (read.address !== address) this.faults.push(`Agent ${this.#index} got the answer for ${read.address}.`)
    return Buffer.from(read.bytes, 'hex')
  }

  #compare(found: Uint8Array, possible: readonly Uint8Array[]): void {
    if (possible.some((expected) => Buffer.from(found).equals(expected))) return
    this.faults.push(`Agent ${this.#index} found other bytes than it wrote.`)
  }
}
