import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PriceFile } from './priceFile'

function ownFile(text?: string): PriceFile {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-prices-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  if (text !== undefined) writeFileSync(join(folder, 'prices.yaml'), text)
  return new PriceFile(folder)
}

const text = '[{ model: "*", input: 1, output: 2, date: 2026-11-01, source: a list }]'
const turn = { uses: [{ model: 'm', input: 1_000_000, output: 0, cacheRead: null, cacheWrite: null }], cost: null }
const agent = { preset: 'codex', model: null } as const

it('Without a file a cost that the agent does not tell is unknown', () => {
  const file = ownFile()
  expect(file.costOf(turn, agent)).toEqual({ cost: null })
  expect(file.shown).toMatchObject({ isThere: false, prices: [], problem: null })
})

it('With a file it is worked out, but never in place of one that the agent tells', () => {
  const file = ownFile(text)
  expect(file.costOf(turn, agent)).toEqual({ cost: 1, pricesOf: '2026-11-01' })
  expect(file.costOf({ ...turn, cost: 0.5 }, agent)).toEqual({ cost: 0.5 })
  expect(file.costOf({ uses: [], cost: null }, agent)).toEqual({ cost: null })
})

it('With a wrong file costs stay unknown, until it is corrected', () => {
  const file = ownFile('- model: 1')
  expect([file.costOf(turn, agent), file.problem]).toEqual([{ cost: null }, 'prices.yaml:1: model has to be text.'])
  writeFileSync(file.path, text)
  expect([file.costOf(turn, agent).cost, file.problem]).toEqual([1, null])
})

it('A new file has instructions and no price, and one that is there stays', () => {
  const file = ownFile()
  file.create()
  expect(file.shown).toMatchObject({ isThere: true, prices: [], problem: null })
  writeFileSync(file.path, text)
  file.create()
  expect(file.shown.prices).toHaveLength(1)
})
