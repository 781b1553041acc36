/**
 * One list of what every machine does, whatever its driver: what it can, and what it refuses. Each driver's own tests say
 * the rest.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { capabilities, type Capability } from '@shared/contract/machine'
import { toFailure, type ErrorCode } from '@shared/contract/errors'
import { facetOf, type FacetCapability } from '../../src-main/machine/facets'
import {
  describeCapabilities,
  requireFacet,
  type Machine,
  type Sample,
  type SampleRequest,
} from '../../src-main/machine/machine'

const hasFacet = (capability: Capability): capability is FacetCapability => Object.hasOwn(facetOf, capability)

export interface Subject {
  readonly machine: Machine
  /** How the device is lost: killed, unplugged or switched off; and how it is there again under the same name. */
  readonly loss?: { goAway(): Promise<void>; comeBack(): Promise<void> }
  /** The device takes what is said and answers nothing, until it is let go on. Missing where nothing can hold it up. */
  readonly hang?: () => Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** Where every machine has RAM that nothing runs in. */
const SCRATCH = 0xc000

const soon = (): AbortSignal => AbortSignal.timeout(60_000)
const everything: SampleRequest = { mode: 'free', rate: 20, spaces: ['cpu', 'ram', 'colorRam'], picture: true }
const nothing: SampleRequest = { mode: 'off', rate: 1, spaces: [], picture: false }

/** 10 SYS 2061, and a program that turns the border green and stays: LDA #$05; STA $D020; JMP $0812. */
const greenBorder = Uint8Array.of(
  0x01,
  0x08,
  0x0b,
  0x08,
  0x0a,
  0x00,
  0x9e,
  0x32,
  0x30,
  0x36,
  0x31,
  0x00,
  0x00,
  0x00,
  0xa9,
  0x05,
  0x8d,
  0x20,
  0xd0,
  0x4c,
  0x12,
  0x08,
)

export function conforms(name: string, start: () => Promise<Subject>): void {
  describe(`${name} is a machine like every other:`, () => {
    let subject: Subject
    let machine: Machine
    let samples: Sample[]
    let folder: string

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'bridgedeck-conformance-'))
      subject = await start()
      machine = subject.machine
      samples = []
      machine.onSample((sample) => void samples.push(sample))
      await machine.connect(soon())
    })
    afterAll(async () => {
      await machine.disconnect()
      await subject.stop()
      await rm(folder, { recursive: true })
    })

    const can = (capability: Capability): boolean => describeCapabilities(machine)[capability] === null
    const read = (address: number, length: number, space: 'cpu' | 'ram' = 'cpu') =>
      machine.readMemory({ space, address, length }, soon())
    const write = (address: number, bytes: Uint8Array) => machine.writeMemory('cpu', address, bytes, soon())
    /** For what this machine cannot do: then that is what is tested. */
    const refuses = (capability: FacetCapability): void => {
      expect(() => requireFacet(machine, capability)).toThrow(describeCapabilities(machine)[capability] ?? '')
    }
    const codeOf = (promise: Promise<unknown>): Promise<ErrorCode | 'done'> =>
      promise.then(
        () => 'done' as const,
        (error: unknown) => toFailure(error).code,
      )
    const untilLost = () => expect.poll(() => machine.status.connection, { timeout: 60_000 }).toBe('lost')

    it('is live once it is connected, and connecting again changes nothing', async () => {
      expect(machine.status).toMatchObject({ connection: 'live', reason: null })
      await machine.connect(soon())
      expect(machine.status.connection).toBe('live')
    })

    it('says of each thing that it cannot do why, in a sentence, and refuses it with those words', () => {
      const all = describeCapabilities(machine)
      for (const capability of capabilities) {
        const limit = all[capability]
        if (limit !== null) expect(limit, capability).toMatch(/^\S.{15,}[.!]$/s)
      }
      for (const capability of capabilities) {
        if (!hasFacet(capability)) continue
        const limit = all[capability]
        const ask = () => requireFacet(machine, capability)
        if (limit === null) expect(ask, `${capability} has its ${facetOf[capability]}`).not.toThrow()
        else expect(ask, capability).toThrow(limit)
      }
    })

    it('gives back what was written, in all sizes', async () => {
      if (!can('writeMemory') || !can('readMemory')) {
        expect(await codeOf(read(SCRATCH, 1))).toBe('UNSUPPORTED')
        expect(await codeOf(write(SCRATCH, Uint8Array.of(1)))).toBe('UNSUPPORTED')
        return
      }
      for (const length of [1, 2, 127, 128, 129, 256, 1000]) {
        const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + length) & 0xff)
        await write(SCRATCH, bytes)
        expect(Buffer.compare(await read(SCRATCH, length), bytes), `${length} bytes`).toBe(0)
      }
    })

    it('answers questions that come at once, each with its own bytes', async () => {
      if (!can('writeMemory') || !can('readMemory')) return
      const bytes = Uint8Array.from({ length: 64 }, (_, index) => index)
      await write(SCRATCH, bytes)
      const answers = await Promise.all(Array.from(bytes, (_, index) => read(SCRATCH + index, 1)))
      expect(answers.map(([byte]) => byte)).toEqual([...bytes])
    })

    it('reaches RAM under ROM, or says that it does not', async () => {
      if (!can('readMemory')) return
      if (!can('ramUnderRom')) {
        expect(await codeOf(read(0xe000, 16, 'ram'))).toBe('UNSUPPORTED')
        return
      }
      const rom = await read(0xe000, 16)
      const hidden = rom.map((byte) => ~byte & 0xff)
      await machine.writeMemory('ram', 0xe000, hidden, soon())
      expect(Buffer.compare(await read(0xe000, 16, 'ram'), hidden)).toBe(0)
      expect(Buffer.compare(await read(0xe000, 16), rom)).toBe(0)
    })

    it('refuses a range past the end of memory, and goes on', async () => {
      if (!can('readMemory')) return
      expect(await codeOf(read(0xfff0, 17))).toBe('INVALID')
      expect((await read(0xfff0, 16)).byteLength).toBe(16)
    })

    it('pauses and goes on', async () => {
      if (!can('pause')) {
        refuses('pause')
        return
      }
      const execution = requireFacet(machine, 'pause')
      await execution.pause(soon())
      await expect.poll(() => machine.status.execution).toBe('paused')
      await execution.resume(soon())
      await expect.poll(() => machine.status.execution).toBe('running')
    })

    it('types text', async () => {
      if (!can('typeText')) {
        refuses('typeText')
        return
      }
      await requireFacet(machine, 'typeText').typeText('a', soon())
    })

    it('samples no byte that is not there, and nothing when nothing is wanted', async () => {
      if (!can('readMemory') || !can('writeMemory')) return
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index ^ 0x5a)
      await write(SCRATCH, bytes)
      samples.length = 0
      await machine.setSampling(everything)
      const seen = (): Buffer | undefined => {
        const segment = samples
          .flatMap(({ segments }) => segments)
          .findLast(
            ({ space, address, bytes: { byteLength } }) =>
              space === 'cpu' && address <= SCRATCH && address + byteLength >= SCRATCH + 256,
          )
        return (
          segment && Buffer.from(segment.bytes.subarray(SCRATCH - segment.address, SCRATCH - segment.address + 256))
        )
      }
      await expect.poll(() => seen()?.equals(bytes), { timeout: 60_000 }).toBe(true)
      await machine.setSampling(nothing)
      const before = samples.length
      // Several times what lies between two samples of any machine: nothing tells of one that is not taken.
      await new Promise((done) => setTimeout(done, 300))
      expect(samples.length - before).toBeLessThanOrEqual(1)
    })

    it('lets go of what is no longer waited for, and answers the next question', async () => {
      if (!can('readMemory')) return
      expect(
        await codeOf(machine.readMemory({ space: 'cpu', address: SCRATCH, length: 4096 }, AbortSignal.abort())),
      ).toBe('CANCELLED')
      const abort = new AbortController()
      const given = codeOf(machine.readMemory({ space: 'cpu', address: SCRATCH, length: 4096 }, abort.signal))
      abort.abort()
      expect(['CANCELLED', 'done']).toContain(await given)
      expect((await read(SCRATCH, 4)).byteLength).toBe(4)
    })

    it('ends a wait at its deadline when the device hangs, and is there again when that goes on', async () => {
      if (!subject.hang || !can('readMemory')) return
      const letGo = await subject.hang()
      try {
        const code = await codeOf(
          machine.readMemory({ space: 'cpu', address: SCRATCH, length: 16 }, AbortSignal.timeout(700)),
        )
        expect(['TIMEOUT', 'CANCELLED', 'LOST']).toContain(code)
      } finally {
        await letGo()
      }
      await expect
        .poll(
          async () => {
            if (machine.status.connection === 'lost') await machine.connect(soon()).catch(() => undefined)
            return codeOf(read(SCRATCH, 4))
          },
          { timeout: 60_000 },
        )
        .toBe('done')
    })

    it('loads and runs a program', async () => {
      if (!can('runProgram')) {
        refuses('runProgram')
        return
      }
      // VICE reads the file itself.
      const path = join(folder, 'green.prg')
      await writeFile(path, greenBorder)
      await requireFacet(machine, 'runProgram').run({ name: 'green.prg', path, bytes: greenBorder }, soon())
      if (can('readMemory')) await expect.poll(async () => (await read(0x080d, 4))[1], { timeout: 60_000 }).toBe(0x05)
    })

    it('resets', async () => {
      if (!can('reset')) {
        refuses('reset')
        return
      }
      await requireFacet(machine, 'reset').reset('soft', soon())
      if (can('readMemory')) await expect.poll(() => codeOf(read(SCRATCH, 4)), { timeout: 60_000 }).toBe('done')
    })

    it('is lost with a reason when the device goes away, and live when it is back', async () => {
      if (!subject.loss) return
      await machine.setSampling(everything)
      await subject.loss.goAway()
      if (can('readMemory')) await codeOf(read(SCRATCH, 4))
      await untilLost()
      expect(machine.status.reason).toMatch(/^\S.{10,}[.!]$/s)
      expect(['LOST', 'UNREACHABLE', 'UNSUPPORTED']).toContain(await codeOf(read(SCRATCH, 4)))
      await subject.loss.comeBack()
      await expect
        .poll(
          () =>
            machine.connect(soon()).then(
              () => machine.status.connection,
              (error: unknown) => toFailure(error).message,
            ),
          { timeout: 60_000 },
        )
        .toBe('live')
      if (can('readMemory')) expect((await read(SCRATCH, 4)).byteLength).toBe(4)
    })

    it('is idle once it is disconnected, and refuses until it is connected again', async () => {
      await machine.disconnect()
      expect(machine.status.connection).toBe('idle')
      expect(['LOST', 'UNSUPPORTED']).toContain(await codeOf(read(SCRATCH, 4)))
      await machine.connect(soon())
      expect(machine.status.connection).toBe('live')
    })
  })
}
