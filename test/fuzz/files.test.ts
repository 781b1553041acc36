import {
  array,
  boolean,
  constantFrom,
  integer,
  jsonValue,
  nat,
  oneof,
  record,
  string,
  tuple,
  uint8Array,
} from 'fast-check'
import { resolve } from 'node:path'
import { crc32 } from 'node:zlib'
import { beforeAll, describe, expect } from 'vitest'
import { canonicalMachineName, readMachineName } from '@shared/contract/machineName'
import { parsePrg } from '@shared/c64/prg'
import { startCommand } from '@shared/c64/programStart'
import { C64 } from '../../src-main/machine/builtin/c64'
import type { Roms } from '../../src-main/machine/builtin/pla'
import { loadRoms } from '../../src-main/machine/builtin/roms'
import { decodeState, encodeState } from '../../src-main/machine/builtin/state'
import { oldRoms, oldState } from '../support/oldStates'
import { readC64bridgeConfig } from '../../src-main/connections/c64bridgeConfig'
import { planRepair, salvageEntries } from '../../src-main/tasks/registryRepair'
import { parseRegistry } from '../../src-main/tasks/registryFile'
import { printRegistry } from '../../src-main/tasks/registryPrinter'
import { answerOf, anyBytes, fuzz, mutated } from './fuzz'

/** `C64File`, a name and the record size. */
const p00Header = (name: Uint8Array): Uint8Array => {
  const header = new Uint8Array(26)
  header.set(new TextEncoder().encode('C64File'))
  header.set(name.subarray(0, 16), 8)
  return header
}

/** 10 SYS 2061, and bytes behind it. */
const basic = uint8Array({ maxLength: 30 }).map((rest) =>
  Uint8Array.of(0x01, 0x08, 0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x31, 0x00, 0x00, 0x00, ...rest),
)

describe('Program files', () => {
  const content = tuple(nat(0xffff), anyBytes(300), boolean(), uint8Array({ maxLength: 16 }))
  fuzz('a PRG or P00 holds what is in it, or is refused', content, ([address, bytes, isP00, name]) => {
    const prg = Uint8Array.of(address & 0xff, address >> 8, ...bytes)
    const program = answerOf(() => parsePrg(isP00 ? Buffer.concat([p00Header(name), prg]) : prg))
    const fits = bytes.length > 0 && address + bytes.length <= 0x10000
    expect(program !== undefined).toBe(fits)
    if (program)
      expect([program.loadAddress, program.end, [...program.bytes]]).toEqual([
        address,
        address + bytes.length,
        [...bytes],
      ])
  })

  fuzz(
    'any file is a program within memory, or is refused',
    oneof(
      anyBytes(70_000),
      mutated(basic),
      mutated(basic.map((prg) => Buffer.concat([p00Header(new Uint8Array(0)), prg]))),
    ),
    (file) => {
      const program = answerOf(() => parsePrg(file))
      if (!program) return
      expect(program.end).toBe(program.loadAddress + program.bytes.length)
      expect(program.end).toBeLessThanOrEqual(0x10000)
      expect(startCommand(program)).toMatch(/^(run|sys\d{1,5}):\n$/)
    },
  )
})

describe('A damaged tasks.json', () => {
  const entries = array(
    record({ id: string({ minLength: 1, maxLength: 20 }), operation: string(), status: string(), args: jsonValue() }),
    { maxLength: 8 },
  ).map((found) => JSON.parse(JSON.stringify(found)) as { id: string; operation: string; status: string }[])
  const registry = entries.map((all) => Buffer.from(printRegistry({ rest: {}, entries: all, others: [] })))

  fuzz('gives back nothing that it did not hold where it is cut', tuple(entries, nat(100)), ([all, percent]) => {
    const text = printRegistry({ rest: {}, entries: all, others: [] })
    const held = all.map((entry) => JSON.stringify(entry))
    const found = salvageEntries(text.slice(0, Math.floor((text.length * percent) / 100)))
    for (const entry of found) expect(held.some((one) => one.includes(JSON.stringify(entry)))).toBe(true)
  })

  fuzz('makes a registry that is whole, whatever it holds', oneof(anyBytes(2000), mutated(registry)), (bytes) => {
    const plan = planRepair(Buffer.from(bytes).toString('utf8'), [])
    const ids = plan.entries.map(({ entry }) => entry.id)
    const written = printRegistry({ rest: {}, entries: plan.entries.map(({ entry }) => entry), others: [] })
    expect([...parseRegistry(written).entries.keys()]).toEqual(ids)
    expect(parseRegistry(written).notices).toEqual([])
  })
})

describe('Saved states', () => {
  let roms: Roms
  let machine: C64
  let good: Uint8Array
  beforeAll(async () => {
    ;({ roms } = await loadRoms(resolve('out/resources/c64'), { kernal: null, basic: null, character: null }))
    machine = new C64(roms, 'pal')
    for (let frame = 0; frame < 5; frame++) machine.runFrame()
    good = encodeState(machine.save(), roms)
  })

  /** Where one to three bytes are changed, and by what. */
  const changes = array(tuple(nat(), integer({ min: 1, max: 0xff })), { minLength: 1, maxLength: 3 })
  const changed = (all: readonly (readonly [place: number, by: number])[]): Uint8Array => {
    const bytes = good.slice()
    for (const [place, by] of all) bytes[place % bytes.length] = (bytes[place % bytes.length] ?? 0) ^ by
    return bytes
  }

  fuzz('one that was changed is refused: it has a checksum', changes, (all) => {
    const bytes = changed(all)
    // Two changes of one byte may cancel each other out.
    const isSame = Buffer.compare(bytes, good) === 0
    expect(answerOf(() => decodeState(bytes, roms)) !== undefined).toBe(isSame)
  })

  fuzz('one that was cut or has something behind it is refused', tuple(nat(), boolean()), ([place, longer]) => {
    const bytes = longer
      ? Buffer.concat([good, new Uint8Array(1 + (place % 100))])
      : good.subarray(0, place % good.length)
    expect(answerOf(() => decodeState(bytes, roms))).toBeUndefined()
  })

  // The chips' states, with the checksum mended: a number in them is replaced.
  const numbers = array(tuple(nat(), oneof(nat(0xffff), integer(), constantFrom(1e300, -1, 0.5, 2 ** 53))), {
    minLength: 1,
    maxLength: 3,
  })
  const withNumbers = (state: Uint8Array, all: readonly (readonly [which: number, by: number])[]): Uint8Array => {
    const length = new DataView(state.buffer, state.byteOffset).getUint32(14, true)
    let json = new TextDecoder().decode(state.subarray(18, 18 + length))
    for (const [which, number] of all) {
      const places = [...json.matchAll(/[:,[](-?\d+)/g)]
      const place = places[which % places.length]
      if (place?.[1] === undefined) continue
      const at = place.index + 1
      json = json.slice(0, at) + String(number) + json.slice(at + place[1].length)
    }
    const chips = new TextEncoder().encode(json)
    const bytes = Buffer.concat([state.subarray(0, 18), chips, state.subarray(18 + length)])
    bytes.writeUInt32LE(chips.length, 14)
    bytes.writeUInt32LE(crc32(bytes.subarray(14)), 10)
    return bytes
  }

  fuzz('one with other chips’ states is refused or runs', numbers, (all) => {
    const state = answerOf(() => decodeState(withNumbers(good, all), roms))
    if (!state) return
    expect([state.ram.length, state.colorRam.length]).toEqual([0x10000, 0x400])
    machine.restore(state)
    machine.runFrame()
  })

  const old = { state: oldState('timers'), roms: oldRoms() }
  fuzz('one of 0.1 with other chips’ states is refused or runs', numbers, (all) => {
    const state = answerOf(() => decodeState(withNumbers(old.state, all), old.roms))
    if (!state) return
    const resumed = new C64(old.roms, state.chips.standard)
    resumed.restore(state)
    resumed.runFrame()
  })

  fuzz('any bytes are refused', anyBytes(300), (bytes) => {
    expect(answerOf(() => decodeState(bytes, roms))).toBeUndefined()
  })
})

describe('Machine names', () => {
  const text = array(
    oneof(
      constantFrom(
        'vice',
        'ultimate',
        'teensyrom',
        'easyflash',
        'stub',
        'builtin',
        ':',
        '@',
        '[',
        ']',
        '::1',
        'localhost',
        '/dev/ttyACM0',
        'COM3',
        '80',
        '65535',
        '38400',
        '.',
      ),
      string({ maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  fuzz(
    'any name is a machine’s with one canonical spelling, or none',
    text.map((parts) => parts.join('')),
    (name) => {
      const address = readMachineName(name)
      if (address) expect(readMachineName(canonicalMachineName(address))).toEqual(address)
    },
  )
})

describe('c64bridge configuration', () => {
  const entry = record(
    {
      host: constantFrom('c64u', '10.0.0.1', '', '::1'),
      port: oneof(nat(0xffff), constantFrom(-1, 1.5)),
      networkPassword: string(),
    },
    { requiredKeys: [] },
  )
  const good = record({ c64u: entry, vice: entry }, { requiredKeys: [] }).map((value) =>
    new TextEncoder().encode(JSON.stringify(value)),
  )
  const environment = record(
    {
      C64U_HOST: string(),
      C64U_PORT: oneof(nat(0x1ffff).map(String), string()),
      C64U_PASSWORD: string(),
      VICE_PORT: string(),
    },
    { requiredKeys: [] },
  )
  fuzz(
    'any file and environment is read, or what is wrong with it is told',
    tuple(oneof(good, mutated(good), anyBytes(300)), environment),
    ([bytes, variables]) => {
      answerOf(() => readC64bridgeConfig(new TextDecoder().decode(bytes), '.c64bridge.json', variables))
    },
  )
})
