/** The comparison with x64sc notices what it is there for: here a built-in C64 is compared with one that was tampered with. */
import { disassemble } from '@shared/c64/disassembler'
import { describe, expect, it } from 'vitest'
import { createBuiltin } from '../support/oracle/builtin'
import { compareAll, describeDifference, shrink, type Machines } from '../support/oracle/compare'
import { cpuCase, interruptCase, opcodes } from '../support/oracle/cpuCases'
import { buildImage } from '../support/oracle/image'
import type { TestedMachine } from '../support/oracle/machine'
import { quietSetup, type Block, type Case } from '../support/oracle/program'
import { randomTemplate } from '../support/oracle/template'

const template = randomTemplate(1)
const registers = { a: 0x12, x: 0x34, y: 0x56, s: 0x08, p: 0x24 }
const NOP = [0xea]
const INC_DATA = [0xee, 0xd0, 0x2f]
const DEC_DATA = [0xce, 0xd0, 0x2f]
const JAM = [0x02]

/** Where the cases lie, as in runner.asm. */
const CASES = 0x3100
const RESULTS = 0x8000

const caseOf = (...blocks: Block[]): Case => ({ registers, setup: quietSetup, blocks })
const beside = (builtin: TestedMachine): Machines => ({ builtin, vice: createBuiltin() })

/** Finds other bytes in its memory than it was given. */
const tampered = (change: (ram: Uint8Array) => void): TestedMachine => {
  const machine = createBuiltin()
  return {
    ...machine,
    run(image) {
      const ram = image.slice()
      change(ram)
      return machine.run(ram)
    },
  }
}

/** Executes one instruction as another. */
const confusing = (instruction: readonly number[], other: readonly number[]): TestedMachine =>
  tampered((ram) => {
    const cases = ram.subarray(CASES, RESULTS)
    const at = cases.findIndex((_, start) => instruction.every((byte, index) => cases[start + index] === byte))
    if (at >= 0) cases.set(other, at)
  })

describe('the comparison of two machines', () => {
  it('finds no difference where there is none, wherever the raster is', async () => {
    const cases = Array.from({ length: 400 }, (_, index) => interruptCase(1, index, template))
    const ahead = createBuiltin()
    await ahead.run(buildImage([cpuCase(1, 0, template)], template).ram)
    expect(await compareAll(beside(ahead), cases, template)).toEqual([])
  })

  it('finds the one case that differs, and what differs in it', async () => {
    const cases = [caseOf(NOP), caseOf(NOP, INC_DATA), caseOf(NOP)]
    const machines = beside(confusing(INC_DATA, DEC_DATA))
    const [difference, ...others] = await compareAll(machines, cases, template)
    expect(others).toEqual([])
    expect(difference?.index).toBe(1)
    expect(difference && describeDifference(difference)).toMatch(/^≠ \$2FD0 /m)
  })

  it('finds an instruction that takes a cycle less', async () => {
    const cases = [caseOf([0x24, 0xe0])]
    const [difference] = await compareAll(beside(confusing([0x24, 0xe0], [0x80, 0xe0])), cases, template)
    expect(difference && describeDifference(difference)).toMatch(/^≠ stopwatch /m)
  })

  it('makes a case that differs as small as it goes', async () => {
    const cases = [caseOf(NOP, NOP, INC_DATA, NOP)]
    const machines = beside(confusing(INC_DATA, DEC_DATA))
    const [difference] = await compareAll(machines, cases, template)
    expect(difference && (await shrink(machines, difference, template)).tried.blocks).toEqual([INC_DATA])
  })

  it('says on which case the built-in C64 stops, and goes on behind it', async () => {
    const cases = [caseOf(NOP), caseOf(NOP, INC_DATA), caseOf(NOP)]
    const machines = beside(confusing(INC_DATA, [...JAM, 0xd0, 0x2f]))
    const found = await compareAll(machines, cases, template)
    expect(found.map(({ index, builtin }) => [index, typeof builtin])).toEqual([[1, 'string']])
  })

  it('finds a write to where no case writes', async () => {
    const machines = beside(tampered((ram) => void (ram[0x0200] = 1)))
    await expect(compareAll(machines, [caseOf(NOP)], template)).rejects.toThrow('$0200')
  })
})

describe('random cases', () => {
  it('are the same for the same seed, and others for another', () => {
    expect(cpuCase(7, 3, template)).toEqual(cpuCase(7, 3, template))
    expect(cpuCase(7, 3, template)).not.toEqual(cpuCase(8, 3, template))
    expect(cpuCase(7, 3, template)).not.toEqual(cpuCase(7, 4, template))
  })

  it('have every opcode that does not stop the CPU', () => {
    const cases = Array.from({ length: 3000 }, (_, index) => cpuCase(1, index, template))
    const first = new Set(cases.flatMap(({ blocks }) => blocks.flatMap(opcodesIn)))
    expect(opcodes.filter((opcode) => !first.has(opcode))).toEqual([])
    for (const jam of [0x02, 0x12, 0x92, 0xf2]) expect(first.has(jam)).toBe(false)
  })
})

/** The opcodes of a block, with zeros for addresses. */
function opcodesIn(block: Block): number[] {
  const bytes = block.map((item) => (typeof item === 'number' ? item : 0))
  const found: number[] = []
  for (let at = 0; at < bytes.length;) {
    const { bytes: instruction } = disassemble((address) => bytes[address] ?? 0, at)
    found.push(bytes[at] ?? 0)
    at += instruction.length
  }
  return found
}
