/** The real bridge, which ends twice while something of it was just opened: the next one leaves it closed until it is opened anyway. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RealBridge, type BridgePlace } from '../support/realBridge'

let place: BridgePlace
let path: string
const started: RealBridge[] = []

beforeEach(() => {
  place = { folder: mkdtempSync(join(tmpdir(), 'bridgedeck-crash-')) }
  path = join(place.folder, 'project')
  mkdirSync(join(place.folder, 'home'))
  mkdirSync(join(path, '.meta'), { recursive: true })
  writeFileSync(join(path, '.meta/session.json'), '{"status":"executing"}')
})
afterEach(async () => {
  for (const bridge of started.splice(0)) await bridge.stop()
  rmSync(place.folder, { recursive: true, force: true })
})

async function start(lastEnd?: string): Promise<RealBridge> {
  const bridge = await RealBridge.start(place, lastEnd === undefined ? {} : { BRIDGEDECK_LAST_END: lastEnd })
  started.push(bridge)
  return bridge
}

const stateOf = async (bridge: RealBridge) => (await bridge.call('projects.list', {})).projects[0]

describe('a project', () => {
  it('that was just opened when the bridge ended twice stays closed at the next start, and says why', async () => {
    for (let end = 0; end < 2; end++) {
      const bridge = await start(end === 0 ? undefined : 'was killed by SIGSEGV')
      await bridge.call('projects.open', { path })
      await bridge.kill('SIGSEGV')
    }
    const bridge = await start('was killed by SIGSEGV')
    expect(await bridge.call('quarantine.list', {})).toEqual({
      items: [{ kind: 'project', name: path, reason: 'was killed by SIGSEGV' }],
    })
    await expect(bridge.call('projects.open', { path })).rejects.toMatchObject({ code: 'CONFLICT' })
    // What was open before is opened a second after the start.
    await expect
      .poll(() => stateOf(bridge))
      .toMatchObject({
        state: 'closed',
        problems: [expect.stringContaining('left closed')],
      })
    await bridge.call('quarantine.open', { kind: 'project', name: path })
    await expect.poll(() => stateOf(bridge)).toMatchObject({ state: 'open', problems: [], runs: 1 })
    expect(bridge.of('quarantine.changed')).toEqual([{ items: [] }])
    await bridge.stop()
    expect(await (await start()).call('quarantine.list', {})).toEqual({ items: [] })
  })
})

describe('a project that was read', () => {
  it('is not blamed for a bridge that is killed from outside, as often as that is', async () => {
    for (let end = 0; end < 4; end++) {
      const bridge = await start(end === 0 ? undefined : 'was killed by SIGKILL')
      await bridge.call('projects.open', { path })
      await expect.poll(() => stateOf(bridge)).toMatchObject({ state: 'open', runs: 1 })
      await bridge.kill()
    }
    const last = await start('was killed by SIGKILL')
    expect(await last.call('quarantine.list', {})).toEqual({ items: [] })
  })
})

describe('the built-in C64', () => {
  it('that is live is not blamed for a bridge that is killed', async () => {
    for (let end = 0; end < 4; end++) {
      const bridge = await start(end === 0 ? undefined : 'was killed by SIGKILL')
      await bridge.call('machine.connect', { machine: 'builtin' })
      await bridge.kill()
    }
    expect(await (await start()).call('quarantine.list', {})).toEqual({ items: [] })
  })
})
