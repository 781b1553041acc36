/** Data of earlier versions is opened and kept; that of a newer one is left alone. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dataVersions } from '../../src-main/files/dataVersion'
import { CommandLine } from '../support/commandLine'
import { contentsOf, oldVersions, placeOldData } from '../support/oldData'

let cli: CommandLine
let data: string
let database: string
beforeEach(() => {
  cli = new CommandLine()
  data = join(cli.folder, 'data')
  database = join(data, 'bridgedeck.sqlite')
})
afterEach(() => cli.remove())

const place = (version: (typeof oldVersions)[number]) =>
  placeOldData(version, { data, c64bridge: join(cli.folder, '.c64bridge') })

function versionIn(path: string): unknown {
  const opened = new Database(path, { readonly: true })
  try {
    return opened.pragma('user_version', { simple: true })
  } finally {
    opened.close()
  }
}

describe.each([
  ['af0c0661', 5],
  ['47772ac2', 11],
] as const)('Data of %s', (version, schema) => {
  beforeEach(() => place(version))

  it('is moved to the newest schema, and a copy of the database is kept once', async () => {
    await cli.data('setting', 'get')
    const kept = `${database}.before-${dataVersions.database}`
    expect(versionIn(kept)).toBe(schema)
    expect(versionIn(database)).toBe(dataVersions.database)
    expect(JSON.parse(readFileSync(join(data, 'version.json'), 'utf8'))).toEqual({ version: dataVersions.folder })
    const before = contentsOf(data)[`bridgedeck.sqlite.before-${dataVersions.database}`]
    await cli.data('setting', 'get')
    expect(contentsOf(data)[`bridgedeck.sqlite.before-${dataVersions.database}`]).toBe(before)
  })

  it('keeps settings, agents, machines and projects', async () => {
    const settings = await cli.data('setting', 'get')
    expect(JSON.stringify(settings)).toContain('"ntsc"')
    expect(settings).toMatchObject({
      settings: {
        standard: 'ntsc',
        keyMapping: 'positional',
        joystickPort: 1,
        recordings: { maxBytes: 5 * 1024 ** 3, maxDays: 30 },
        tasks: { resume: 'always', sessions: true },
        notifications: false,
        mostAgents: 7,
      },
    })
    expect(await cli.data('agent', 'list')).toMatchObject({
      agents: [{ name: 'claude', maxCost: 2.5, environment: ['LANG'] }],
    })
    expect(JSON.stringify(await cli.data('connection', 'list'))).toContain('The one on the desk')
    const opened = new Database(database, { readonly: true })
    expect(opened.prepare('SELECT path, trusted_as FROM projects').all()).toEqual([
      { path: '/projects/game', trusted_as: '1:2' },
    ])
    expect(opened.prepare('SELECT sealed FROM profiles').pluck().get()).toEqual(Buffer.from('sealed-secret'))
    expect(opened.prepare('SELECT value FROM sidecar').pluck().all()).toEqual(['"keep"'])
    expect(opened.prepare('SELECT run FROM journal').pluck().all()).toEqual(['metashell:game'])
    opened.close()
  })

  it('keeps tasks, their results and recordings', async () => {
    expect(await cli.data('task', 'list')).toMatchObject({
      tasks: [{ id: '0001_read' }, { id: '0002_ram' }, { id: '0003_film', iterations: 3 }],
    })
    expect(JSON.stringify(await cli.data('task', 'show', '0002_ram'))).toContain('4BE4434CC5C42C8F')
    const { recordings } = (await cli.data('recording', 'list')) as {
      recordings: { frames: number; problem: unknown }[]
    }
    expect(recordings).toMatchObject([{ recording: '0003_film', problem: null }])
    expect(recordings[0]?.frames).toBeGreaterThan(90)
    expect(
      JSON.stringify(await cli.data('task', 'run', 'read', '--machine', 'builtin', '--address', '$0400')),
    ).toContain('0004_read')
  })
})

describe('A backup', () => {
  it('is the whole data in an empty place, without passwords, tokens and logs', async () => {
    place('47772ac2')
    writeFileSync(join(data, 'serve.json'), '{"token":"secret"}')
    mkdirSync(join(data, 'logs'))
    writeFileSync(join(data, 'logs', 'main.log'), 'a log')
    await cli.data('data', 'backup', 'all.tar.gz')
    const restored = new CommandLine()
    try {
      const archive = join(cli.folder, 'all.tar.gz')
      execFileSync('tar', ['-xzf', archive, '-C', restored.folder])
      renameSync(join(restored.folder, 'bridgedeck'), join(restored.folder, 'data'))
      renameSync(join(restored.folder, 'c64bridge'), join(restored.folder, '.c64bridge'))
      expect(readdirSync(join(restored.folder, 'data')).toSorted()).toEqual([
        'bridgedeck.sqlite',
        'builtin.state',
        'version.json',
        'window.json',
      ])
      const opened = new Database(join(restored.folder, 'data', 'bridgedeck.sqlite'))
      expect(opened.prepare('SELECT title, sealed FROM profiles').all()).toEqual([
        { title: 'The one on the desk', sealed: null },
      ])
      opened.close()
      for (const call of [
        ['setting', 'get'],
        ['agent', 'list'],
        ['task', 'list'],
        ['recording', 'list'],
      ]) {
        const [was, is] = [await cli.data(...call), await restored.data(...call)]
        const inPlace = (value: unknown, { folder }: CommandLine) => JSON.stringify(value).replaceAll(folder, 'HOME')
        expect({ call, data: inPlace(is, restored) }).toEqual({ call, data: inPlace(was, cli) })
      }
    } finally {
      await restored.remove()
    }
  })
})

describe('Data of a newer Bridgedeck', () => {
  const raise = {
    'by the note of its folder': () => {
      mkdirSync(data, { recursive: true })
      writeFileSync(join(data, 'version.json'), `{"version":${dataVersions.folder + 1},"more":true}`)
    },
    'by its database alone': () => {
      const opened = new Database(database)
      opened.pragma(`user_version = ${dataVersions.database + 1}`)
      opened.close()
    },
  }

  it.each(Object.entries(raise))('is named and left as it is, known %s', async (_how, change) => {
    place('47772ac2')
    change()
    writeFileSync(join(cli.folder, 'program.asm'), '*=$1000\nrts\n')
    const before = contentsOf(data)
    for (const call of [
      ['setting', 'get'],
      ['bridge', 'start'],
      ['run', 'program.asm', '--machine', 'builtin'],
      ['api', 'serve'],
    ]) {
      const { code, stderr } = await cli.run(...call)
      expect({ call, code, stderr }).toEqual({
        call,
        code: 6,
        stderr: expect.stringContaining('newer Bridgedeck') as unknown,
      })
    }
    const bridge = spawn(process.execPath, [resolve('out/main/bridge.cjs')], {
      env: { ...cli.environment, NODE_COMPILE_CACHE: '' },
    })
    const said = text(bridge.stderr)
    const [code] = (await once(bridge, 'exit')) as [number]
    expect({ code, said: await said }).toEqual({
      code: 1,
      said: expect.stringContaining('newer Bridgedeck') as unknown,
    })
    expect(contentsOf(data)).toEqual(before)
    expect(existsSync(`${database}-wal`)).toBe(false)
  })
})
