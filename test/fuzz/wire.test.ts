import {
  anything,
  array,
  boolean,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
  string,
  tuple,
  uint8Array,
  type Arbitrary,
} from 'fast-check'
import { describe, expect } from 'vitest'
import { isAudioDelivery, parseAudioRequest } from '@shared/contract/audio'
import { isFrameDelivery, parseFrameRequest, type Frame, type FrameDelivery } from '@shared/contract/frames'
import { spaces, type Space } from '@shared/contract/memory'
import { FramePort, type FrameSource } from '../../src-main/bridge/framePort'
import { fromBridgeSchema } from '../../src-main/bridge/messages'
import { serve, type Bridge } from '../../src-main/bridge/serve'
import { memoryTransport, type Line } from '../../src-main/rpc/transport'
import { FrameStore } from '../../src-renderer/frames/frameStore'
import { fuzz } from './fuzz'
import { unsteeredLine } from '../support/unsteeredLine'

/** Whatever a process could say, mostly shaped like what it should. */
const shaped = (fields: Record<string, Arbitrary<unknown>>): Arbitrary<unknown> =>
  oneof({ weight: 4, arbitrary: record(fields, { requiredKeys: [] }) }, { weight: 1, arbitrary: anything() })

const anyIndex = oneof(nat(0x1ffff), constantFrom<unknown>(-1, 0.5, Number.NaN, Infinity, null, '1'))
const anySpace = oneof(
  { weight: 4, arbitrary: constantFrom<unknown>(...spaces) },
  { weight: 1, arbitrary: constantFrom<unknown>('disk', '__proto__', null, 3) },
)
const anyMachine = oneof(constantFrom<unknown>('builtin', 'vice:6502', null), string(), anything())
const someBytes = oneof<Arbitrary<unknown>[]>(
  uint8Array({ maxLength: 600 }),
  constantFrom<unknown>(new Uint8Array(8_192), new Uint8Array(384 * 136), new Uint16Array(4), [1, 2], 'bytes', null),
)

describe('what the page asks of its ports', () => {
  const frameRequest = shaped({
    kind: constantFrom('subscribe', 'credit', 'visible', 'other'),
    machine: anyMachine,
    spaces: oneof(array(anySpace), anything()),
    picture: oneof(boolean(), anything()),
    visible: oneof(boolean(), anything()),
  })
  fuzz('is a request for frames or none', frameRequest, (message) => {
    const request = parseFrameRequest(message)
    if (request?.kind === 'subscribe') for (const space of request.spaces) expect(spaces).toContain(space)
    if (request?.kind === 'visible') expect(request.visible).toBeTypeOf('boolean')
  })

  fuzz(
    'is a request for sound or none',
    shaped({ kind: constantFrom('subscribe', 'credit', 'other'), machine: anyMachine }),
    (message) => {
      const request = parseAudioRequest(message)
      if (request?.kind === 'subscribe' && request.machine !== null) expect(request.machine).toBeTypeOf('string')
    },
  )
})

describe('what the bridge sends to the page', () => {
  const frame = shaped({
    machine: oneof({ weight: 4, arbitrary: constantFrom<unknown>('builtin') }, { weight: 1, arbitrary: anyMachine }),
    epoch: anyIndex,
    seq: anyIndex,
    time: oneof(nat(), anything()),
    segments: oneof(
      {
        weight: 6,
        arbitrary: array(shaped({ space: anySpace, address: anyIndex, bytes: someBytes }), { maxLength: 4 }),
      },
      { weight: 1, arbitrary: anything() },
    ),
    registers: oneof<Arbitrary<unknown>[]>(
      constantFrom(undefined),
      array(shaped({ name: oneof(constantFrom('PC', 'A'), anything()), value: anyIndex, bits: anyIndex })),
      anything(),
    ),
    picture: oneof<Arbitrary<unknown>[]>(
      constantFrom(undefined),
      shaped({ width: constantFrom(384, 320), height: constantFrom(272, 247, 240, 200), pixels: someBytes }),
    ),
    accesses: oneof<Arbitrary<unknown>[]>(
      constantFrom(undefined),
      shaped({ reads: someBytes, writes: someBytes, stale: someBytes }),
    ),
  })
  const delivery = shaped({
    kind: constantFrom('frame', 'audio'),
    frame,
    sameAsRam: oneof(
      {
        weight: 4,
        arbitrary: array(shaped({ space: anySpace, address: anyIndex, length: anyIndex }), { maxLength: 3 }),
      },
      { weight: 1, arbitrary: anything() },
    ),
    dropped: anyIndex,
  })
  // Most of those that are chosen freely are none.
  const good = record({ space: constantFrom(...spaces), address: nat(0xf000), bytes: uint8Array({ maxLength: 600 }) })
  const goodDelivery = tuple(
    array(good, { maxLength: 3 }),
    constantFrom('space', 'address', 'bytes', 'picture', 'registers', 'time', 'accesses', 'nothing'),
    anything(),
  ).map(([segments, wrong, value]) => ({
    kind: 'frame',
    frame: {
      machine: 'builtin',
      epoch: 1,
      seq: 1,
      time: 1,
      segments: segments.map((segment) => ({ ...segment, ...(wrong in segment ? { [wrong]: value } : {}) })),
      ...(['picture', 'registers', 'time', 'accesses'].includes(wrong) ? { [wrong]: value } : {}),
    },
    sameAsRam: [],
    dropped: 0,
  }))
  fuzz('is refused, or can be shown', oneof(delivery, goodDelivery), (message) => {
    if (!isFrameDelivery(message)) return
    const store = quietStore()
    store.apply(message)
    for (const { space } of message.frame.segments) expect(spaces).toContain(space)
    for (const space of spaces) expect(store.image(space).length).toBe(0x10000)
    const { picture } = store
    if (picture) expect(picture.pixels.length).toBe((picture.width * picture.height) / 2)
    for (const { name, value } of store.registers) expect(`${name} ${value.toString(16)}`).toMatch(/ [0-9a-f]{1,4}$/)
    expect(Number.isFinite(store.time)).toBe(true)
  })

  const block = shaped({
    kind: constantFrom('audio'),
    machine: anyMachine,
    rate: oneof(constantFrom<unknown>(48_000, 47_982.887, 0, Number.NaN), anything()),
    samples: oneof<Arbitrary<unknown>[]>(
      constantFrom(new Int16Array(8), new Int16Array(7), new Uint8Array(8)),
      anything(),
    ),
    dropped: anyIndex,
  })
  fuzz('is a block of sound, or refused', block, (message) => {
    if (!isAudioDelivery(message)) return
    expect(message.rate).toBeGreaterThan(0)
    expect(message.samples.length % 2).toBe(0)
  })
})

/** Without a window, nothing is drawn. */
const quietStore = (): FrameStore =>
  new FrameStore(
    () => undefined,
    () => 0,
  )

/** Few values, so that pages are often the same as before, and as in another space. */
const change = record({
  kind: constantFrom('change', 'same', 'credit', 'grow', 'epoch', 'hidden', 'subscribe'),
  space: constantFrom<Space>('ram', 'cpu', 'io'),
  address: nat(0xffff),
  length: integer({ min: 1, max: 0x300 }),
  value: nat(1),
})

describe('frames from a machine to the page', () => {
  fuzz(
    'show what the machine holds, whatever was superseded or asked anew on the way',
    array(change, { maxLength: 40 }),
    (changes) => {
      const truth = new Map<Space, Uint8Array>()
      const first: Record<'ram' | 'cpu' | 'io', [from: number, to: number]> = {
        ram: [0x1010, 0x2345],
        cpu: [0x0002, 0x1800],
        io: [0xd000, 0xe000],
      }
      for (const space of ['ram', 'cpu', 'io'] as const) truth.set(space, new Uint8Array(0x10000))
      const { line, page, deliveries } = directLine()
      let tell: ((frame: Frame) => void) | undefined
      const source: FrameSource = {
        subscribe(_machine, _request, listener) {
          tell = listener
          return () => {
            // The next subscription has begun by then.
            if (tell === listener) tell = undefined
          }
        },
      }
      new FramePort(line, source, (message, error) => expect.fail(`${message}: ${String(error)}`))
      const store = quietStore()
      const take = (): void => {
        for (const delivery of deliveries.splice(0)) {
          if (!isFrameDelivery(delivery)) throw new Error('The page would refuse it.')
          store.apply(structuredClone(delivery))
          page({ kind: 'credit' })
        }
      }
      let epoch = 1
      let seq = 0
      const emit = (): void => {
        const segments = (['ram', 'cpu', 'io'] as const).map((space) => {
          const [from, to] = first[space]
          return { space, address: from, bytes: (truth.get(space) ?? new Uint8Array(0)).slice(from, to) }
        })
        tell?.({ machine: 'builtin', epoch, seq: seq++, time: seq, segments })
      }
      const subscribe = { kind: 'subscribe', machine: 'builtin', spaces: ['ram', 'cpu', 'io'], picture: false }
      page(subscribe)
      for (const { kind, space, address, length, value } of changes) {
        if (space !== 'ram' && space !== 'cpu' && space !== 'io') continue
        const image = truth.get(space) ?? new Uint8Array(0)
        if (kind === 'change') image.fill(value, address, address + length)
        else if (kind === 'same') image.set(truth.get('ram') ?? [])
        else if (kind === 'credit') take()
        else if (kind === 'grow')
          first[space] = [
            Math.min(first[space][0], address),
            Math.max(first[space][1], Math.min(0x10000, address + length)),
          ]
        else if (kind === 'epoch') epoch++
        else if (kind === 'hidden') page({ kind: 'visible', visible: value === 1 })
        else page(subscribe)
        emit()
      }
      page({ kind: 'visible', visible: true })
      // What waited for a credit comes with it.
      for (let round = 0; round < 4; round++) {
        emit()
        take()
      }
      for (const space of ['ram', 'cpu', 'io'] as const) {
        const [from, to] = first[space]
        expect(
          Buffer.compare(
            store.image(space).subarray(from, to),
            truth.get(space)?.subarray(from, to) ?? new Uint8Array(0),
          ),
        ).toBe(0)
      }
    },
  )
})

/** Both ends in one process, without waiting. */
function directLine(): { line: Line; page: (message: unknown) => void; deliveries: FrameDelivery[] } {
  const deliveries: FrameDelivery[] = []
  let listener: (message: unknown) => void = () => undefined
  const line: Line = {
    post: (message) => void deliveries.push(message as FrameDelivery),
    onMessage: (heard) => void (listener = heard),
    onClose: () => undefined,
    close: () => undefined,
  }
  return { line, page: (message) => listener(message), deliveries }
}

describe('what the bridge process is told', () => {
  const message = shaped({
    kind: constantFrom('call', 'cancel', 'ping', 'other'),
    id: anyIndex,
    at: oneof(nat(), anything()),
    command: oneof(
      constantFrom('machine.connect', 'memory.read', 'memory.write', 'machine.typeText', 'toString', '__proto__'),
      string(),
    ),
    input: oneof(
      shaped({
        machine: anyMachine,
        space: anySpace,
        address: anyIndex,
        length: anyIndex,
        bytes: someBytes,
        text: string(),
      }),
      anything(),
    ),
  })
  fuzz('is answered with data or an error, or ignored', array(message, { maxLength: 8 }), async (messages) => {
    const { bridge: side, control } = memoryTransport()
    const logged: unknown[] = []
    // Each handler answers what it was given: what comes back was let through.
    const handlers = new Proxy({} as Bridge['handlers'], { get: () => (input: unknown) => input })
    const none = { subscribe: () => () => undefined, subscribeAudio: () => () => undefined }
    const bridge: Bridge = {
      handlers,
      frames: none,
      audio: none,
      openSteeredLine: () => unsteeredLine,
      onEvent: () => () => undefined,
      fallAsleep: () => undefined,
      wakeUp: () => undefined,
      close: () => Promise.resolve(),
      log: (_text, error) => logged.push(...(error === undefined ? [] : [error])),
    }
    serve(bridge, side, () => undefined)
    const refusals: string[] = []
    control.onMessage((raw) => {
      const said = fromBridgeSchema.parse(raw)
      if (said.kind === 'reply' && !said.result.ok) refusals.push(said.result.error.code)
    })
    for (const each of messages) control.post(cloneable(each))
    await new Promise((done) => setImmediate(done))
    expect(logged).toEqual([])
    for (const code of refusals) expect(['INVALID', 'NOT_FOUND']).toContain(code)
  })
})

/** What a message port would refuse to carry is never sent. */
function cloneable(value: unknown): unknown {
  try {
    return structuredClone(value)
  } catch {
    return null
  }
}
