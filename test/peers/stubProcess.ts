/** Starts the stand-in for a C64 with the stub as a process of its own, as the C64 would be. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { StubPeerOptions } from './stub'

const logSchema = z.object({ type: z.int(), sequence: z.int(), repeated: z.boolean() })
const lineSchema = z.union([
  z.object({ port: z.int() }),
  z.object({ log: logSchema }),
  z.object({ id: z.int(), result: z.array(z.int()) }),
])

export interface StubPeer {
  /** 0 for one on a serial port. */
  readonly port: number
  /** The requests that it could read, oldest first. */
  log(): readonly z.infer<typeof logSchema>[]
  change(options: StubPeerOptions): Promise<void>
  peek(address: number, length: number): Promise<number[]>
  poke(address: number, ...bytes: number[]): Promise<void>
  stop(): Promise<void>
}

/** On a free TCP port, or at the end of a serial line. */
export async function startStubPeer(device?: string): Promise<StubPeer> {
  const program = resolve(import.meta.dirname, 'stub.ts')
  const child = spawn(process.execPath, [program, ...(device === undefined ? [] : ['--device', device])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.on('error', () => undefined)
  const ended = once(child, 'close')
  const log: z.infer<typeof logSchema>[] = []
  const answers = new Map<number, (result: number[]) => void>()
  let lastId = 0
  const port = await new Promise<number>((started, failed) => {
    child.once('error', failed)
    child.once('exit', () => failed(new Error('The stand-in for a C64 with the stub ended before it listened.')))
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = lineSchema.parse(JSON.parse(text))
      if ('port' in line) started(line.port)
      else if ('log' in line) log.push(line.log)
      else answers.get(line.id)?.(line.result)
    })
  })
  const order = (what: object): Promise<number[]> =>
    new Promise((done) => {
      const id = ++lastId
      answers.set(id, done)
      child.stdin.write(`${JSON.stringify({ id, ...what })}\n`)
    })
  const tell = async (what: object): Promise<void> => {
    await order(what)
  }
  return {
    port,
    log: () => log,
    change: (change) => tell({ change }),
    peek: (address, length) => order({ peek: [address, length] }),
    poke: (address, ...bytes) => tell({ poke: [address, bytes] }),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
