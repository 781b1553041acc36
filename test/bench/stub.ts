/** The serial stub in VICE: how much of its line's rate memory reads reach, beside a program that only echoes bytes. */
import { connect } from 'node:net'
import { once } from 'node:events'
import { clockRates } from '@shared/c64/registers'
import { open } from '../../src-main/machine/bytestream/open'
import { StubClient } from '../../src-main/machine/stub/client'
import {
  mappings,
  MAX_WRITE_BYTES,
  readBytes,
  sumPages,
  writeBytes,
  type Request,
} from '../../src-main/machine/stub/codec'
import { readPiece } from '../../src-main/machine/stub/session'
import { startViceWithLine, startViceWithStub, type StubBaud } from '../vice/serialLine'
import type { Row } from './row'

/** 20 KiB of memory that nobody uses. */
const AREA = 0x4000
const SIZE = 0x5000

/** What a byte costs the stub, in cycles, as docs/serial-protocol.md counts it: in its loops, and its share of a part's head and tail. */
const LOOP_CYCLES = 49.5
const PART_CYCLES = 3.8

const long = (): AbortSignal => AbortSignal.timeout(120_000)

export default async function stub(): Promise<Row[]> {
  return [...(await linesOf(38_400)), ...(await linesOf(230_400))]
}

async function linesOf(baud: StubBaud): Promise<Row[]> {
  const echo = await echoRate(baud)
  const { random, zeros, write, sum } = await stubRates(baud)
  const lineRate = baud / 10
  const name = baud.toLocaleString('en')
  const share = (rate: number): string =>
    `${((rate / lineRate) * 100).toFixed(1)} % of the line, ${((rate / echo) * 100).toFixed(1)} % of the echo`
  const cycles = (rate: number): string => (clockRates.pal / rate).toFixed(1)
  const budget = `a byte took ${cycles(random)} cycles, the stub’s count is ${LOOP_CYCLES + PART_CYCLES} and bad lines, the line has ${cycles(lineRate)}`
  const met = baud === 38_400 ? random / lineRate >= 0.85 : random / echo >= 0.85
  return [
    {
      name: `stub at ${name} baud: read, random bytes`,
      value: random,
      unit: 'B/s',
      bare: echo,
      met,
      note: `${share(random)}; ${budget}`,
      target: baud === 38_400 ? '85 % of the line (3,264 B/s)' : '85 % of the echo',
    },
    { name: `stub at ${name} baud: read, all zeros`, value: zeros, unit: 'B/s', bare: echo, note: share(zeros) },
    { name: `stub at ${name} baud: write`, value: write, unit: 'B/s', bare: echo, note: share(write) },
    {
      name: `stub at ${name} baud: pages summed`,
      value: sum,
      unit: '/s',
      note: `${(sum * 256).toFixed(0)} B/s looked at`,
    },
  ]
}

async function stubRates(baud: StubBaud): Promise<{ random: number; zeros: number; write: number; sum: number }> {
  const vice = await startViceWithStub(baud)
  try {
    const stream = await open({ kind: 'tcp', host: '127.0.0.1', port: vice.line.port }, long())
    const { client } = await StubClient.connect(stream, 'the bench’s line', baud, long())
    const all = async (
      size: number,
      piece: number,
      request: (address: number, length: number) => Request<unknown>,
    ): Promise<number> => {
      const started = performance.now()
      for (let at = 0; at < size; at += piece)
        await client.request(request(AREA + at, Math.min(piece, size - at)), long())
      return size / ((performance.now() - started) / 1_000)
    }
    const read = (): Promise<number> =>
      all(SIZE, readPiece(baud), (address, length) => readBytes(mappings.io, address, length))
    const bytes = Uint8Array.from({ length: SIZE }, () => Math.floor(Math.random() * 256))
    const put = (content: Uint8Array): Promise<number> =>
      all(content.length, MAX_WRITE_BYTES, (address, length) =>
        writeBytes(mappings.io, address, content.subarray(address - AREA, address - AREA + length)),
      )
    const write = await put(bytes)
    const random = await read()
    await put(new Uint8Array(SIZE))
    const zeros = await read()
    const sum = (await all(SIZE, 0x1000, (address, length) => sumPages(mappings.io, address >> 8, length >> 8))) / 256
    await client.close()
    return { random, zeros, write, sum }
  } finally {
    await vice.stop()
  }
}

/**
 * At $1000: SEI; sets the line's speed; then each byte that comes is sent back.
 *
 *   loop LDA $DE01; AND #$08; BEQ loop; LDX $DE00; wait LDA $DE01; AND #$10; BEQ wait; STX $DE00; JMP loop
 */
const echoProgram = (baud: StubBaud): number[] => [
  0x78,
  0x8d,
  0x01,
  0xde,
  ...(baud === 38_400 ? [0xa9, 0x1f, 0x8d, 0x03, 0xde] : [0xa9, 0x10, 0x8d, 0x03, 0xde, 0xa9, 0x00, 0x8d, 0x07, 0xde]),
  0xa9,
  0x0b,
  0x8d,
  0x02,
  0xde,
]
const echoLoop = (start: number): number[] => [
  0xad,
  0x01,
  0xde,
  0x29,
  0x08,
  0xf0,
  0xf9,
  0xae,
  0x00,
  0xde,
  0xad,
  0x01,
  0xde,
  0x29,
  0x10,
  0xf0,
  0xf9,
  0x8e,
  0x00,
  0xde,
  0x4c,
  start & 0xff,
  start >> 8,
]
const ECHO_START = 0x1000
const ECHO_BYTES: Record<StubBaud, number> = { 38_400: 20_000, 57_600: 30_000, 115_200: 60_000, 230_400: 120_000 }

async function echoRate(baud: StubBaud): Promise<number> {
  const vice = await startViceWithLine(baud === 38_400 ? 'swiftLink' : 'turbo232', [], false)
  try {
    const setUp = echoProgram(baud)
    await vice.poke(ECHO_START, ...setUp, ...echoLoop(ECHO_START + setUp.length))
    await vice.type(`sys${ECHO_START}\n`)
    await vice.opened(1)
    const socket = connect({ host: '127.0.0.1', port: vice.line.port, noDelay: true })
    await once(socket, 'connect')
    let received = 0
    let started = 0
    const wanted = ECHO_BYTES[baud]
    const done = new Promise<void>((resolve) => {
      socket.on('data', ({ length }) => {
        if (received === 0) started = performance.now()
        received += length
        if (received >= wanted * 0.98) resolve()
      })
    })
    socket.write(Buffer.alloc(wanted, 0x55))
    await done
    const rate = received / ((performance.now() - started) / 1_000)
    socket.destroy()
    return rate
  } finally {
    await vice.stop()
  }
}
