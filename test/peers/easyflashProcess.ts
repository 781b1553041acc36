/** Starts the stand-in for an EasyFlash 3's menu as a process of its own, at the end of a serial line. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { EasyFlashOptions } from './easyflash'

const logSchema = z.object({
  greeted: z.boolean().optional(),
  loaded: z.int().optional(),
  /** The SHA-256 of the image. */
  flashed: z.string().optional(),
  length: z.int().optional(),
  tooMuch: z.int().optional(),
  hangs: z.boolean().optional(),
})
const lineSchema = z.union([
  z.object({ ready: z.boolean() }),
  z.object({ log: logSchema }),
  z.object({ id: z.int(), result: z.string() }),
])

export interface EasyFlashPeer {
  log(): readonly z.infer<typeof logSchema>[]
  change(options: Partial<EasyFlashOptions>): Promise<void>
  peek(address: number, length: number): Promise<Uint8Array>
  stop(): Promise<void>
}

export async function startEasyFlashPeer(device: string): Promise<EasyFlashPeer> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'easyflash.ts'), '--device', device], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.on('error', () => undefined)
  const ended = once(child, 'close')
  const log: z.infer<typeof logSchema>[] = []
  const answers = new Map<number, (result: string) => void>()
  let lastId = 0
  await new Promise<void>((ready, failed) => {
    child.once('error', failed)
    child.once('exit', () => failed(new Error('The stand-in for an EasyFlash ended before it was ready.')))
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = lineSchema.parse(JSON.parse(text))
      if ('ready' in line) ready()
      else if ('log' in line) log.push(line.log)
      else answers.get(line.id)?.(line.result)
    })
  })
  const order = (what: object): Promise<string> =>
    new Promise((done) => {
      const id = ++lastId
      answers.set(id, done)
      child.stdin.write(`${JSON.stringify({ id, ...what })}\n`)
    })
  return {
    log: () => log,
    change: async (change) => {
      await order({ change })
    },
    peek: async (address, length) => Uint8Array.from(Buffer.from(await order({ peek: [address, length] }), 'hex')),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
