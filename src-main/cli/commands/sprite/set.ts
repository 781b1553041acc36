import { formatAddress } from '@shared/c64/address'
import { decodeVideo, ioByte } from '@shared/c64/video'
import { AppError } from '@shared/contract/errors'
import { colour } from '../../colour'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { readGraphics } from '../../graphicsMemory'
import { choice, hexBytes, machine, number, required } from '../../parameters'
import { place, resolvePlace } from '../../place'
import type { Session } from '../../session'
import { UsageError } from '../../usageError'
import { table } from '../../printed'
import { describeSprites, SPRITE_SHAPE, spriteGroup as group } from './group'

const SPRITE_BYTES = 63
const BLOCK = 64
const BANK_SIZE = 0x4000
/** Block 13 of bank 0: the cassette's buffer, which programs leave free. */
const FREE_BLOCK = 0x0340
const POINTERS = 0x3f8
const onOff = ['on', 'off'] as const

const bitRegisters = {
  power: 0xd015,
  'expand-y': 0xd017,
  behind: 0xd01b,
  multicolour: 0xd01c,
  'expand-x': 0xd01d,
} as const

export const spriteSet = defineCommand({
  group,
  name: 'set',
  summary: 'Set the data, position and colours of a sprite, and say whether it is visible.',
  details: `Only what is given is changed. Without --power, the sprite is switched on. Data goes to --at, or to ${formatAddress(FREE_BLOCK)} where the VIC-II sees bank 0.`,
  positionals: { sprite: required(number('N', 'The sprite.', { min: 0, max: 7 })) },
  options: {
    data: hexBytes(`Its ${SPRITE_BYTES} bytes, three for each of 21 rows.`),
    at: place('Where its data is: a multiple of 64 in the VIC-II’s bank.'),
    x: number('X', 'Where it is; 24 is the left edge of the screen.', { min: 0, max: 511 }),
    y: number('Y', 'Where it is; 50 is the top edge of the screen.', { min: 0, max: 255 }),
    colour: colour('Its own colour.'),
    multicolour: choice('STATE', 'Two bits a pixel.', onOff),
    'expand-x': choice('STATE', 'Twice as wide.', onOff),
    'expand-y': choice('STATE', 'Twice as tall.', onOff),
    behind: choice('STATE', 'Behind the foreground of text and graphics.', onOff),
    power: choice('STATE', 'Switch it.', onOff),
    machine: machine('The machine.'),
  },
  data: { machine: 'the machine’s name', sprite: SPRITE_SHAPE },
  examples: [
    `sprite set 0 --data ${'ff'.repeat(3)}${'00'.repeat(60)} --x 160 --y 120 --colour red`,
    'sprite set 0 --power off',
  ],
  run: async ({ output, signal, openSession }, { sprite: n, data, at, x, y, colour, machine, ...bits }) => {
    if (data && ![SPRITE_BYTES, BLOCK].includes(data.length))
      throw new UsageError(`--data has ${data.length} bytes, and a sprite ${SPRITE_BYTES}.`, 'sprite set')
    const address = at && (await resolvePlace(openSession, machine, at, signal)).start
    const session = await openSession()
    await session.connect(machine, signal)
    const { io } = await readGraphics(session, machine, signal)
    await putData(session, machine, { n, io, data: data?.subarray(0, SPRITE_BYTES), address }, signal)
    const registers = new Map<number, number>()
    if (x !== undefined) {
      registers.set(0xd000 + 2 * n, x & 0xff)
      registers.set(0xd010, withBit(ioByte(io, 0xd010), n, x > 0xff))
    }
    if (y !== undefined) registers.set(0xd001 + 2 * n, y)
    if (colour !== undefined) registers.set(0xd027 + n, colour)
    for (const [name, state] of Object.entries({ ...bits, power: bits.power ?? 'on' })) {
      const register = Object.entries(bitRegisters).find(([known]) => known === name)?.[1]
      if (register !== undefined && state !== undefined)
        registers.set(register, withBit(ioByte(io, register), n, state === 'on'))
    }
    for (const [register, value] of registers)
      await session.client.call(
        'memory.write',
        { machine, space: 'io', address: register, bytes: Uint8Array.of(value) },
        signal,
      )
    const [described] = describeSprites(await readGraphics(session, machine, signal), [n])
    output.result({ machine, sprite: described?.data ?? {} }, table([described?.cells ?? []]))
    return EXIT_OK
  },
})

const withBit = (value: number, bit: number, isSet: boolean): number =>
  isSet ? value | (1 << bit) : value & ~(1 << bit)

interface Wanted {
  readonly n: number
  readonly io: Uint8Array
  readonly data: Uint8Array | undefined
  readonly address: number | undefined
}

/** @throws AppError INVALID for data that the VIC-II cannot see there */
async function putData(
  { client }: Session,
  machine: string,
  { n, io, data, address }: Wanted,
  signal: AbortSignal,
): Promise<void> {
  if (data === undefined && address === undefined) return
  const { bankStart, screen } = decodeVideo(io)
  const start = address ?? (bankStart === 0 ? FREE_BLOCK : null)
  const first = formatAddress(bankStart)
  const last = formatAddress(bankStart + BANK_SIZE - BLOCK)
  if (start === null || start % BLOCK !== 0 || start < bankStart || start >= bankStart + BANK_SIZE)
    throw new AppError('INVALID', `The data of a sprite is at a multiple of 64 from ${first} to ${last} now.`, {
      hint: 'Give such an address with --at.',
    })
  const pointer = Uint8Array.of((start - bankStart) / BLOCK)
  if (data)
    await client.call('memory.write', { machine, space: 'ram', address: start, bytes: Uint8Array.from(data) }, signal)
  await client.call('memory.write', { machine, space: 'ram', address: screen + POINTERS + n, bytes: pointer }, signal)
}
