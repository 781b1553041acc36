/** Starts the stand-in Ultimate as a process of its own, as the device would be. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { UltimateOptions } from './ultimateOptions'

const logSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rest'),
    method: z.string().optional(),
    /** The request's target as it came. */
    target: z.string().optional(),
    /** Status of the reply, or what became of the request instead. */
    outcome: z.union([z.int(), z.string()]),
    /** Length of the body that was taken. */
    body: z.int().optional(),
    /** Bytes behind a request that has no body there, as behind a PUT. */
    strayBytes: z.int(),
    password: z.enum(['none', 'right', 'wrong']).optional(),
  }),
  z.object({
    kind: z.literal('dma'),
    /** In hex, as `ff06`. */
    command: z.string().optional(),
    length: z.int().optional(),
    /** Its first 256 bytes in hex. */
    payload: z.string().optional(),
    outcome: z.string(),
  }),
  z.object({ kind: z.literal('ident'), text: z.string() }),
  z.object({
    kind: z.literal('stream'),
    stream: z.enum(['video', 'audio', 'debug']),
    event: z.enum(['start', 'stop']),
    destination: z.string(),
  }),
  z.object({ kind: z.literal('frame'), number: z.int(), at: z.number() }),
  z.object({ kind: z.literal('typed'), text: z.string(), codes: z.array(z.int()) }),
  z.object({ kind: z.literal('sideEffects'), addresses: z.array(z.int()) }),
  z.object({ kind: z.literal('gone') }),
  z.object({ kind: z.literal('back') }),
])

const streamSchema = z.object({
  on: z.boolean(),
  destination: z.string(),
  made: z.int(),
  sent: z.int(),
  lost: z.int(),
  duplicated: z.int(),
  reordered: z.int(),
  oversized: z.int(),
  skipped: z.int(),
  sequence: z.int(),
})

const stateSchema = z.object({
  paused: z.boolean(),
  menuOpen: z.boolean(),
  poweredOff: z.boolean(),
  resets: z.int(),
  reboots: z.int(),
  debugRegister: z.int(),
  heldKeys: z.array(z.string()),
  heldJoysticks: z.array(z.array(z.string())),
  typed: z.array(z.int()),
  runs: z.array(z.object({ call: z.string(), name: z.string(), bytes: z.string() })),
  drives: z.record(
    z.string(),
    z.object({
      enabled: z.boolean(),
      bus: z.int(),
      type: z.string(),
      rom: z.string(),
      file: z.string(),
      mode: z.string(),
      resets: z.int(),
      size: z.int(),
    }),
  ),
  streams: z.object({ video: streamSchema, audio: streamSchema, debug: streamSchema }),
  programCycles: z.int(),
  stops: z.int(),
  bytesByDma: z.int(),
  restSlotsInUse: z.int(),
  files: z.array(z.string()),
})

const portsSchema = z.object({ rest: z.int(), dma: z.int(), ident: z.int() })

const lineSchema = z.union([
  z.object({ ports: portsSchema }),
  z.object({ log: logSchema }),
  z.object({ id: z.int(), result: z.unknown() }).refine((line) => 'result' in line),
  z.object({ id: z.int(), error: z.string() }),
])

export type UltimateLog = z.infer<typeof logSchema>
export type LogOf<K extends UltimateLog['kind']> = Extract<UltimateLog, { kind: K }>
export type UltimateState = z.infer<typeof stateSchema>

export interface UltimatePeer {
  /** On 127.0.0.1. */
  readonly ports: z.infer<typeof portsSchema>
  /** What it was asked, oldest first. The list may trail the replies by a moment: poll it, or read it after `state()`. */
  log(): readonly UltimateLog[]
  /** The entries of one kind. */
  logOf<K extends UltimateLog['kind']>(kind: K): readonly LogOf<K>[]
  /** Changes its options from the next request on; counts such as `dropEvery` start again, and what hung is let go. */
  change(options: Partial<UltimateOptions>): Promise<void>
  /** Closes every socket and comes back on the same ports after `seconds`. Resolves once it is gone; the log says `back`. Brings one back, too. */
  away(seconds: number, how?: { powerCycle: boolean }): Promise<void>
  /** Memory, by default as the CPU sees it. It is not logged; reads of I/O have their side effects. */
  peek(address: number, length: number, as?: 'cpu' | 'ram'): Promise<Uint8Array>
  poke(address: number, bytes: Uint8Array, as?: 'cpu' | 'ram'): Promise<void>
  putFile(path: string, bytes: Uint8Array): Promise<void>
  setMenu(open: boolean): Promise<void>
  state(): Promise<UltimateState>
  /** Ends it however it stands; safe to call twice. */
  stop(): Promise<void>
}

export async function startUltimate(options: Partial<UltimateOptions> = {}): Promise<UltimatePeer> {
  const program = resolve(import.meta.dirname, 'ultimate.ts')
  const child = spawn(process.execPath, [program, '--options', JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.on('error', () => undefined)
  const log: UltimateLog[] = []
  const calls = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  const ended = once(child, 'close')
  void ended.then(() => calls.forEach(({ reject }) => reject(new Error('The stand-in Ultimate has ended.'))))
  const ports = await new Promise<z.infer<typeof portsSchema>>((listening, failed) => {
    child.once('error', failed)
    child.once('exit', () => failed(new Error('The stand-in Ultimate ended before it listened.')))
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = lineSchema.parse(JSON.parse(text))
      if ('ports' in line) listening(line.ports)
      else if ('log' in line) log.push(line.log)
      else if ('error' in line) calls.get(line.id)?.reject(new Error(line.error))
      else calls.get(line.id)?.resolve(line.result)
    })
  })
  let nextId = 1
  const call = (command: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = nextId
      nextId += 1
      calls.set(id, { resolve, reject })
      child.stdin.write(`${JSON.stringify({ id, ...command })}\n`)
    })
  const act = async (command: object): Promise<void> => {
    await call(command)
  }
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
  return {
    ports,
    log: () => log,
    logOf: (kind) => log.filter((entry): entry is LogOf<typeof kind> => entry.kind === kind),
    change: (changed) => act({ change: changed }),
    away: (seconds, { powerCycle } = { powerCycle: false }) => act({ away: seconds, powerCycle }),
    peek: async (address, length, as = 'cpu') =>
      Buffer.from(z.string().parse(await call({ peek: { address, length, as } })), 'hex'),
    poke: (address, bytes, as = 'cpu') => act({ poke: { address, bytes: hex(bytes), as } }),
    putFile: (path, bytes) => act({ putFile: { path, bytes: hex(bytes) } }),
    setMenu: (open) => act({ setMenu: open }),
    state: async () => stateSchema.parse(await call({ state: true })),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
