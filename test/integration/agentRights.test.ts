/** What an agent without a right can do: each operation of each tool with each right, on a paused machine whose whole state is compared. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Input, Output, OwnedBy } from '@shared/contract/contract'
import { grantableRights, type GrantableRight } from '@shared/contract/steering'
import { BridgeClient } from '../../src-main/bridge/client'
import { connect, socketPath } from '../../src-main/bridge/socket'
import { argumentsFor } from '../../src-main/cli/mcp/tool'
import { tools } from '../../src-main/cli/mcp/tools'
import { CommandLine } from '../support/commandLine'
import { startSwapping } from '../support/linkSwapper'
import { ask, startAgent } from '../support/mcpClient'
import { dataFolderOf } from '../support/realBridge'

type Given = Readonly<Record<string, unknown>>

/** For each operation arguments with which it acts. What needs a device ends at the built-in C64, which has none of it. */
const acts: Readonly<Record<string, Given>> = {
  'machine list': {},
  'machine state': {},
  'machine search': {},
  'machine test': {},
  'machine pause': {},
  'machine resume': {},
  'machine reset': {},
  'machine reboot': {},
  'machine off': {},
  'machine menu': {},
  'machine warp': { state: 'on' },
  'machine clear_left': {},
  'machine standard': { standard: 'ntsc' },
  'machine undo': {},
  'machine stream': { stream: 'video', state: 'on' },
  'machine resource': { name: 'WarpMode', value: '1' },
  'see screen': {},
  'see all': {},
  'see picture': {},
  'see vic': {},
  'see sprites': {},
  'see listing': {},
  'see layout': {},
  'see labels': {},
  'memory read': { address: '$c000', length: 16, out: 'read.bin' },
  'memory write': { address: '$c000', bytes: '0102' },
  'memory copy': { range: '$c000-$c00f', to: '$c020' },
  'memory search': { query: '00 01' },
  'memory why': { address: '$c000' },
  'memory diff': { before: 'kept', after: '@builtin' },
  'memory watch': { address: '$c000', count: 1 },
  'memory coverage': { out: 'coverage.txt' },
  'memory find_value': {},
  'memory keep': { condition: 'unchanged' },
  'memory undo': {},
  'memory found': {},
  'memory freeze': { address: '$c010', value: 1 },
  'memory release': { address: '$c010' },
  'run assembly': { source: 'loop jmp loop' },
  'run basic': { source: '10 print' },
  'run file': { file: 'program.prg' },
  'run check': { file: 'checks.yaml' },
  'run on_device': { path: '/program.prg' },
  'run load': { file: 'program.prg' },
  'debug registers': {},
  'debug set': { name: 'A', value: '7' },
  'debug disassemble': { address: '$e000' },
  'debug assemble': { address: '$c020', line: 'lda #1' },
  'debug step': {},
  'debug back': { count: 2 },
  'debug trace': { count: 5, out: 'trace.txt' },
  'debug profile': { frames: 1, html: 'profile.html' },
  'debug interrupts': { frames: 1 },
  'debug frame': {},
  'debug raster': {},
  'debug checkpoint': { range: '$c100' },
  'debug checkpoints': {},
  'debug delete': { number: 1 },
  'debug enable': { number: 1 },
  'debug disable': { number: 1 },
  'debug log': {},
  'debug load_labels': { file: 'program.lbl' },
  'type text': { text: 'x' },
  'type keys': { keys: ['a'], frames: 1 },
  'type joystick': { inputs: ['up'], frames: 1 },
  'type wait': { wait_for: 'ready.', timeout: 1 },
  'graphics sprite': { sprite: 0, x: 100, y: 100, power: 'on' },
  'graphics sprites_picture': {},
  'graphics charset_picture': {},
  'graphics compare': { baseline: 'baseline.png', save: 'saved.png' },
  'graphics text': { text: 'X', row: 1, column: 1 },
  'graphics save': { file: 'screen.png' },
  'graphics grab': { file: 'frames.png', looks: 1 },
  'graphics load': { file: 'charset.64c' },
  'graphics formats': {},
  'sound note': { note: 'A4' },
  'sound off': {},
  'sound volume': { volume: 7 },
  'snapshot save': { name: 'kept', replace: true },
  'snapshot restore': { name: 'kept' },
  'snapshot list': {},
  'snapshot delete': { name: 'kept' },
  'snapshot save_state': { file: 'saved.bdstate' },
  'snapshot load_state': { file: 'machine.bdstate' },
  'tasks operations': {},
  'tasks run': { operation: 'fill', args: '{"address":"$c200","length":4,"value":9}' },
  'tasks start': { operation: 'read', args: '{"address":"$c200"}', interval: 500, iterations: 1 },
  'tasks wait': { id: '0001_none' },
  'tasks list': {},
  'tasks show': { id: '0001_none' },
  'tasks log': { id: '0001_none' },
  'tasks stop': { id: '0001_none' },
  'tasks stop_all': {},
  'recording list': {},
  'recording show': { recording: '0001_none' },
  'recording query': { recording: '0001_none', question: 'values', address: '$c000' },
  'recording marks': { recording: '0001_none' },
  'recording mark': { recording: '0001_none', text: 'here' },
  'drives list': {},
  'drives mount': { file: 'disk.d64' },
  'drives mount_on_device': { path: '/disk.d64' },
  'drives unmount': {},
  'drives set': { drive: 8, power: 'off' },
  'drives load_rom': { drive: 8, file: 'program.prg' },
  'device list': {},
  'device find': { name: 'x' },
  'device upload': { file: 'program.prg' },
  'device upload_bytes': { name: 'program.prg', base64: 'AQgA' },
  'device download': { path: '/x', out: 'x.bin' },
  'device create_image': { path: '/new.d64' },
  'device config_list': {},
  'device config_get': { category: 'x' },
  'device config_set': { category: 'x', values: ['A=B'] },
  'device config_save': { file: 'config.json' },
  'device config_diff': { file: 'config.json' },
  'device config_restore': { file: 'config.json' },
  'device config_flash': { action: 'save' },
  'project notes': {},
  'project note': { text: 'Border.', at: '$d020' },
  'project edit_note': { note: '3f2a9c1e', text: 'Border.' },
  'project remove_note': { note: '3f2a9c1e' },
  'project inspect': { folder: '.' },
  'project needs': { folder: '.' },
  'project answer': { folder: '.' },
  'project act': { folder: '.' },
  'project diff': { folder: '.' },
  'project validate': { folder: '.' },
}

const operations = tools.flatMap((tool) =>
  Object.entries(tool.operations).map(([op, operation]) => ({
    name: `${tool.name} ${op}`,
    tool: tool.name,
    op,
    operation,
  })),
)

/** What the paused machine runs for. */
const following = new Set(['debug profile', 'debug interrupts', 'debug frame', 'debug raster'])

let calls: CommandLine
let person: BridgeClient
let work: string

beforeAll(async () => {
  calls = new CommandLine()
  work = join(calls.folder, 'work')
  mkdirSync(work, { recursive: true })
  await calls.data('bridge', 'start')
  const line = await connect(socketPath(dataFolderOf(calls)))
  if (!line) throw new Error('The bridge does not answer.')
  person = new BridgeClient(line)
  await prepare()
}, 60_000)
afterAll(async () => {
  person.close()
  await calls.remove()
})

const call = <Name extends OwnedBy<'bridge'>>(name: Name, input: Input<Name>): Promise<Output<Name>> =>
  person.call(name, input)

/** Files, a snapshot, a checkpoint and a value search of the person, at a machine that stands. */
async function prepare(): Promise<void> {
  writeFileSync(join(work, 'program.prg'), Uint8Array.of(0x00, 0xc0, 0x4c, 0x00, 0xc0))
  writeFileSync(join(work, 'program.lbl'), 'al C:c000 .start\n')
  writeFileSync(join(work, 'disk.d64'), new Uint8Array(174_848))
  writeFileSync(join(work, 'charset.64c'), new Uint8Array(2 + 2048))
  writeFileSync(join(work, 'checks.yaml'), 'program: program.prg\nchecks:\n  - name: one\n    run: { frames: 1 }\n')
  writeFileSync(join(work, 'config.json'), '{}')
  await call('machine.connect', { machine: 'builtin', toPrompt: true })
  await call('machine.pause', { machine: 'builtin' })
  await call('machine.saveState', { machine: 'builtin', path: join(work, 'machine.bdstate'), past: 0 })
  await calls.data('snapshot', 'save', 'kept')
  await calls.data('checkpoint', 'add', '$c300')
  await calls.data('value', 'start')
  await calls.data('screen', '--png', join(work, 'baseline.png'))
}

/** All that an agent could have changed, in words that differ where it did. */
async function wholeState(): Promise<Record<string, string>> {
  const path = join(calls.folder, 'probe.bdstate')
  await call('machine.saveState', { machine: 'builtin', path, past: 0 })
  const { machines } = await call('machine.list', {})
  const states = machines.map(({ machine, connection, execution, warp, standard, slow }) => ({
    machine,
    connection,
    execution,
    warp,
    standard,
    slow,
  }))
  const kept = {
    states,
    checkpoints: await call('machine.checkpoints', { machine: 'builtin' }),
    snapshots: await call('snapshots.list', {}),
    values: await call('values.state', { machine: 'builtin' }),
    labels: await call('labels.files', { machine: 'builtin' }),
    // The list's own revision and sizes go on by themselves.
    tasks: (await call('tasks.list', { after: null })).tasks.map(({ id, status }) => ({ id, status })),
    saved: (await call('connections.list', {})).profiles,
    projects: await call('projects.list', {}),
    settings: await call('settings.get', {}),
  }
  return {
    machine: createHash('sha256').update(readFileSync(path)).digest('hex'),
    files: filesIn(work).join('\n'),
    ...Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, JSON.stringify(value)])),
  }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}`,
    )
    .toSorted()

const agentWith = (rights: readonly GrantableRight[]): Promise<Client> =>
  startAgent(calls, '--folder', work, ...rights.flatMap((right) => ['--allow', right]))

/** The arguments, with paths within the folder that the agent may use. */
function inWork(operation: (typeof operations)[number]['operation'], given: Given): Given {
  const taken = argumentsFor(operation)
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      taken.get(name)?.isPath && typeof value === 'string' ? join(work, value) : value,
    ]),
  )
}

/** What an operation needs to change anything with these arguments; none for one that only looks. */
function needed({ name, operation }: (typeof operations)[number], given: Given): GrantableRight[] {
  const usesFiles = [...argumentsFor(operation)].some(([argument, { isPath }]) => isPath && argument in given)
  const own = following.has(name) ? 'change' : operation.right
  return [...(own === 'look' ? [] : [own]), ...(usesFiles && own !== 'files' ? (['files'] as const) : [])]
}

it('Each operation of each tool has arguments with which it acts', () => {
  expect(Object.keys(acts)).toEqual(operations.map(({ name }) => name))
})

describe.each<[string, GrantableRight[]]>([
  ['no right', []],
  ['the right to change alone', ['change']],
  ['the rights for files alone', ['files', 'programs']],
  ['all rights but to change', grantableRights.filter((right) => right !== 'change')],
])('an agent with %s', (_, rights) => {
  it('leaves the machine, what is kept and all files as they were by what it has no right to, and by looking', async () => {
    const client = await agentWith(rights)
    let before = await wholeState()
    const changed: string[] = []
    for (const each of operations) {
      const given = acts[each.name] ?? {}
      const wanted = needed(each, given)
      const answer = await ask(client, each.tool, { op: each.op, ...inWork(each.operation, given) })
      const may = wanted.length > 0 && wanted.every((right) => rights.includes(right))
      if (may) {
        // What it left running changes the state later.
        await expect.poll(async () => (await call('tasks.live', {})).tasks, { timeout: 60_000 }).toEqual([])
        await call('machine.pause', { machine: 'builtin' })
        before = await wholeState()
        continue
      }
      const after = await wholeState()
      const parts = Object.keys(after).filter((part) => after[part] !== before[part])
      if (parts.length > 0) changed.push(`${each.name} changed ${parts.join(', ')}: ${answer.text.slice(0, 100)}`)
      if (wanted.length > 0 && !answer.isError) changed.push(`${each.name} was not refused`)
    }
    await client.close()
    expect(changed).toEqual([])
  }, 120_000)
})

describe('an agent without the right to connect', () => {
  let server: Server
  let connections = 0
  beforeAll(async () => {
    server = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  })
  afterAll(() => server.close())

  it('reaches no machine that the person has neither connected nor saved, with any operation', async () => {
    const { port } = server.address() as AddressInfo
    const client = await agentWith(grantableRights.filter((right) => right !== 'connect'))
    for (const each of operations) {
      if (!argumentsFor(each.operation).has('machine')) continue
      for (const machine of [`vice:${port}`, `ultimate:127.0.0.1:${port}`, `teensyrom:127.0.0.1:${port}`]) {
        await ask(client, each.tool, {
          op: each.op,
          ...inWork(each.operation, acts[each.name] ?? {}),
          machine,
        })
      }
    }
    await client.close()
    expect(connections).toBe(0)
    const { machines } = await call('machine.list', {})
    expect(machines.map(({ machine }) => machine)).toEqual(['builtin', 'vice'])
  }, 120_000)
})

describe.skipIf(process.platform === 'win32')('an agent beside a process that swaps links in its folder', () => {
  /** Of each operation, on each of the two paths that are swapped. */
  const TRIES = 25

  it.each<[string, string, Given]>([
    ['memory read', 'out', { op: 'read', address: '$0801', length: 1 }],
    ['run load', 'file', { op: 'load' }],
    ['snapshot save_state', 'file', { op: 'save_state' }],
    ['debug trace', 'out', { op: 'trace', count: 1 }],
    ['graphics load', 'file', { op: 'load', at: '$2000' }],
  ])('reaches no file outside by %s', async (name, argument, given) => {
    const root = join(calls.folder, name.replace(' ', '-'))
    mkdirSync(root)
    const swapped = await startSwapping(root)
    const client = await startAgent(calls, '--folder', swapped.inside, '--allow', 'change', '--allow', 'files')
    try {
      const outside = readFileSync(join(swapped.outside, 'file.prg'))
      for (let count = 0; count < TRIES; count++) {
        for (const path of ['file.prg', 'sub/file.prg']) {
          await call('memory.write', { machine: 'builtin', space: 'ram', address: 0xc000, bytes: Uint8Array.of(0) })
          await swapped.swappedAgain()
          const [tool = ''] = name.split(' ')
          await ask(client, tool, { ...given, [argument]: join(swapped.inside, path) })
          const { bytes } = await call('memory.read', { machine: 'builtin', space: 'ram', address: 0xc000, length: 1 })
          expect(bytes[0]).not.toBe(2)
        }
      }
      expect(readFileSync(join(swapped.outside, 'file.prg')).equals(outside)).toBe(true)
      expect(readdirSync(swapped.outside)).toEqual(['file.prg'])
    } finally {
      await client.close()
      await swapped.stop()
    }
  })
})
