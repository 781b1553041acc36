/**
 * A stand-in for the menu of an EasyFlash 3 or Kung Fu Flash on a serial port, as a program of its own, after the C64's side
 * of their USB protocol.
 *
 * Standard input: {"id":1,"change":{…}}, {"id":2,"peek":[address,length]}. Standard output: {"ready":true}, {"id":…,"result":…},
 * {"log":{…}}.
 */
import { createHash } from 'node:crypto'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { SerialPort } from 'serialport'
import { z } from 'zod'

const fullSchema = z.strictObject({
  /** A game runs: nobody looks at the line. */
  silent: z.boolean(),
  /** So many greetings are answered with WAIT first. */
  waits: z.int(),
  /** What is said instead of LOAD. */
  answer: z.string(),
  /** What the menu takes: a Kung Fu Flash refuses cartridge images. */
  takes: z.array(z.enum(['PRG', 'CRT'])),
  /** How much the C64 asks for at once. */
  request: z.int(),
  /** Closes the file after so many bytes. */
  closesAfter: z.int().nullable(),
  /** Asks for so many pieces, and then no more. */
  hangsAfter: z.int().nullable(),
})
export type EasyFlashOptions = z.infer<typeof fullSchema>
const optionsSchema = fullSchema.partial()

const options: EasyFlashOptions = {
  silent: false,
  waits: 0,
  answer: 'LOAD',
  takes: ['PRG', 'CRT'],
  request: 0xffff,
  closesAfter: null,
  hangsAfter: null,
}
const memory = new Uint8Array(0x10000)
const greetings = { PRG: Buffer.from('EFSTART:PRG\0'), CRT: Buffer.from('EFSTART:CRT\0') }
const GREETING_BYTES = 12

const print = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`)

async function* bytesOf(port: SerialPort): AsyncGenerator<number, never> {
  for (;;) {
    for await (const bytes of port as AsyncIterable<Buffer>) yield* bytes
  }
}

async function serve(port: SerialPort): Promise<never> {
  const bytes = bytesOf(port)
  const byte = async (): Promise<number> => (await bytes.next()).value
  const number = async (): Promise<number> => (await byte()) | ((await byte()) << 8)
  /** Asks for so many bytes, and takes as many as come. */
  const read = async (size: number): Promise<number[]> => {
    port.write(Uint8Array.of(size & 0xff, size >> 8))
    const count = await number()
    if (count > size) print({ log: { tooMuch: count } })
    const taken: number[] = []
    while (taken.length < count) taken.push(await byte())
    return taken
  }
  const load = async (): Promise<void> => {
    const [low = 0, high = 0] = await read(2)
    const start = low | (high << 8)
    let at = start
    let pieces = 0
    for (;;) {
      if (options.closesAfter !== null && at - start >= options.closesAfter) break
      if (options.hangsAfter !== null && pieces++ >= options.hangsAfter) {
        print({ log: { hangs: true } })
        return
      }
      const piece = await read(options.request)
      if (piece.length === 0) break
      memory.set(piece, at)
      at += piece.length
    }
    port.write(Uint8Array.of(0, 0))
    print({ log: { loaded: start, length: at - start } })
  }
  /** Asks for pieces of the image until an empty one comes. */
  const flash = async (): Promise<void> => {
    const image: number[] = []
    let pieces = 0
    for (;;) {
      if (options.closesAfter !== null && image.length >= options.closesAfter) break
      if (options.hangsAfter !== null && pieces++ >= options.hangsAfter) {
        print({ log: { hangs: true } })
        return
      }
      const piece = await read(options.request)
      if (piece.length === 0) break
      image.push(...piece)
    }
    port.write(Uint8Array.of(0, 0))
    print({ log: { flashed: createHash('sha256').update(Uint8Array.from(image)).digest('hex'), length: image.length } })
  }
  let last = Buffer.alloc(GREETING_BYTES)
  for (;;) {
    last = Buffer.concat([last.subarray(1), Uint8Array.of(await byte())])
    const kind = (['PRG', 'CRT'] as const).find((name) => last.equals(greetings[name]))
    if (!kind || options.silent) continue
    print({ log: { greeted: true } })
    if (options.waits > 0) {
      options.waits--
      port.write('WAIT\0')
    } else if (!options.takes.includes(kind)) {
      port.write('ETYP\0')
    } else {
      port.write(`${options.answer}\0`)
      if (options.answer === 'LOAD') await (kind === 'PRG' ? load() : flash())
    }
  }
}

const orderSchema = z.object({
  id: z.int(),
  change: optionsSchema.optional(),
  peek: z.tuple([z.int(), z.int()]).optional(),
})

function main(): void {
  const { values } = parseArgs({ options: { device: { type: 'string', default: '' } } })
  const port = new SerialPort({ path: values.device, baudRate: 115_200 }, () => print({ ready: true }))
  // It ends with its line.
  port.on('error', () => undefined)
  serve(port).catch(() => process.exit(0))
  createInterface({ input: process.stdin })
    .on('line', (text) => {
      const { id, change, peek } = orderSchema.parse(JSON.parse(text))
      Object.assign(options, change)
      print({ id, result: peek ? Buffer.from(memory.subarray(peek[0], peek[0] + peek[1])).toString('hex') : '' })
    })
    .on('close', () => process.exit(0))
}

if (process.argv[1] === import.meta.filename) main()
