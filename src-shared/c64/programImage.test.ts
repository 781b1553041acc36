import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diskImage, tapeImage } from '../../test/support/diskImage'
import { hasListedPrograms, imagePrograms } from './programImage'

const prg = (length: number, start = 0x0801): number[] => [
  start & 0xff,
  start >> 8,
  ...Array.from({ length }, (_, n) => n & 0xff),
]
const files = [
  { name: 'GAME', bytes: prg(1000) },
  { name: 'SCORES', bytes: prg(10), type: 1 },
  { name: 'LEVEL 1', bytes: prg(252, 0xc000) },
]
const listed = (name: string, image: Uint8Array) =>
  imagePrograms(name, image).map(({ name, bytes }) => ({ name, bytes: [...bytes] }))
const programs = files.filter(({ type }) => type === undefined).map(({ name, bytes }) => ({ name, bytes }))

describe('an image', () => {
  it('of a disk lists its programs, byte for byte, and not its other files', () => {
    expect(listed('game.d64', diskImage(files))).toEqual(programs)
  })

  it('of a disk has as many programs as its directory, over several sectors', () => {
    const many = Array.from({ length: 20 }, (_, n) => ({ name: `PART ${n}`, bytes: prg(n + 1) }))
    expect(listed('many.D64', diskImage(many))).toEqual(many)
  })

  it('of a disk is the same with a byte of errors for each sector, and with 40 tracks', () => {
    const image = diskImage(files)
    for (const size of [175_531, 196_608]) {
      const longer = new Uint8Array(size)
      longer.set(image)
      expect(listed('a.d64', longer)).toEqual(programs)
    }
  })

  it('of a tape lists its programs, also where every end is $C3C6', () => {
    for (const end of [undefined, 0xc3c6]) expect(listed('a.t64', tapeImage(files.slice(0, 1), end))).toHaveLength(1)
    const two = [programs[0], programs[1]].flatMap((program) => program ?? [])
    expect(listed('a.t64', tapeImage(two, 0xc3c6))).toEqual(two)
  })

  it('that is cut short or none at all is refused', () => {
    for (const [name, bytes] of [
      ['a.d64', new Uint8Array(1000)],
      ['a.t64', new Uint8Array(1000)],
      ['a.t64', new Uint8Array(0)],
    ] as const)
      expect(() => imagePrograms(name, bytes)).toThrow(expect.objectContaining({ code: 'INVALID' }))
  })

  it('whatever it holds is read to an end', () => {
    const base = diskImage(files)
    const directory = 357 * 256
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1023), fc.nat(255)), { maxLength: 200 }), (bytes) => {
        const image = base.slice()
        for (const [at, byte] of bytes) image[directory + at] = byte
        for (const { bytes } of imagePrograms('a.d64', image)) expect(bytes.length).toBeGreaterThan(2)
      }),
      { numRuns: 50 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (rest) => {
        imagePrograms('a.t64', Uint8Array.of(0x43, 0x36, 0x34, ...rest))
      }),
      { numRuns: 200 },
    )
  })

  it('of signals has no directory that is read', () => {
    expect(['a.d64', 'A.D81', 'a.t64', 'a.g64', 'a.tap', 'a.crt'].map(hasListedPrograms)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
