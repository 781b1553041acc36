/** The bridge and the command line over a damaged database: they work, say what was lost, and end. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBridge, type OwnBridge } from '../../src-main/bridge/createBridge'
import { CommandLine } from '../support/commandLine'
import { damagePage, fillDatabase, structureOf } from '../support/damagedDatabase'

const samples = mkdtempSync(join(tmpdir(), 'bridgedeck-sample-'))
const sample = join(samples, 'filled.sqlite')
beforeAll(() => {
  fillDatabase(sample)
  return () => rmSync(samples, { recursive: true, force: true })
})

let calls: CommandLine
let data: string
beforeEach(() => {
  calls = new CommandLine()
  data = join(calls.folder, 'data')
  mkdirSync(data, { mode: 0o700 })
})
afterEach(() => calls.remove())

function damage(table: string): void {
  const path = join(data, 'bridgedeck.sqlite')
  for (const name of readdirSync(data)) if (name.startsWith('bridgedeck.sqlite')) rmSync(join(data, name))
  copyFileSync(sample, path)
  damagePage(path, structureOf(sample).find(({ name }) => name === table)?.rootPage ?? 0)
}

describe('the command line over a database with a damaged table', () => {
  it('answers as usual, and says what was lost on standard error', async () => {
    const commands = [
      ['machine', 'list'],
      ['recording', 'list'],
      ['snapshot', 'list'],
      ['task', 'list'],
      ['read', '--address', '$A000', '--length', '2'],
    ]
    for (const [at, table] of ['settings', 'children', 'hosts', 'openings', 'agent_calls'].entries()) {
      damage(table)
      const words = commands[at] ?? []
      const first = await calls.run(...words)
      expect(first, `${words.join(' ')} over ${table}`).toMatchObject({ code: 0 })
      expect(first.stderr).toMatch(
        /^Bridgedeck’s database was damaged and was repaired\. Lost: .+\. The damaged file is kept as bridgedeck\.sqlite\.corrupt-\d+\.\n$/,
      )
      expect(first.stderr).not.toContain('    at ')
      expect(await calls.run(...words)).toEqual({ ...first, stderr: '' })
    }
  })

  it('ends, as a process of its own, also where nothing could be read', async () => {
    writeFileSync(join(data, 'bridgedeck.sqlite'), 'this was a database once'.repeat(1000))
    const { code, stderr } = await calls.startProcess('machine', 'list').ended
    expect(stderr).toContain('starts afresh: nothing in it could be read. The damaged file is kept as')
    expect(code).toBe(0)
  })
})

describe('the bridge of a window', () => {
  let bridge: OwnBridge
  const notices: { message: string; hint: string | null }[] = []
  const start = () => {
    notices.length = 0
    bridge = createBridge({
      dataFolder: data,
      resources: resolve('out/resources/c64'),
      workerPath: resolve('out/main/builtinWorker.cjs'),
      recorderPath: resolve('out/main/recorderWorker.cjs'),
      lifetime: 'window',
      log: () => undefined,
      taskFolder: join(calls.folder, 'tasks'),
    })
    bridge.onEvent((event, payload) => {
      if (event === 'machine.notice') notices.push(payload as (typeof notices)[number])
    })
  }
  afterEach(() => bridge.close())

  const settings = async () => bridge.handlers['settings.get']({}, new AbortController().signal)

  it('starts over any damaged table, and tells the window what was lost', async () => {
    for (const table of ['settings', 'children', 'hosts', 'openings', 'agent_calls']) {
      damage(table)
      start()
      await settings()
      expect(notices, table).toHaveLength(1)
      expect(notices[0]?.message).toBe('Bridgedeck’s database was damaged and was repaired.')
      await bridge.close()
    }
    start()
  })

  it('says that its data folder is gone, ends none the less, and takes it up again', async () => {
    start()
    await settings()
    renameSync(data, `${data}-moved`)
    await expect
      .poll(() => notices.map(({ message }) => message))
      .toEqual([expect.stringMatching(/^The data folder .* was deleted or moved while Bridgedeck ran\.$/)])
    await bridge.close()
    expect(readdirSync(calls.folder)).not.toContain('data')
    start()
  })
})
