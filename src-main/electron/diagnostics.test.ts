import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { diagnosticsZip } from './diagnostics'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bridgedeck-diagnostics-'))
})
afterEach(() => rm(folder, { recursive: true }))

const read = (zip: Uint8Array) =>
  Object.fromEntries(Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, strFromU8(bytes)]))

it('holds the logs and parts, without passwords and without the home folder', async () => {
  await writeFile(join(folder, 'main.log'), `X-Password: hunter2\nread ${homedir()}/c64/demo.prg\n`)
  await writeFile(join(folder, 'other.txt'), 'not a log')
  const files = read(
    await diagnosticsZip(folder, { settings: () => ({ password: 'hunter2', kernalRom: `${homedir()}/kernal` }) }),
  )
  expect(files['logs/main.log']).toBe('X-Password: [hidden]\nread ~/c64/demo.prg\n')
  expect(JSON.parse(files['settings.json'] ?? '')).toEqual({ password: '[hidden]', kernalRom: '~/kernal' })
  expect(Object.keys(files).sort()).toEqual(['logs/main.log', 'settings.json'])
})

it('says why a part is missing, also when the bridge is down', async () => {
  const files = read(
    await diagnosticsZip(folder, {
      machines: () => Promise.reject(new Error('the bridge is down')),
      settings: () => {
        throw new Error('no settings')
      },
    }),
  )
  expect(JSON.parse(files['machines.json'] ?? '')).toEqual({ missing: 'the bridge is down' })
  expect(JSON.parse(files['settings.json'] ?? '')).toEqual({ missing: 'no settings' })
})

it('keeps the end of a long log', async () => {
  await writeFile(join(folder, 'main.log'), `start${'.'.repeat(3 * 1024 * 1024)}end`)
  const { 'logs/main.log': log = '' } = read(await diagnosticsZip(folder, {}))
  expect(log.length).toBe(2 * 1024 * 1024)
  expect(log.endsWith('.end')).toBe(true)
})
