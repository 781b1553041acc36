import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { c64bridgeConfigFiles, loadC64bridgeConfig, readC64bridgeConfig, WORKING_FOLDER_FILE } from './c64bridgeConfig'

const file = '.c64bridge.json'
const read = (content: unknown, environment: NodeJS.ProcessEnv = {}) =>
  readC64bridgeConfig(typeof content === 'string' ? content : JSON.stringify(content), file, environment)
const machines = (content: unknown, environment: NodeJS.ProcessEnv = {}) =>
  read(content, environment).machines.map(({ machine }) => machine)

describe('c64bridge’s configuration', () => {
  it('names an Ultimate, a cartridge and a VICE, with their passwords', () => {
    const { machines: found, problems } = read({
      c64u: { host: '192.168.1.64', port: 8080, networkPassword: 'secret' },
      u2: { hostname: 'Ultimate-IIp' },
      vice: { exe: '/usr/bin/x64sc', host: '127.0.0.1', port: '6510', warp: true },
      future: { key: 1 },
    })
    expect(problems).toEqual([])
    expect(found).toEqual([
      { machine: 'ultimate:192.168.1.64:8080', title: 'C64 Ultimate', source: file, password: 'secret' },
      { machine: 'ultimate:ultimate-iip', title: 'Ultimate-II', source: file, password: null },
      { machine: 'vice:6510', title: 'VICE', source: file, password: null },
    ])
  })

  it.each([
    ['an address of the web', { c64u: { baseUrl: 'http://c64u:8080/v1' } }, ['ultimate:c64u:8080']],
    ['an address of the web with an IPv6 host', { c64u: { baseUrl: 'http://[fe80::1]' } }, ['ultimate:[fe80::1]']],
    ['the flat keys of old versions', { c64_host: 'c64u', c64_port: 80 }, ['ultimate:c64u']],
    ['the flat address of old versions', { c64_ip: '10.0.0.9' }, ['ultimate:10.0.0.9']],
    ['a flat address of the web', { baseUrl: 'http://c64u' }, ['ultimate:c64u']],
    ['a section before flat keys', { c64u: { host: 'new' }, c64_host: 'old' }, ['ultimate:new']],
    ['an empty section', { c64u: {} }, ['ultimate:c64u']],
    ['a section of another type', { c64u: 'c64' }, ['ultimate:c64u']],
    ['a program of VICE alone', { vice: { exe: 'x64sc' } }, ['vice']],
    ['a host of VICE alone', { vice: { host: 'studio' } }, ['vice:studio:6502']],
    ['a host with its port', { c64u: { host: 'c64u:8080' } }, ['ultimate:c64u:8080']],
    ['nothing', {}, []],
  ])('may have %s', (_, content, expected) => {
    expect(machines(content)).toEqual(expected)
  })

  it('gives way to the variables, field by field', () => {
    const content = { c64u: { host: 'c64u', port: 81, networkPassword: 'of the file' } }
    expect(read(content, { C64U_PASSWORD: 'set' }).machines).toEqual([
      { machine: 'ultimate:c64u:81', title: 'C64 Ultimate', source: `${file} and C64U_PASSWORD`, password: 'set' },
    ])
    expect(read({}, { C64U_HOST: 'desk', C64U_PORT: '8080' }).machines).toEqual([
      { machine: 'ultimate:desk:8080', title: 'C64 Ultimate', source: 'C64U_HOST, C64U_PORT', password: null },
    ])
    expect(machines({}, { VICE_PORT: '6511', U2_HOST: 'cart' })).toEqual(['ultimate:cart', 'vice:6511'])
  })

  it('takes the person’s password to no host that only the files of a folder name', async () => {
    const [working, home] = ['working', 'home'].map((name) => mkdtempSync(join(tmpdir(), `bridgedeck-${name}-`)))
    if (working === undefined || home === undefined) throw new Error('there are two')
    const found = async (environment: NodeJS.ProcessEnv) =>
      (await loadC64bridgeConfig(environment, { working, home })).machines.map(({ machine, password }) => [
        machine,
        password,
      ])
    try {
      writeFileSync(join(home, file), JSON.stringify({ c64u: { host: 'own' }, u2: { host: 'cart' } }))
      const set = { C64U_PASSWORD: 'p', U2_PASSWORD: 'q' }
      expect(await found(set)).toEqual([
        ['ultimate:own', 'p'],
        ['ultimate:cart', 'q'],
      ])
      writeFileSync(
        join(working, file),
        JSON.stringify({ c64u: { host: 'evil', networkPassword: 'x' }, u2: { port: 81 } }),
      )
      expect(await found(set)).toEqual([
        ['ultimate:evil', 'x'],
        ['ultimate:c64u:81', null],
      ])
      expect(await found({ ...set, C64U_HOST: 'own' })).toContainEqual(['ultimate:own', 'p'])
    } finally {
      for (const folder of [working, home]) rmSync(folder, { recursive: true })
    }
  })

  it('does not take the file’s password and port to another host that a variable names', () => {
    expect(
      read({ c64u: { host: 'c64u', port: 81, networkPassword: 'secret' } }, { C64U_HOST: 'elsewhere' }).machines,
    ).toMatchObject([{ machine: 'ultimate:elsewhere', password: null }])
  })

  it.each([
    ['{"c64u": {"host": "c64u", "networkPassword": "secret"', /^\.c64bridge\.json is not valid JSON/],
    ['{"c64u": {"networkPassword": secret}}', /is not valid JSON/],
    ['{"c64u":\n {"networkPassword" "secret"}}', /is not valid JSON in line 2, column \d+/],
    ['["c64u"]', /is not a JSON object/],
    ['', /is not valid JSON/],
    [{ c64u: { host: 'no host at all' } }, /“C64 Ultimate” in \.c64bridge\.json has no usable address/],
    [{ c64u: { host: 'c64u', port: 99_999 } }, /has no usable address/],
  ])('that is wrong costs one sentence without a secret: %j', (content, problem) => {
    const { machines: found, problems } = read(content)
    expect(found).toEqual([])
    expect(problems).toEqual([expect.stringMatching(problem)])
    expect(problems.join()).not.toContain('secret')
  })

  it('loses a machine whose name is too long for any list, alone', () => {
    const { machines, problems } = read(JSON.stringify({ c64u: { host: 'x'.repeat(250) }, vice: { port: 6502 } }))
    expect(machines.map(({ machine }) => machine)).toEqual(['vice:6502'])
    expect(problems).toHaveLength(1)
  })

  it('never stops the reader, whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc
            .record({ c64u: fc.jsonValue(), vice: fc.jsonValue(), u2: fc.jsonValue() })
            .map((value) => JSON.stringify(value)),
        ),
        (text) => {
          for (const { machine } of read(text).machines) expect(machine).toMatch(/^(ultimate|vice)/)
        },
      ),
    )
  })
})

describe('the file of c64bridge', () => {
  let home: string
  let working: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'bridgedeck-home-'))
    working = mkdtempSync(join(tmpdir(), 'bridgedeck-working-'))
  })
  afterEach(() => {
    for (const folder of [home, working]) rmSync(folder, { recursive: true, force: true })
  })

  it('is looked for in the working folder before the home folder, and first where a variable says', () => {
    const paths = (environment: NodeJS.ProcessEnv, folders: { working: string; home: string }) =>
      c64bridgeConfigFiles(environment, folders).map(({ path }) => path)
    const both = { working, home }
    expect(paths({}, both)).toEqual([join(working, file), join(home, file)])
    expect(paths({ C64BRIDGE_CONFIG: 'other.json' }, both)).toEqual([
      join(working, 'other.json'),
      join(working, file),
      join(home, file),
    ])
    expect(paths({}, { working: home, home })).toEqual([join(home, file)])
  })

  it('decides each section where it is found first, its password with its host', async () => {
    writeFileSync(join(working, file), JSON.stringify({ c64u: { host: 'bench' } }))
    writeFileSync(
      join(home, file),
      JSON.stringify({ c64u: { host: 'desk', networkPassword: 'secret' }, vice: { port: 6502 } }),
    )
    expect(await loadC64bridgeConfig({}, { working, home })).toEqual({
      machines: [
        { machine: 'ultimate:bench', title: 'C64 Ultimate', source: WORKING_FOLDER_FILE, password: null },
        { machine: 'vice:6502', title: 'VICE', source: file, password: null },
      ],
      problems: [],
    })
  })

  it('that is damaged in the working folder leaves the home folder’s in use, and is told', async () => {
    writeFileSync(join(working, file), '{"c64u": {')
    writeFileSync(join(home, file), JSON.stringify({ c64_host: 'desk' }))
    const { machines, problems } = await loadC64bridgeConfig({}, { working, home })
    expect(machines).toMatchObject([{ machine: 'ultimate:desk' }])
    expect(problems).toEqual([expect.stringMatching(/working folder.*not valid JSON/)])
  })

  it('is read with its byte order mark, and left as it is', async () => {
    const path = join(home, '.c64bridge.json')
    const text = '\uFEFF{\r\n  "c64u": { "host": "c64u" } }'
    writeFileSync(path, text)
    expect((await loadC64bridgeConfig({}, { working, home })).machines).toMatchObject([
      { machine: 'ultimate:c64u', source: '.c64bridge.json' },
    ])
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('may be missing, a folder or too large: the variables still count', async () => {
    const environment = { C64U_HOST: 'desk' }
    const load = () => loadC64bridgeConfig(environment, { working, home })
    expect(await load()).toMatchObject({ machines: [{ machine: 'ultimate:desk' }], problems: [] })
    writeFileSync(join(home, '.c64bridge.json'), ' '.repeat(1024 * 1024 + 1))
    expect(await load()).toMatchObject({
      machines: [{ machine: 'ultimate:desk' }],
      problems: [expect.stringMatching(/too large/)],
    })
    rmSync(join(home, '.c64bridge.json'))
    mkdirSync(join(home, '.c64bridge.json'))
    expect((await load()).problems).toEqual([expect.stringMatching(/is a folder/)])
  })

  it.skipIf(process.platform === 'win32')('may be a link to what never ends', async () => {
    symlinkSync('/dev/zero', join(working, '.c64bridge.json'))
    expect((await loadC64bridgeConfig({}, { working, home })).problems).toEqual([`${WORKING_FOLDER_FILE} is no file.`])
  })
})
