/**
 * Small programs, one for each effect of the VIC-II. `npm run pictures -- effects` has x64sc show them; the built-in C64
 * shows the same in the same cycle.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { palettes } from '@shared/c64/palettes'
import { PICTURE_WIDTH } from '@shared/c64/picture'
import { defaultModels } from '@shared/contract/machine'
import { assemble } from '../../scripts/assemble.mjs'
import { pixelsPng } from '../../src-main/files/png'
import { runBuiltin } from '../programs/builtin'
import { differentPixels, referenceOf } from '../programs/reference'
import { runInVice } from '../programs/vice'
import { ownRoms, readRoms } from '../support/ownRoms'

const isMaking = process.env['BRIDGEDECK_PICTURES'] === 'effects'
const chips = { standard: 'pal', ...defaultModels } as const
const folder = resolve('test/programs/effects')
const sources = readdirSync(folder).filter((name) => name.endsWith('.asm'))
const names = sources.map((source) => basename(source, '.asm'))

/** Cycles; the longest one fills its memory, and ends after 4 million. */
const LIMIT = 5_000_000

let scratch: string
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'bridgedeck-effects-'))
})
afterAll(() => rmSync(scratch, { recursive: true }))

async function makeReference(name: string, program: Uint8Array): Promise<void> {
  const prg = join(scratch, `${name}.prg`)
  writeFileSync(prg, program)
  const { written, momentary } = await runInVice(prg, ownRoms, LIMIT, chips)
  expect(written).toBe(0)
  const reference = join(folder, 'references', `${name}.png`)
  mkdirSync(dirname(reference), { recursive: true })
  writeFileSync(reference, pixelsPng(momentary, PICTURE_WIDTH, palettes.pepto))
}

describe('the built-in C64 shows as x64sc does', () => {
  it.each(names)('%s', async (name) => {
    const program = assemble(join(folder, `${name}.asm`), { format: 'prg' }).bytes
    if (isMaking) await makeReference(name, program)
    const reference = referenceOf(join(folder, `${name}.prg`))
    if (!reference) throw new Error(`${name} has no picture: npm run pictures -- effects`)
    const { written, momentary } = runBuiltin(program, readRoms(ownRoms), LIMIT, chips)
    expect([written, differentPixels(momentary, reference)]).toEqual([0, 0])
  })
})
