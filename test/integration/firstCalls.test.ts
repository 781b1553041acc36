/**
 * Calls as a model makes them that has only glanced at the list of tools: collected from a model that was given the list and jobs,
 * in November 2026. Each is carried out as it is meant, or refused with all that the next call needs.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine } from '../support/commandLine'
import { ask, startAgent } from '../support/mcpClient'

type Call = readonly [tool: string, given: Readonly<Record<string, unknown>>]

let calls: CommandLine
let client: Client
beforeAll(async () => {
  calls = new CommandLine()
  writeFileSync(join(calls.folder, 'demo.asm'), '* = $c000\nloop inc $d020\n jmp loop\n')
  client = await startAgent(calls, '--allow', 'change', '--allow', 'files')
  await ask(client, 'snapshot', { op: 'save', name: 'begin' })
  await ask(client, 'debug', { op: 'checkpoint', range: '$c200' })
})
afterAll(async () => {
  await client.close()
  await calls.remove()
})

const source = '* = $c000\n lda #2\n sta $d020\n rts'

describe.each<Call>([
  ['machine', { op: 'warp', state: false }],
  ['machine', { op: 'standard', standard: 'PAL' }],
  ['memory', { op: 'read', address: 53280, length: '1' }],
  ['memory', { op: 'read', address: 'd020' }],
  ['memory', { op: 'write', address: '$c100', bytes: [2, 3] }],
  ['memory', { op: 'write', address: '$c100', bytes: '0x02,0x03' }],
  ['memory', { op: 'freeze', address: '$c100', value: '$05' }],
  ['memory', { op: 'search', query: 'ready', as: 'TEXT' }],
  ['debug', { op: 'set', name: 'a', value: 5 }],
  ['debug', { op: 'checkpoint', range: '$c201', on: 'EXEC' }],
  ['type', { text: 'LIST' }],
  ['type', { op: 'keys', keys: 'SPACE' }],
  ['graphics', { op: 'sprite', sprite: 0, multicolour: true, power: false }],
  ['sound', { op: 'note', note: 440 }],
])('%s %j', (tool, given) => {
  it('is done', async () => {
    const { text, isError } = await ask(client, tool, given)
    expect([text, isError]).toEqual([expect.any(String), false])
  })
})

it('Numbers for bytes are decimal, as JSON has no others', async () => {
  await ask(client, 'memory', { op: 'write', address: '$c400', bytes: [16, 255] })
  await ask(client, 'memory', { op: 'write', address: '$c402', bytes: 32 })
  const { text } = await ask(client, 'memory', { op: 'read', address: '$c400', length: 3 })
  expect(text).toContain('10 FF 20')
})

it('Memory under the chips is told to be that', async () => {
  const { text } = await ask(client, 'memory', { op: 'read', address: '$d020', length: 1 })
  expect(text).toContain('This is the RAM under the chips; their registers are the bank io.')
})

describe.each<readonly [...wrong: Call, right: Call]>([
  ['machine', { op: 'status' }, ['machine', { op: 'state' }]],
  ['machine', { op: 'info' }, ['machine', { op: 'state' }]],
  ['machine', { op: 'connect', machine: 'builtin' }, ['machine', { op: 'state', machine: 'builtin' }]],
  ['machine', { action: 'list' }, ['machine', { op: 'list' }]],
  ['machine', { op: 'reset', type: 'hard' }, ['machine', { op: 'reset', kind: 'power' }]],
  ['machine', { op: 'reset', kind: 'hard' }, ['machine', { op: 'reset', kind: 'power' }]],
  ['machine', { op: 'warp' }, ['machine', { op: 'warp', state: 'off' }]],
  ['machine', { op: 'warp', on: false }, ['machine', { op: 'warp', state: 'off' }]],
  ['machine', { op: 'standard', value: 'pal' }, ['machine', { op: 'standard', standard: 'pal' }]],
  ['machine', { op: 'state', machine: 'c64' }, ['machine', { op: 'state', machine: 'builtin' }]],
  ['see', { op: 'text' }, ['see', { op: 'screen' }]],
  ['see', { op: 'screenshot' }, ['see', { op: 'picture' }]],
  ['see', { op: 'registers' }, ['debug', { op: 'registers' }]],
  ['see', { op: 'memory', address: '$0400' }, ['memory', { op: 'read', address: '$0400' }]],
  ['see', { op: 'labels', query: 'main' }, ['see', { op: 'labels', find: 'main' }]],
  ['memory', { op: 'read', addr: '$0400', len: 1 }, ['memory', { op: 'read', address: '$0400', length: 1 }]],
  ['memory', { op: 'read', address: '$0400', count: 40 }, ['memory', { op: 'read', address: '$0400', length: 40 }]],
  ['memory', { op: 'read', range: '$0400-$0427' }, ['memory', { op: 'read', address: '$0400', length: 40 }]],
  ['memory', { op: 'read', start: '$0400', end: '$0427' }, ['memory', { op: 'read', address: '$0400', length: 40 }]],
  ['memory', { op: 'read', address: '$0400', format: 'c' }, ['memory', { op: 'read', address: '$0400', as: 'c' }]],
  ['memory', { op: 'write', address: '$c100', value: 2 }, ['memory', { op: 'write', address: '$c100', bytes: '02' }]],
  ['memory', { op: 'write', address: '$c100', data: '02' }, ['memory', { op: 'write', address: '$c100', bytes: '02' }]],
  ['memory', { op: 'poke', address: 49408, value: 2 }, ['memory', { op: 'write', address: 49408, bytes: '02' }]],
  ['memory', { op: 'fill', address: '$c100', bytes: '00' }, ['memory', { op: 'write', address: '$c100', bytes: '00' }]],
  ['memory', { op: 'search', pattern: 'READY' }, ['memory', { op: 'search', query: 'READY', as: 'text' }]],
  ['memory', { op: 'search', query: 'A9', start: '$c000' }, ['memory', { op: 'search', query: 'A9', range: '$c000' }]],
  ['memory', { op: 'disassemble', address: '$c000' }, ['debug', { op: 'disassemble', address: '$c000' }]],
  ['memory', { op: 'freeze', address: '$c100', bytes: '05' }, ['memory', { op: 'freeze', address: '$c100', value: 5 }]],
  ['memory', { op: 'unfreeze', address: '$c100' }, ['memory', { op: 'release', address: '$c100' }]],
  ['memory', { op: 'copy', from: '$0400', to: '$c300' }, ['memory', { op: 'copy', range: '$0400', to: '$c300' }]],
  ['memory', { op: 'diff', name: 'begin' }, ['memory', { op: 'diff', before: 'begin' }]],
  ['memory', { op: 'compare', name: 'begin' }, ['memory', { op: 'diff', before: 'begin' }]],
  ['run', { op: 'assemble', source }, ['run', { op: 'assembly', source }]],
  ['run', { op: 'asm', code: source }, ['run', { op: 'assembly', source }]],
  ['run', { op: 'assembly', code: source }, ['run', { op: 'assembly', source }]],
  ['run', { op: 'assembly', file: 'demo.asm' }, ['run', { op: 'file', file: 'demo.asm' }]],
  ['run', { op: 'prg', file: 'demo.asm' }, ['run', { op: 'file', file: 'demo.asm' }]],
  ['run', { op: 'file', path: 'demo.asm' }, ['run', { op: 'file', file: 'demo.asm' }]],
  ['debug', { op: 'breakpoint', range: '$c202' }, ['debug', { op: 'checkpoint', range: '$c202' }]],
  ['debug', { op: 'watchpoint', range: '$c203' }, ['debug', { op: 'checkpoint', range: '$c203' }]],
  ['debug', { op: 'checkpoint', address: '$c204' }, ['debug', { op: 'checkpoint', range: '$c204' }]],
  [
    'debug',
    { op: 'checkpoint', range: '$2', on: ['write'] },
    ['debug', { op: 'checkpoint', range: '$2', on: ['store'] }],
  ],
  ['debug', { op: 'step_over' }, ['debug', { op: 'step', over: true }]],
  ['debug', { op: 'step', to_next: 'vblank' }, ['debug', { op: 'step', to_next: 'frame' }]],
  [
    'debug',
    { op: 'disassemble', address: '$c000', length: 9 },
    ['debug', { op: 'disassemble', address: '$c000', count: 9 }],
  ],
  ['debug', { op: 'disassemble', range: '$c000' }, ['debug', { op: 'disassemble', address: '$c000' }]],
  ['debug', { op: 'set', register: 'A', value: 5 }, ['debug', { op: 'set', name: 'A', value: 5 }]],
  ['debug', { op: 'disable', id: 1 }, ['debug', { op: 'disable', number: 1 }]],
  [
    'debug',
    { op: 'assemble', address: '$c000', instruction: 'nop' },
    ['debug', { op: 'assemble', address: '$c000', line: 'nop' }],
  ],
  ['debug', { op: 'back', frames: 1 }, ['debug', { op: 'back', unit: 'frame' }]],
  ['debug', { op: 'continue' }, ['machine', { op: 'resume' }]],
  ['type', { op: 'text', text: 'LIST', enter: true }, ['type', { op: 'text', text: 'LIST', return: true }]],
  ['type', { op: 'type', text: 'LIST' }, ['type', { op: 'text', text: 'LIST' }]],
  ['type', { op: 'key', keys: 'space' }, ['type', { op: 'keys', keys: 'space' }]],
  ['type', { op: 'joystick', direction: 'up' }, ['type', { op: 'joystick', inputs: 'up' }]],
  ['type', { op: 'joystick', inputs: 'up', duration: 40 }, ['type', { op: 'joystick', inputs: 'up', hold: 40 }]],
  ['graphics', { op: 'sprite', number: 0, x: 100 }, ['graphics', { op: 'sprite', sprite: 0, x: 100 }]],
  ['graphics', { op: 'sprite', sprite: 0, color: 'red' }, ['graphics', { op: 'sprite', sprite: 0, colour: 'red' }]],
  ['graphics', { op: 'sprite', sprite: 0, enabled: true }, ['graphics', { op: 'sprite', sprite: 0, power: true }]],
  ['graphics', { op: 'text', text: 'HI', x: 3, y: 2 }, ['graphics', { op: 'text', text: 'HI', column: 3, row: 2 }]],
  ['graphics', { op: 'save', path: 'a.png' }, ['graphics', { op: 'save', file: 'a.png' }]],
  ['graphics', { op: 'screenshot' }, ['see', { op: 'picture' }]],
  ['sound', { op: 'play', note: 'C4' }, ['sound', { op: 'note', note: 'C4' }]],
  ['sound', { op: 'note', frequency: 440 }, ['sound', { op: 'note', note: 440 }]],
  ['sound', { op: 'note', note: 'A4', duration: 100 }, ['sound', { op: 'note', note: 'A4', hold: 100 }]],
  ['sound', { op: 'note', note: 'A4', waveform: 'square' }, ['sound', { op: 'note', note: 'A4', waveform: 'pulse' }]],
  ['sound', { op: 'volume', value: 15 }, ['sound', { op: 'volume', volume: 15 }]],
  ['sound', { op: 'stop' }, ['sound', { op: 'off' }]],
  ['snapshot', { op: 'create', name: 'one' }, ['snapshot', { op: 'save', name: 'one' }]],
  ['snapshot', { op: 'save' }, ['snapshot', { op: 'save', name: 'two' }]],
  ['snapshot', { op: 'load', name: 'begin' }, ['snapshot', { op: 'restore', name: 'begin' }]],
  ['snapshot', { op: 'compare', before: 'begin' }, ['memory', { op: 'diff', before: 'begin' }]],
  ['snapshot', { op: 'save_state', path: 's.vsf' }, ['snapshot', { op: 'save_state', file: 's.vsf' }]],
  ['tasks', { op: 'list_operations' }, ['tasks', { op: 'operations' }]],
  ['tasks', { op: 'run', name: 'read' }, ['tasks', { op: 'run', operation: 'read', args: { address: '$d020' } }]],
  ['tasks', { op: 'status' }, ['tasks', { op: 'list' }]],
  ['recording', { op: 'start' }, ['tasks', { op: 'list' }]],
])('%s %j', (tool, wrong, [rightTool, right]) => {
  it('is refused with the words of the next call, which is done', async () => {
    const refused = await ask(client, tool, wrong)
    expect(refused.isError).toBe(true)
    const news = [
      ...(rightTool === tool ? [] : [rightTool]),
      ...(right['op'] === wrong['op'] ? [] : [String(right['op'])]),
      ...Object.keys(right).filter((name) => !(name in wrong)),
      ...Object.entries(right).flatMap(([name, value]) =>
        name in wrong && name !== 'op' && wrong[name] !== value ? [String(value)] : [],
      ),
    ]
    expect(news.filter((word) => !refused.text.includes(word))).toEqual([])
    const { text, isError } = await ask(client, rightTool, right)
    expect([text, isError]).toEqual([expect.any(String), false])
  })
})
