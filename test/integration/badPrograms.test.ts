/** Programs that do everything wrong: they fail in the C64, and nothing around it fails with them. */
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { screenToText } from '@shared/c64/screenCodes'
import { defaultHistory, defaultModels, videoStandards } from '@shared/contract/machine'
import { startProgram } from '../../src-main/machine/builtin/autostart'
import { C64 } from '../../src-main/machine/builtin/c64'
import { BuiltinMachine } from '../../src-main/machine/builtin/driver'
import { cyclesPerFrame } from '../../src-main/machine/builtin/raster'
import { decodeState, encodeState } from '../../src-main/machine/builtin/state'
import { badPrograms } from '../support/badPrograms'
import { readRoms } from '../support/ownRoms'

const resources = resolve('out/resources/c64')

describe.each(videoStandards)('in a %s machine', (standard) => {
  it.each(badPrograms)(
    '$name: frames stay as long as they are, and a saved state goes on just so',
    ({ file, jams }) => {
      const roms = readRoms()
      const machine = new C64(roms, standard)
      startProgram(machine, file)
      const frame = cyclesPerFrame(standard)
      for (let count = 0; count < 60; count++) {
        const before = machine.clock
        machine.runFrame()
        expect(Math.abs(machine.clock - before - frame)).toBeLessThan(200)
      }
      if (jams) expect(machine.jam).toMatch(/^The CPU stopped at \$[0-9A-F]{4}: opcode \$02 \(JAM\) halts a 6510\.$/)
      const resumed = new C64(roms, standard)
      const state = encodeState(machine.save(), roms)
      resumed.restore(decodeState(state, roms))
      for (const one of [machine, resumed]) {
        one.step(100)
        for (let count = 0; count < 3; count++) one.runFrame()
      }
      expect(resumed.save()).toEqual(machine.save())
    },
  )
})

describe('in the worker', () => {
  const signal = new AbortController().signal
  let machine: BuiltinMachine
  beforeAll(async () => {
    machine = new BuiltinMachine({
      workerPath: resolve('out/main/builtinWorker.cjs'),
      resources,
      roms: { kernal: null, basic: null, character: null },
      standard: 'pal',
      models: { ...defaultModels, ciaModel: '6526' },
      history: defaultHistory,
      statePath: null,
      autorun: null,
    })
    await machine.connect(signal)
  })
  afterAll(() => machine.disconnect())

  const screen = async () =>
    screenToText(await machine.readMemory({ space: 'ram', address: 0x0400, length: 1000 }, signal), 'upper').join('\n')

  describe.each([false, true])('with warp %s', (warp) => {
    beforeAll(() => machine.speed.setWarp(warp, signal))

    const programs = warp ? badPrograms : badPrograms.filter(({ jams }, index) => jams || index % 8 === 0)
    it.each(programs)('$name: pause, step, look, save and reset are answered', async ({ file, jams }) => {
      await machine.programs.run({ name: 'bad.prg', path: '', bytes: file }, signal)
      if (jams) await expect.poll(() => machine.status.execution).toBe('jammed')
      else await expect.poll(screen).not.toMatch(/READY\.\s*$/)
      expect(await machine.registers.read(signal)).toHaveLength(10)
      expect((await machine.readMemory({ space: 'cpu', address: 0, length: 0x10000 }, signal)).length).toBe(0x10000)
      if (machine.status.execution === 'running') {
        await machine.execution.pause(signal)
        await machine.stepping.step(3, true, signal).catch(() => undefined)
      }
      const state = await machine.state.save(0, signal)
      await machine.state.load(state, signal)
      await machine.execution.reset('power', signal)
      if (machine.status.execution === 'paused') await machine.execution.resume(signal)
      await expect.poll(screen).toContain('READY.')
      expect(machine.status).toMatchObject({ connection: 'live', execution: 'running', reason: null })
    })
  })

  it('sixty checkpoints that count every access: what is asked is answered after a few frames', async () => {
    const counting = {
      start: 0,
      end: 0xffff,
      stop: false,
      enabled: true,
      temporary: false,
      condition: null,
      fromHit: 1,
      log: null,
    }
    for (let count = 0; count < 60; count++)
      await machine.checkpoints.set({ ...counting, operations: ['exec', 'load', 'store'] }, signal)
    await machine.speed.setWarp(false, signal)
    let frames = 0
    const stop = machine.onSample(() => frames++)
    await machine.setSampling({ mode: 'free', rate: 50, spaces: ['io'], picture: false })
    await expect.poll(() => frames).toBeGreaterThan(2)
    const before: number[] = []
    while (before.length < 4) {
      frames = 0
      await machine.readMemory({ space: 'ram', address: 0, length: 1 }, signal)
      before.push(frames)
    }
    stop()
    expect(Math.max(...before)).toBeLessThan(5)
  })
})
