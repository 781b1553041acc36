import { createServer, type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { array, boolean, constantFrom, jsonValue, nat, oneof, record, string, tuple, uint8Array } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UltimateApi } from '../../src-main/machine/ultimate/api'
import { parseIdent } from '../../src-main/machine/ultimate/discovery'
import {
  DmaService,
  encodeCommand,
  jumpPrg,
  MAX_PAYLOAD_BYTES,
  pressKeys,
  runCartridge,
  startStream,
  writeMemory,
} from '../../src-main/machine/ultimate/dmaService'
import { parseTolerantJson, plainText } from '../../src-main/machine/ultimate/json'
import { RestClient } from '../../src-main/machine/ultimate/rest'
import { memoryInUse } from '../support/memoryInUse'
import { answerOf, anyBytes, fuzz, laterAnswerOf, mutated } from './fuzz'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const ask = (): AbortSignal => AbortSignal.timeout(60_000)

describe('Ultimate JSON', () => {
  fuzz('good JSON is read as it is', jsonValue(), (value) => {
    expect(parseTolerantJson(utf8(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)))
  })

  /** No quotes, which end a string where a comma or a bracket follows, and no backslashes, which may be escapes. */
  const rawName = string({
    unit: constantFrom(
      ...Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)),
      'a',
      ' ',
      ',',
      ':',
      '{',
      '}',
      '[',
      ']',
    ),
  })
  fuzz('names with raw control bytes are read as they are', array(rawName), (names) => {
    const text = `{ "names" : [ ${names.map((name) => `"${name}"`).join(' , ')} ] }`
    expect(parseTolerantJson(utf8(text))).toEqual({ names })
  })

  fuzz(
    'anything is read or is no JSON',
    oneof(
      anyBytes(),
      mutated(jsonValue().map((value) => utf8(JSON.stringify(value)))),
      string({ unit: constantFrom('"', '\\', ',', ']', '}', 'u', '\u0001', ' ') }).map((text) =>
        utf8(`{"a":"${text}"}`),
      ),
    ),
    (bytes) => {
      const value = parseTolerantJson(bytes)
      if (value !== undefined) expect(() => JSON.stringify(value)).not.toThrow()
    },
  )

  fuzz('text for a sentence is one line and not long', string({ unit: 'binary', maxLength: 700 }), (text) => {
    expect(plainText(text)).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]{0,300}$/)
  })
})

const identText = record({
  product: string(),
  firmware_version: string(),
  hostname: string(),
  unique_id: string(),
  your_string: constantFrom('asked', 'other'),
  password_protected: boolean(),
})

describe('Ultimate ident', () => {
  fuzz('a device is what it says, once it answers our question', identText, (ident) => {
    const found = parseIdent(utf8(JSON.stringify(ident)), 'asked', '10.0.0.7')
    expect(found).toEqual(
      ident.your_string !== 'asked'
        ? undefined
        : {
            host: '10.0.0.7',
            product: plainText(ident.product),
            firmware: plainText(ident.firmware_version),
            hostname: plainText(ident.hostname),
            uniqueId: plainText(ident.unique_id),
            needsPassword: ident.password_protected,
          },
    )
  })

  const datagram = oneof(
    anyBytes(1_500),
    mutated(identText.map((ident) => utf8(JSON.stringify(ident)))),
    jsonValue().map((value) => utf8(JSON.stringify(value))),
  )
  fuzz('any datagram tells of a device in plain text, or of none', datagram, (bytes) => {
    const found = parseIdent(bytes, 'asked', '10.0.0.7')
    for (const text of [found?.product, found?.firmware, found?.hostname])
      if (typeof text === 'string') expect(text).toBe(plainText(text))
  })
})

function* endlessBody(): Generator<Uint8Array> {
  yield utf8('HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n')
  for (;;) yield new Uint8Array(0x10000)
}

/** Answers each connection with the next bytes and ends it, as a device does that is broken in all ways. */
class BrokenServer {
  answer: Uint8Array = new Uint8Array(0)
  /** Whether it answers before anything was asked. */
  unasked = false
  /** Whether it says that it has memory to send, and never stops sending it. */
  endless = false
  readonly #server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.resume()
    if (this.endless) Readable.from(endlessBody()).pipe(socket)
    else if (this.unasked) socket.end(this.answer)
    else socket.once('data', () => socket.end(this.answer))
  })

  async listen(): Promise<{ host: string; port: number }> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening))
    const { port } = this.#server.address() as AddressInfo
    return { host: '127.0.0.1', port }
  }

  close(): Promise<void> {
    return new Promise((closed) => this.#server.close(() => closed()))
  }
}

const status = oneof(
  { weight: 3, arbitrary: constantFrom(200) },
  { weight: 1, arbitrary: constantFrom(204, 301, 400, 403, 404, 405, 412, 500, 501, 503, 999) },
)
const body = oneof(
  anyBytes(400),
  jsonValue().map((value) => utf8(JSON.stringify(value))),
  mutated(
    constantFrom(
      { product: 'Ultimate 64', firmware_version: '3.12', errors: [] },
      { errors: ['Forbidden', 'function does not have parameter x'] },
      { drives: [{ a: { enabled: true, bus_id: 8, type: '1541', image_file: 'x.d64' } }], errors: [] },
      { categories: ['Data Streams'], errors: [] },
      {
        'Data Streams': {
          Mode: { current: '6510 Only', values: ['6510 Only', 'VIC Only'] },
          Level: { current: 3, min: 0, max: 9 },
        },
        errors: [],
      },
      { files: { filename: 'x.d64', size: 174_848 }, errors: [] },
      { value: '7f', errors: [] },
    ).map((value) => utf8(JSON.stringify(value))),
  ),
)
const reply = record({
  status,
  type: constantFrom('application/json', 'application/octet-stream', 'text/html', ''),
  /** What the length says beside the truth; null for none. */
  off: oneof({ weight: 4, arbitrary: constantFrom(0) }, { weight: 1, arbitrary: constantFrom(null, -1, 1, 1_000_000) }),
  body,
})
const wire = ({
  status: code,
  type,
  off,
  body: bytes,
}: {
  status: number
  type: string
  off: number | null
  body: Uint8Array
}): Uint8Array => {
  const head = [
    `HTTP/1.1 ${code} Unknown`,
    'Connection: close',
    ...(type === '' ? [] : [`Content-Type: ${type}`]),
    ...(off === null ? [] : [`Content-Length: ${Math.max(0, bytes.length + off)}`]),
  ]
  return Buffer.concat([utf8(`${head.join('\r\n')}\r\n\r\n`), bytes])
}

describe('Ultimate REST', () => {
  const server = new BrokenServer()
  let api: UltimateApi
  beforeAll(async () => void (api = new UltimateApi(new RestClient(await server.listen(), null))))
  afterAll(() => server.close())

  const calls = [
    () => api.identify(ask()),
    () => api.readDebugRegister(ask()),
    () => api.drives(ask()),
    () => api.categories(ask()),
    () => api.readConfiguration('Data Streams', ask()),
    () => api.fileInfo('/Usb0/x.d64', ask()),
    () => api.pause(ask()),
    () => api.startStream('video', '10.0.0.1:5000', ask()),
  ]
  fuzz('every reply is read or refused', tuple(reply, constantFrom(...calls)), async ([answer, call]) => {
    server.answer = wire(answer)
    await laterAnswerOf<unknown>(call)
  })

  fuzz('memory is what was sent whole, or an error', reply, async (answer) => {
    server.answer = wire(answer)
    const length = Math.max(1, answer.body.length)
    const bytes = await laterAnswerOf(() => api.readMemory(0x1000, length, ask()))
    if (bytes) expect(bytes).toEqual(answer.body)
    const isGood =
      answer.status === 200 && answer.type === 'application/octet-stream' && answer.off === 0 && answer.body.length > 0
    if (isGood) expect(bytes).toBeDefined()
  })

  fuzz('what is no HTTP is refused', oneof(anyBytes(300), mutated(reply.map(wire))), async (answer) => {
    server.answer = answer
    await laterAnswerOf(() => api.drives(ask()))
  })
})

describe('A device that never stops sending', () => {
  it('is refused, and nothing of it is kept', async () => {
    const server = new BrokenServer()
    const api = new UltimateApi(new RestClient(await server.listen(), null))
    server.endless = true
    const before = memoryInUse()
    for (let attempt = 0; attempt < 10; attempt++) {
      await expect(api.readMemory(0, 0x10000, ask())).rejects.toMatchObject({
        code: 'UNREACHABLE',
        message: expect.stringContaining('too long') as string,
      })
    }
    // What is under way when the connection is cut is let go a moment later.
    await expect.poll(() => memoryInUse() - before, { timeout: 20_000 }).toBeLessThan(8 << 20)
    await server.close()
  })
})

describe('Ultimate DMA service', () => {
  const server = new BrokenServer()
  let address: { host: string; port: number }
  beforeAll(async () => void (address = await server.listen()))
  afterAll(() => server.close())

  const commands = oneof(
    tuple(nat(0xffff), uint8Array({ maxLength: 64 })).map(([at, bytes]) => ({
      bytes: writeMemory(at, bytes),
      code: 0xff06,
      payload: [at & 0xff, at >> 8, ...bytes],
    })),
    tuple(nat(0xffff), uint8Array({ maxLength: 64 })).map(([at, bytes]) => ({
      bytes: jumpPrg(at, bytes),
      code: 0xff09,
      payload: [at & 0xff, at >> 8, ...bytes],
    })),
    uint8Array({ maxLength: 40 }).map((keys) => ({
      bytes: pressKeys(keys),
      code: 0xff03,
      payload: [...keys.subarray(0, 10)],
    })),
    nat(0xffff).map((ticks) => ({
      bytes: startStream('debug', ticks, 'h:1'),
      code: 0xff22,
      payload: [ticks & 0xff, ticks >> 8, ...utf8('h:1')],
    })),
  )
  fuzz('commands go out as the device reads them', commands, ({ bytes, code, payload }) => {
    const view = Buffer.from(bytes)
    expect([view.readUInt16LE(0), view.readUInt16LE(2), ...view.subarray(4)]).toEqual([
      code,
      payload.length,
      ...payload,
    ])
  })

  fuzz('a payload is sent with its length, or refused', oneof(nat(0x20), nat(MAX_PAYLOAD_BYTES + 1_000)), (length) => {
    const payload = new Uint8Array(length)
    const long = answerOf(() => runCartridge(payload))
    expect(long?.length).toBe(length <= MAX_PAYLOAD_BYTES ? length + 5 : undefined)
    if (long) expect(Buffer.from(long).readUIntLE(2, 3)).toBe(length)
    expect(answerOf(() => encodeCommand('load', payload))?.length).toBe(length <= 0xffff ? length + 4 : undefined)
  })

  fuzz(
    'every answer is the device’s name or an error',
    tuple(anyBytes(300), boolean(), boolean()),
    async ([answer, unasked, withPassword]) => {
      server.answer = answer
      server.unasked = unasked
      const name = await laterAnswerOf(() =>
        new DmaService(address, withPassword ? 'secret' : null).burst([pressKeys(utf8('A'))], ask()),
      )
      const [length = 0, ...text] = withPassword ? answer.subarray(1) : answer
      if (name !== undefined) expect(name).toBe(plainText(String.fromCharCode(...text.slice(0, length))))
      if (withPassword && answer[0] !== 1) expect(name).toBeUndefined()
    },
  )
})
