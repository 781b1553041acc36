/** Starts the stand-in for a TeensyROM as a process of its own, as the device would be. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { TeensyRomOptions } from './teensyrom'

const logSchema = z.object({
  command: z.string().optional(),
  address: z.int().optional(),
  length: z.int().optional(),
  drive: z.int().optional(),
  path: z.string().optional(),
  /** A byte that belongs to no command, a command it does not know, and the worst: its settings were erased. */
  stray: z.int().optional(),
  unknown: z.int().optional(),
  erased: z.boolean().optional(),
})
export type TeensyRomLog = z.infer<typeof logSchema>

const lineSchema = z.union([
  z.object({ port: z.int() }),
  z.object({ log: logSchema }),
  z.object({ id: z.int(), result: z.unknown() }),
])

export interface TeensyRomPeer {
  /** 0 for one on a serial port. */
  readonly port: number
  /** What it was asked, oldest first; may trail the answers by a moment. */
  log(): readonly TeensyRomLog[]
  change(options: Partial<TeensyRomOptions>): Promise<void>
  peek(address: number, length: number): Promise<Uint8Array>
  poke(address: number, bytes: Uint8Array): Promise<void>
  /** A file on its storage, such as `sd:/games/a.prg`. */
  putFile(place: string, bytes: Uint8Array): Promise<void>
  files(): Promise<string[]>
  /** Over TCP: leaves and comes back. */
  setConnected(connected: boolean): Promise<void>
  stop(): Promise<void>
}

/** On a free TCP port, or at the end of a serial line. */
export async function startTeensyRomPeer(
  options: Partial<TeensyRomOptions> = {},
  device?: string,
): Promise<TeensyRomPeer> {
  const program = resolve(import.meta.dirname, 'teensyrom.ts')
  const place = device === undefined ? [] : ['--device', device]
  const child = spawn(process.execPath, [program, '--options', JSON.stringify(options), ...place], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.on('error', () => undefined)
  const ended = once(child, 'close')
  const log: TeensyRomLog[] = []
  const answers = new Map<number, (result: unknown) => void>()
  let lastId = 0
  const port = await new Promise<number>((started, failed) => {
    child.once('error', failed)
    child.once('exit', () => failed(new Error('The stand-in for a TeensyROM ended before it listened.')))
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = lineSchema.parse(JSON.parse(text))
      if ('port' in line) started(line.port)
      else if ('log' in line) log.push(line.log)
      else answers.get(line.id)?.(line.result)
    })
  })
  const order = (what: object): Promise<unknown> =>
    new Promise((done) => {
      const id = ++lastId
      answers.set(id, done)
      child.stdin.write(`${JSON.stringify({ id, ...what })}\n`)
    })
  const tell = async (what: object): Promise<void> => {
    await order(what)
  }
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
  return {
    port,
    log: () => log,
    change: (change) => tell({ change }),
    peek: async (address, length) =>
      Uint8Array.from(Buffer.from(z.string().parse(await order({ peek: [address, length] })), 'hex')),
    poke: (address, bytes) => tell({ poke: [address, hex(bytes)] }),
    putFile: (name, bytes) => tell({ file: [name, hex(bytes)] }),
    files: async () => z.array(z.string()).parse(await order({ files: true })),
    setConnected: (connected) => tell({ connected }),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
