/**
 * The built-in C64's VIC-II beside x64sc's, both models: random programs that write its registers at any cycle of any
 * line must show the same picture, pixel by pixel, and read the same, at the same time.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PICTURE_WIDTH, firstRasterLine } from '@shared/c64/picture'
import { defaultModels, vicModels, videoStandards, type VideoStandard } from '@shared/contract/machine'
import { seed } from '../support/fixedSeed'
import { createBuiltin } from '../support/oracle/builtin'
import type { TestedMachine } from '../support/oracle/machine'
import { imageOf, vicCase } from '../support/oracle/vicCases'
import { startOracle, type OracleVice } from '../support/oracle/vice'
import { lacks } from '../support/parts'

/** `npm run fuzz` asks for more; each takes some frames of both machines. */
const CASES = Number(process.env.BRIDGEDECK_FUZZ_CASES ?? 50)

const chips = videoStandards.flatMap((standard) => vicModels.map((vicModel) => [standard, vicModel] as const))

describe.skipIf(lacks('vice', 'xvfb')).each(chips)(
  'the VIC-II of the built-in C64, %s, %s, agrees with x64sc',
  (standard, vicModel) => {
    let vice: OracleVice
    let builtin: TestedMachine
    beforeAll(async () => {
      vice = await startOracle({ ...defaultModels, vicModel }, standard)
      builtin = createBuiltin({ ...defaultModels, vicModel }, standard)
    })
    afterAll(() => vice.stop())

    it('on programs that write any register at any cycle', { timeout: 0 }, async ({ task }) => {
      for (let index = 0; index < CASES; index++) {
        const image = imageOf(vicCase(seed, index), standard)
        const theirs = await vice.run(image)
        const ours = await builtin.run(image)
        expect([theirs.stopped, ours.stopped], `case ${index}`).toEqual([undefined, undefined])
        expect(differentBytes(theirs.ram, ours.ram), `case ${index}`).toEqual([])
        expect(differentPixels(await vice.picture(), await builtin.picture(), standard), `case ${index}`).toEqual([])
      }
      task.meta.fuzz = { cases: CASES }
    })
  },
)

const MAX_SHOWN = 10

function differentBytes(theirs: Uint8Array, ours: Uint8Array): string[] {
  const found: string[] = []
  for (let address = 0x0200; address < theirs.length && found.length < MAX_SHOWN; address++)
    if (theirs[address] !== ours[address]) found.push(`${address.toString(16)}: ${theirs[address]}, ${ours[address]}`)
  return found
}

function differentPixels(theirs: Uint8Array, ours: Uint8Array, standard: VideoStandard): string[] {
  const found: string[] = []
  for (let at = 0; at < theirs.length && found.length < MAX_SHOWN; at++) {
    if (theirs[at] === ours[at]) continue
    const line = Math.floor(at / PICTURE_WIDTH)
    found.push(`line ${line + firstRasterLine(standard)}, x ${at % PICTURE_WIDTH}: ${theirs[at]}, ${ours[at]}`)
  }
  return found
}
