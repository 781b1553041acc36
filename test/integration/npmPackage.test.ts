/** The npm package as a person gets it: packed, put into an empty folder, and run where no file of the checkout can be read. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, parse, resolve, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { packageNode } from '../../scripts/lib/npmPackage.mjs'
import { initializeLine, installPackage, type InstalledPackage } from '../support/installedPackage'

const checkout = resolve('.')

let folder: string
let npm: InstalledPackage
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bridgedeck-npm-')))
  npm = await installPackage(folder)
  for (const name of ['home', 'work', 'temporary']) mkdirSync(join(folder, name))
})
afterAll(async () => {
  await run('bridge', 'stop')
  rmSync(folder, { recursive: true, force: true })
})

/** Each file and folder that does not lie in the checkout: beside it, and beside all folders around it. */
function outsideOfCheckout(): string[] {
  const { root } = parse(checkout)
  const below = checkout.slice(root.length).split(sep)
  return below.flatMap((name, depth) => {
    const around = join(root, ...below.slice(0, depth))
    return readdirSync(around).flatMap((entry) => (entry === name ? [] : [join(around, entry)]))
  })
}

const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: join(folder, 'home'),
  APPDATA: join(folder, 'home'),
  TMPDIR: join(folder, 'temporary'),
  TEMP: join(folder, 'temporary'),
  NODE_OPTIONS: [
    '--permission',
    '--allow-child-process',
    '--allow-worker',
    '--allow-addons',
    '--no-warnings',
    ...outsideOfCheckout().map((path) => `--allow-fs-read="${path}"`),
    `--allow-fs-write="${folder}"`,
  ].join(' '),
})

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const node = (args: readonly string[]): Promise<Ended> =>
  new Promise((done) => {
    execFile(process.execPath, args, { cwd: join(folder, 'work'), env: environment() }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })

/** A call from the working folder. */
const run = (...words: string[]): Promise<Ended> => node([npm.program, ...words])

function put(name: string, content: string | Uint8Array): string {
  const path = join(folder, 'work', name)
  writeFileSync(path, content)
  return path
}

const readPackage = () =>
  z
    .looseObject({ version: z.string(), dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(npm.installed, 'package.json'), 'utf8')))

describe('the npm package', () => {
  it('holds these files, and no others', () => {
    // Parts of the programs that are loaded later, each named by a hash of what it holds.
    const isPart = (file: string) => /^out\/main\/assets\/\w+-[\w-]{8}\.cjs$/.test(file)
    const files = npm.files.filter((file) => !isPart(file)).sort()
    expect(files).toEqual([
      'LICENSE',
      'README.md',
      'THIRD_PARTY_NOTICES',
      'bridgedeck.cjs',
      ...['calls', 'events', 'generated', 'index'].flatMap((name) => [
        `out/client/${name}.d.ts`,
        `out/client/${name}.js`,
      ]),
      ...['bridge', 'builtinWorker', 'cli', 'labelsWorker', 'projectsWorker', 'recorderWorker', 'regexWorker'].map(
        (name) => `out/main/${name}.cjs`,
      ),
      'out/main/runCommandLine.cjs',
      ...['basic.bin', 'chargen.bin', 'demo.prg', 'kernal.bin', 'stub.prg'].map((name) => `out/resources/c64/${name}`),
      ...['executor', 'fixer', 'planner', 'researcher', 'verifier'].map((name) => `out/resources/metashell/${name}.md`),
      ...[
        'CREW.md',
        'PHASES.md',
        'WORKFLOW.md',
        'experts/developer/EXPERT.md',
        'experts/developer/templates/changelog.md',
        'experts/product-owner/EXPERT.md',
        'experts/product-owner/templates/requirements.md',
        'experts/product-owner/templates/vision.md',
        'experts/software-architect/EXPERT.md',
        'experts/software-architect/templates/adr.md',
        'manifest.yml',
      ].map((name) => `out/resources/ncrew/default/crew/${name}`),
      ...['INDEX.md', 'tasks.md'].map((name) => `out/resources/ncrew/default/root/${name}`),
      'package.json',
    ])
  })

  it('names no path of the computer that it was made on', () => {
    const naming = npm.files.filter((file) => {
      const text = readFileSync(join(npm.installed, file), 'latin1')
      return text.includes(checkout) || text.includes(homedir() + sep)
    })
    expect(naming).toEqual([])
  })

  it('has our own ROMs, none of Commodore’s', () => {
    for (const name of ['basic.bin', 'chargen.bin', 'kernal.bin']) {
      const rom = readFileSync(join(npm.installed, 'out', 'resources', 'c64', name))
      expect(rom).toEqual(readFileSync(resolve('out/resources/c64', name)))
      // 901226-01, 901225-01, 901227-03
      expect([
        '57af4ae21d4b705c2991d98ed5c1f7b8',
        '12a4202f5331d45af846af6c58fba946',
        '39065497630802346bce17963f13c092',
      ]).not.toContain(createHash('md5').update(rom).digest('hex'))
    }
  })

  it('depends on what it loads at run time alone, in exact versions', () => {
    const { dependencies, ...others } = readPackage()
    expect(Object.keys(dependencies)).toEqual(['better-sqlite3', 'serialport'])
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(others).not.toHaveProperty('scripts')
    expect(others).not.toHaveProperty('devDependencies')
  })

  it('has the licences of what is in it, and not of the window', () => {
    const notices = readFileSync(join(npm.installed, 'THIRD_PARTY_NOTICES'), 'utf8')
    expect(notices).toMatch(/^zod \d/m)
    expect(notices).not.toMatch(/^(electron|react) \d/m)
  })
})

describe('in an empty folder, where nothing of the checkout can be read', () => {
  it('cannot read the checkout', async () => {
    const { code, stderr } = await node([
      '-e',
      `require('fs').readFileSync(${JSON.stringify(resolve('package.json'))})`,
    ])
    expect([code, stderr]).toEqual([1, expect.stringContaining('ERR_ACCESS_DENIED')])
  })

  it('prints its version', async () => {
    expect(await run('--version')).toEqual({ code: 0, stdout: `Bridgedeck ${readPackage().version}\n`, stderr: '' })
  })

  it('says at the end of its help how to get the window', async () => {
    const { code, stdout } = await run()
    expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, expect.stringContaining('npm start')])
  })

  it('says so as well where a machine is to stay', async () => {
    const { code, stderr } = await run('pause')
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringMatching(/npm start.*bridge start/s)])
    expect(code).not.toBe(0)
  })

  it('runs a program', async () => {
    // 10 SYS 2061; INC $D020; RTS
    put('red.prg', Buffer.from('01080b080a009e32303631000000ee20d060', 'hex'))
    const { code, stdout, stderr } = await run('run', 'red.prg')
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringContaining('red.prg')])
  })

  it('checks programs', async () => {
    put(
      'a.check.yaml',
      `cases:\n  - name: hello\n    basic: |\n      10 PRINT "HELLO"\n    steps:\n      - wait: { text: hello }\n`,
    )
    expect(await run('check', 'a.check.yaml')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 passed') as string,
    })
  })

  it('answers the program of an agent', async () => {
    const server = spawn(process.execPath, [npm.program, 'mcp'], { cwd: join(folder, 'work'), env: environment() })
    const ended = new Promise((done) => server.once('close', done))
    server.stdin.write(initializeLine)
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
    const line = z.string().parse((await lines.next()).value)
    expect(JSON.parse(line)).toMatchObject({ id: 1, result: { serverInfo: { version: readPackage().version } } })
    server.stdin.end()
    await ended
  })

  it('gives scripts its client, with types', async () => {
    const script =
      "import { connect } from 'bridgedeck/client'\nconsole.log(typeof connect({ url: '', token: '' }).memory.read)\n"
    expect(await node([put('use.mjs', script)])).toEqual({ code: 0, stdout: 'function\n', stderr: '' })
    put('use.mts', `${script.replace('console.log', 'export const kind = ')}// @ts-expect-error\nconnect({ url: 1 })\n`)
    const compiler = resolve('node_modules/typescript-native/bin/tsc')
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', '--lib', 'es2023,dom']
    execFileSync(process.execPath, [compiler, ...options, 'use.mts'], { cwd: join(folder, 'work') })
  })
})

describe('on another Node', () => {
  const on = async (version: string) => {
    const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
    return node(['--require', put('version.cjs', versions), npm.program, '--version'])
  }

  it('says in one sentence which one it needs', async () => {
    const oldest = /^>=(\d+\.\d+)\.0$/.exec(packageNode)?.[1] ?? ''
    for (const version of ['18.20.8', '20.20.2', '22.13.1'])
      expect(await on(version)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          `^bridgedeck: This is Node ${version}; Bridgedeck needs Node ${oldest} or newer.*\n$`,
        ) as string,
      })
    expect(await on(`${oldest}.0`)).toMatchObject({ code: 0 })
  })
})

describe('the links that add it to an agent’s program', () => {
  const entrySchema = z.object({
    data: z.object({ server: z.object({ command: z.string(), args: z.array(z.string()) }) }),
  })

  let entry: z.infer<typeof entrySchema>['data']['server']
  beforeAll(async () => {
    entry = entrySchema.parse(JSON.parse((await run('mcp', 'install', 'vscode', '--json')).stdout)).data.server
  })

  it('name the package', () => {
    expect(entry).toEqual({ command: 'npx', args: ['-y', 'bridgedeck', 'mcp'] })
  })

  it.each(['README.md', 'docs/agents.md', 'docs/npm.md'])('in %s are what “mcp install” writes', (file) => {
    const text = readFileSync(resolve(file), 'utf8')
    const linkTo = (address: string): URLSearchParams => {
      const links = [...text.matchAll(/\]\((https:[^)\s]+)\)/g)].flatMap(([, link = '']) =>
        link.startsWith(address) ? [new URL(link)] : [],
      )
      return links.length === 1 && links[0] ? links[0].searchParams : new URLSearchParams()
    }
    const vscode = linkTo('https://vscode.dev/redirect/mcp/install?')
    const cursor = linkTo('https://cursor.com/en/install-mcp?')
    const written = { type: 'stdio', ...entry }
    expect([vscode.get('name'), JSON.parse(vscode.get('config') ?? 'null')]).toEqual(['bridgedeck', written])
    const config = Buffer.from(cursor.get('config') ?? '', 'base64').toString()
    expect([cursor.get('name'), JSON.parse(config)]).toEqual(['bridgedeck', written])
    expect(text).toContain(`claude mcp add --scope user bridgedeck -- ${[entry.command, ...entry.args].join(' ')}`)
  })
})
