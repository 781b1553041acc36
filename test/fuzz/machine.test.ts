/** The built-in C64 with any bytes in its memory: no program takes it out of its bounds, and no state fails to go on. */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import {
  array,
  boolean,
  constantFrom,
  double,
  integer,
  maxSafeInteger,
  nat,
  oneof,
  option,
  record,
  tuple,
  type Arbitrary,
} from 'fast-check'
import { beforeAll, describe, expect } from 'vitest'
import { ciaModels, videoStandards, vicModels } from '@shared/contract/machine'
import { C64 } from '../../src-main/machine/builtin/c64'
import { Checkpoints } from '../../src-main/machine/builtin/checkpoints'
import type { Roms } from '../../src-main/machine/builtin/pla'
import { cyclesPerFrame } from '../../src-main/machine/builtin/raster'
import { decodeState, encodeState } from '../../src-main/machine/builtin/state'
import { readRoms } from '../support/ownRoms'
import { answerOf, fuzz, noise, randomNumbers } from './fuzz'

/** A case runs machines for half a million cycles, where others parse a few bytes. */
const WEIGHT = 20
/** The longest that an instruction takes, with all that the VIC-II can take from it on the way. */
const LONGEST_INSTRUCTION = 200

let ownRoms: Roms
beforeAll(() => {
  execFileSync(process.execPath, [resolve('scripts/assemble.mjs')])
  ownRoms = readRoms()
})

const JAMS = [0x02, 0x12, 0x22, 0x32, 0x42, 0x52, 0x62, 0x72, 0x92, 0xb2, 0xd2, 0xf2]
/** Instructions with an absolute address: loads, stores, and those that read, write and write again. */
const ABSOLUTE = [
  0xad, 0x8d, 0x9d, 0x99, 0xbd, 0xee, 0xce, 0x0e, 0x6e, 0xfe, 0x8f, 0xef, 0x2c, 0x4c, 0x6c, 0x20, 0x9f, 0x9c,
]
const CHIPS = [0xd0, 0xd0, 0xd4, 0xd8, 0xdc, 0xdc, 0xdd, 0xdd, 0xdf, 0x00]

type Kind = 'noise' | 'noJams' | 'chips' | 'same'

/** 64 KiB of code: anything, anything that no jam ends at once, much that reaches for the chips, or one byte throughout. */
function memory(kind: Kind, seed: number): Uint8Array {
  const next = randomNumbers(seed)
  if (kind === 'same') return new Uint8Array(0x10000).fill(next())
  const bytes = Uint8Array.from({ length: 0x10000 }, next)
  if (kind === 'noise') return bytes
  for (let at = 0; at < bytes.length; at++) if (JAMS.includes(bytes[at] ?? 0)) bytes[at] = 0xea
  const pick = (from: readonly number[]): number => from[next() % from.length] ?? 0
  if (kind === 'chips')
    for (let at = 0x0300; at < 0xfff0; at += 3 + (next() % 6))
      bytes.set([pick(ABSOLUTE), next() & (next() % 3 === 0 ? 0x01 : 0x1f), pick(CHIPS)], at)
  return bytes
}

const anyMachine = record({
  standard: constantFrom(...videoStandards),
  models: record({ ciaModel: constantFrom(...ciaModels), vicModel: constantFrom(...vicModels) }),
  /** The seed of ROMs that are no ROMs; null is our own. */
  noisyRoms: option(integer(), { freq: 3 }),
  kind: constantFrom<Kind>('noise', 'noJams', 'chips', 'chips', 'same'),
  seed: integer(),
  cpu: record({
    pc: oneof(
      nat(0xffff),
      nat(0x1ff).map((low) => 0xcf00 + low),
    ),
    a: nat(0xff),
    x: nat(0xff),
    y: nat(0xff),
    sp: nat(0xff),
    flags: nat(0xff),
  }),
  port: tuple(nat(0xff), nat(0xff)),
  /** What is written to the chips before: registers of VIC-II and CIAs. */
  chips: array(tuple(constantFrom(0xd000, 0xdc00, 0xdd00), nat(0x3f), nat(0xff)), { maxLength: 24 }),
})
type AnyMachine = typeof anyMachine extends Arbitrary<infer Value> ? Value : never

const romsOf = ({ noisyRoms: seed }: AnyMachine): Roms =>
  seed === null
    ? ownRoms
    : { kernal: noise(seed, 0x2000), basic: noise(seed + 1, 0x2000), character: noise(seed + 2, 0x1000) }

/** Two machines in the same state. */
function setUp(any: AnyMachine, roms: Roms): [C64, C64] {
  const { standard, models, kind, seed, cpu, port, chips } = any
  const pair: [C64, C64] = [new C64(roms, standard, models), new C64(roms, standard, models)]
  const ram = memory(kind, seed)
  const image = pair[0].save()
  for (const machine of pair) {
    machine.restore({ ...image, ram, chips: { ...image.chips, cpu: { ...image.chips.cpu, ...cpu } } })
    machine.space.write(0, port[0])
    machine.space.write(1, port[1])
    for (const [chip, register, value] of chips) machine.writeIo(chip + register, value)
  }
  return pair
}

const stateOf = (machine: C64, roms: Roms): Uint8Array<ArrayBuffer> => encodeState(machine.save(), roms)

/** Runs frames, which are as long as frames are, give or take the instructions at their ends. */
function runFrames(machine: C64, count: number, checkpoints?: Checkpoints): void {
  const cycles = cyclesPerFrame(machine.standard)
  for (let frame = 0; frame < count; frame++) {
    const before = machine.clock
    machine.runFrame(checkpoints)
    const taken = machine.clock - before
    expect(taken).toBeLessThan(cycles + LONGEST_INSTRUCTION)
    if (!checkpoints && frame > 0) expect(taken).toBeGreaterThan(cycles - LONGEST_INSTRUCTION)
  }
}

describe('The built-in C64', () => {
  fuzz(
    'with any memory and any registers keeps within its bounds, and a saved state goes on just as the machine itself',
    anyMachine,
    (any) => {
      const roms = romsOf(any)
      const [machine, resumed] = setUp(any, roms)
      runFrames(machine, 2)
      const state = stateOf(machine, roms)
      resumed.restore(decodeState(state, roms))
      expect(Buffer.compare(stateOf(resumed, roms), state)).toBe(0)
      for (const one of [machine, resumed]) {
        one.step(50)
        runFrames(one, 2)
      }
      expect(resumed.clock).toBe(machine.clock)
      expect(Buffer.compare(stateOf(resumed, roms), stateOf(machine, roms))).toBe(0)
      expect(Buffer.compare(resumed.picture().pixels, machine.picture().pixels)).toBe(0)
    },
    WEIGHT,
  )

  fuzz(
    'with any memory takes looking at it, a checkpoint and a reset, at any time',
    tuple(anyMachine, nat(0xffff), nat(0xff)),
    ([any, start, length]) => {
      const roms = romsOf(any)
      const [machine, twin] = setUp(any, roms)
      const checkpoints = new Checkpoints()
      const end = Math.min(0xffff, start + length)
      const one = { start, end, stop: true, enabled: true, temporary: false, condition: null, fromHit: 1, log: null }
      checkpoints.set({ ...one, operations: ['exec', 'load', 'store'] })
      runFrames(machine, 3, checkpoints)
      for (let steps = 0; twin.clock < machine.clock; steps++) {
        if (steps % 200 === 0) twin.peekCpu()
        twin.step(1)
      }
      for (const one of [machine, twin]) one.peekIo()
      expect(Buffer.compare(stateOf(twin, roms), stateOf(machine, roms))).toBe(0)
      machine.reset('soft')
      expect(machine.jam).toBeNull()
      expect(machine.cpu.pc).toBe((roms.kernal[0x1ffc] ?? 0) | ((roms.kernal[0x1ffd] ?? 0) << 8))
    },
    WEIGHT,
  )

  const anyValue = oneof(
    nat(0xff),
    nat(0xffff),
    integer(),
    maxSafeInteger(),
    boolean(),
    double(),
    constantFrom(null, -1),
  )
  const changes = array(tuple(nat(), anyValue), { minLength: 1, maxLength: 4 })
  fuzz(
    'with any values in a saved state refuses it, or goes on from it within its bounds',
    tuple(anyMachine, changes),
    ([any, changed]) => {
      const roms = romsOf(any)
      const [machine] = setUp(any, roms)
      runFrames(machine, 1)
      const image = machine.save()
      for (const [place, value] of changed) replaceLeaf(image.chips, place, value)
      const restored = answerOf(() => decodeState(encodeState(image, roms), roms))
      if (!restored) return
      const resumed = new C64(roms, restored.chips.standard, restored.chips)
      resumed.restore(restored)
      resumed.peekCpu()
      resumed.step(3)
      const cycles = cyclesPerFrame(resumed.standard)
      for (let frame = 0; frame < 2; frame++) {
        const before = resumed.clock
        resumed.runFrame()
        expect(resumed.clock - before).toBeLessThan(2 * cycles)
        decodeState(stateOf(resumed, roms), roms)
      }
    },
    WEIGHT,
  )
})

/** Puts a value in one of the places of an object where there is a number, a word or a truth value; a list is one place. */
function replaceLeaf(object: object, place: number, value: unknown): void {
  const leaves: [object, string][] = []
  const walk = (from: object): void => {
    const entries = Object.entries(from) as [string, unknown][]
    for (const [key, inner] of Array.isArray(from) ? [entries[place % entries.length] ?? ['0', 0]] : entries) {
      if (typeof inner === 'object' && inner !== null) walk(inner)
      else leaves.push([from, key])
    }
  }
  walk(object)
  const [holder, key] = leaves[place % leaves.length] ?? [object, '']
  Reflect.set(holder, key, value)
}
