import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { onStopRequest, requestStop } from './stopRequest'

let folder: string
let stops: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bridgedeck-stop-'))
  stops = 0
})
afterEach(() => rmSync(folder, { recursive: true }))

it('A request stops the task once, and leaves nothing behind', async () => {
  const end = onStopRequest(folder, () => stops++)
  await requestStop(folder)
  await expect.poll(() => stops).toBe(1)
  expect(readdirSync(folder)).toEqual([])
  end()
})

it('A request from before the task started does not count', async () => {
  await requestStop(folder)
  const end = onStopRequest(folder, () => stops++)
  expect([stops, readdirSync(folder)]).toEqual([0, []])
  end()
})

it('A request can be taken back', async () => {
  const takeBack = await requestStop(folder)
  await takeBack()
  expect(readdirSync(folder)).toEqual([])
})
