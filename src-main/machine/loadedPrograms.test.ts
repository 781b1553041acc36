import { describe, expect, it } from 'vitest'
import { idleStatus, type Machine } from './machine'
import { loadedInto, resetMachine, runProgram } from './loadedPrograms'

const never = new AbortController().signal
const prg = (name: string, start: number) => ({
  name,
  path: `/${name}`,
  bytes: Uint8Array.of(start & 0xff, start >> 8, 1, 2),
})

const done = () => Promise.resolve()

function machine(keepsMemory: boolean, run: () => Promise<void> = done): Machine {
  return {
    name: 'builtin',
    kind: 'builtin',
    unsupported: {},
    status: idleStatus('A C64'),
    onStatus: () => () => undefined,
    onSample: () => () => undefined,
    connect: done,
    disconnect: done,
    setSampling: done,
    readMemory: () => Promise.resolve(new Uint8Array()),
    writeMemory: done,
    programs: { run, keepsMemory },
    execution: { pause: done, resume: done, reset: done },
  }
}
const names = (of: Machine) => loadedInto(of).list.map(({ name, start, bytes }) => [name, start, bytes.length])

describe('what was loaded into a machine', () => {
  it('is its programs, each with where it lies, until it is reset', async () => {
    const c64 = machine(true)
    await runProgram(c64, prg('one.prg', 0x0801), never)
    await runProgram(c64, prg('two.prg', 0xc000), never)
    expect(names(c64)).toEqual([
      ['one.prg', 0x0801, 2],
      ['two.prg', 0xc000, 2],
    ])
    await resetMachine(c64, 'soft', never)
    expect(names(c64)).toEqual([])
  })

  it('is the last program alone where it is switched off and on for each', async () => {
    const c64 = machine(false)
    await runProgram(c64, prg('one.prg', 0x0801), never)
    await runProgram(c64, prg('two.prg', 0xc000), never)
    expect(names(c64)).toEqual([['two.prg', 0xc000, 2]])
    await runProgram(c64, prg('game.d64', 0), never)
    expect(names(c64)).toEqual([])
  })

  it('is nothing of a program that could not be run', async () => {
    const c64 = machine(true, () => Promise.reject(new Error('no')))
    await expect(runProgram(c64, prg('one.prg', 0x0801), never)).rejects.toThrow('no')
    expect(names(c64)).toEqual([])
  })

  it('is notified when it changes, and when it is gone', async () => {
    const c64 = machine(false)
    let changes = 0
    const stop = loadedInto(c64).onChange(() => changes++)
    await runProgram(c64, prg('one.prg', 0x0801), never)
    loadedInto(c64).forget()
    loadedInto(c64).forget()
    stop()
    expect(changes).toBe(2)
  })
})
