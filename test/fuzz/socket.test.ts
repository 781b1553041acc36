import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  anything,
  array,
  constantFrom,
  integer,
  json,
  nat,
  oneof,
  record,
  string,
  tuple,
  uint8Array,
  type Arbitrary,
} from 'fast-check'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { decodeLine, encodeLine } from '../../src-main/bridge/jsonLine'
import { fromBridgeSchema } from '../../src-main/bridge/messages'
import type { Bridge } from '../../src-main/bridge/serve'
import { listen, socketPath } from '../../src-main/bridge/socket'
import { anyCuts, fuzz, inPieces } from './fuzz'
import { unsteeredLine } from '../support/unsteeredLine'

const faults: unknown[] = []
const power: string[] = []
const bridge: Bridge = {
  // Each handler answers what it was given.
  handlers: new Proxy({} as Bridge['handlers'], { get: () => (input: unknown) => input }),
  frames: { subscribe: () => () => undefined },
  audio: { subscribeAudio: () => () => undefined },
  openSteeredLine: () => unsteeredLine,
  onEvent: () => () => undefined,
  fallAsleep: () => void power.push('asleep'),
  wakeUp: () => void power.push('awake'),
  close: () => Promise.resolve(),
  log: (_text, error) => faults.push(...(error === undefined ? [] : [error])),
}

let folder: string
let server: { close(): Promise<void> }
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-fuzz-'))
  server = await listen(bridge, socketPath(folder))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const message = record(
  {
    kind: constantFrom('call', 'cancel', 'ping', 'suspend', 'resume', 'shutdown', 'reply'),
    id: oneof(nat(20), integer(), anything()),
    at: oneof(nat(), anything()),
    command: oneof(constantFrom('memory.read', 'settings.get', 'machine.list', '__proto__', 'toString'), string()),
    input: oneof(anything(), constantFrom({}, { machine: 'builtin', space: 'ram', address: 0, length: 4 })),
  },
  { requiredKeys: ['kind'] },
)
const good = record({
  kind: constantFrom('call'),
  id: nat(),
  command: constantFrom('settings.get'),
  input: constantFrom({}),
})

const line: Arbitrary<Uint8Array> = oneof(
  { weight: 3, arbitrary: good.map(asLine) },
  { weight: 3, arbitrary: message.map(asLine) },
  { weight: 1, arbitrary: json().map((text) => Buffer.from(`${text}\n`)) },
  { weight: 1, arbitrary: uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: nat(3_000).map((length) => Buffer.from('\n'.repeat(length))) },
  { weight: 1, arbitrary: nat(60_000).map((length) => Buffer.from(`[${'0,'.repeat(length)}0]\n`)) },
)

function asLine(value: unknown): Uint8Array {
  try {
    return Buffer.from(encodeLine(value))
  } catch {
    // A circle or a bigint is no JSON.
    return Buffer.from('null\n')
  }
}

describe('what a client writes into the socket', () => {
  fuzz(
    'is answered by the protocol, or ends that client alone',
    tuple(array(line, { maxLength: 8 }), anyCuts),
    async ([lines, cuts]) => {
      const socket = createConnection(socketPath(folder))
      let text = ''
      socket.on('data', (chunk) => (text += chunk.toString()))
      socket.on('error', () => undefined)
      const closed = new Promise((resolve) => socket.on('close', resolve))
      for (const piece of inPieces(Buffer.concat(lines), cuts)) socket.write(piece)
      socket.end()
      await closed
      for (const said of text.split('\n').slice(0, -1)) {
        const parsed = fromBridgeSchema.parse(JSON.parse(said))
        expect(['ready', 'reply', 'pong', 'failed']).toContain(parsed.kind)
        if (parsed.kind === 'reply' && !parsed.result.ok)
          expect(['INVALID', 'NOT_FOUND', 'BUSY', 'CANCELLED']).toContain(parsed.result.error.code)
      }
      expect(power).toEqual([])
      expect(faults).toEqual([])
    },
  )
})

describe('a message as a line', () => {
  const bytes = record({
    machine: string(),
    bytes: uint8Array({ maxLength: 300 }),
    more: array(uint8Array({ maxLength: 3 })),
  })
  fuzz('holds the same after it was read', bytes, (value) => {
    expect(decodeLine(encodeLine(value).trimEnd(), 1_000)).toEqual(value)
  })

  fuzz('is read or refused, whatever it is', oneof(string(), json()), (text) => {
    decodeLine(text, 1_000)
    expect(Reflect.get({}, 'bytes')).toBeUndefined()
  })
})
