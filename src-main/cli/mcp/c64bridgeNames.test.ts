import { describe, expect, it } from 'vitest'
import { c64bridgeNames, ourCall } from './c64bridgeNames'
import { findTool } from './findTool'
import { argumentsFor } from './tool'
import { tools } from './tools'

const all = Object.entries(c64bridgeNames).flatMap(([tool, operations]) =>
  Object.entries(operations).map(([op, meant]) => [`${tool} ${op}`, meant] as const),
)

describe('c64bridge’s', () => {
  it.each(all)('%s is an operation of ours, with arguments that it takes', (_, { as, names = {}, also = {} }) => {
    const [tool, op = ''] = as.split(' ')
    const operation = tools.find(({ name }) => name === tool)?.operations[op]
    expect(operation).toBeDefined()
    const known = operation ? [...argumentsFor(operation).keys()] : []
    for (const name of [...Object.values(names), ...Object.keys(also)]) expect(known).toContain(name)
  })

  it.each<[string, Record<string, unknown>, string, Record<string, unknown>]>([
    [
      'c64_memory',
      { op: 'read', address: '$0400', length: 4 },
      'memory',
      { op: 'read', address: '$0400', length: 4, bank: 'cpu' },
    ],
    [
      'c64_memory',
      { op: 'wait_for_text', pattern: 'READY.', timeoutMs: 2500, intervalMs: 50, isRegex: false },
      'type',
      { op: 'wait', wait_for: 'READY.', timeout: 3 },
    ],
    ['c64_program', { op: 'upload_run_asm', program: ' rts' }, 'run', { op: 'assembly', source: ' rts' }],
    ['c64_drive', { op: 'power_on', drive: 'a' }, 'drives', { op: 'set', drive: 'a', power: 'on' }],
    [
      'c64_config',
      { op: 'set', category: 'C', item: 'I', value: 1 },
      'device',
      { op: 'config_set', category: 'C', values: ['I=1'] },
    ],
    [
      'c64_graphics',
      { op: 'render_sprite', sprite: 'ff', index: 2, color: 5, multicolour: true },
      'graphics',
      { op: 'sprite', data: 'ff', sprite: 2, x: 100, y: 100, colour: 5, multicolour: 'on' },
    ],
    [
      'c64_sound',
      { op: 'note_on', frequencyHz: 440, waveform: 'tri' },
      'sound',
      { op: 'note', note: '440', waveform: 'triangle' },
    ],
    ['c64_input', { op: 'key', key: 'F1', durationMs: 200 }, 'type', { op: 'keys', keys: ['F1'], hold: 200 }],
    [
      'c64_system',
      { op: 'start_task', name: 'look', operation: 'read', arguments: { address: '$0400' }, intervalMs: 500 },
      'tasks',
      { op: 'start', name: 'look', operation: 'read', args: '{"address":"$0400"}', interval: 500 },
    ],
  ])('%s %o is ours', (name, given, tool, ours) => {
    expect(ourCall(name, given)).toEqual({ tool, given: ours })
    expect(findTool(name, given).tool.name).toBe(tool)
  })

  it('operations without a like here are refused with those that have one', () => {
    expect(() => ourCall('c64_sound', { op: 'analyze' })).toThrow(
      /^c64_sound has no op “analyze” here\. Known: note_on, /,
    )
    expect(() => ourCall('c64_memory', { op: 'reed' })).toThrow('Did you mean read?')
    expect(() => findTool('c64_rag', { op: 'asm' })).toThrow('There is no tool “c64_rag”.')
    expect(() => findTool('memry', {})).toThrow('Did you mean memory?')
    expect(ourCall('__proto__', { op: 'toString' })).toBeNull()
  })

  it('names are no part of the list of tools', () => {
    expect(tools.some(({ name }) => name.startsWith('c64_'))).toBe(false)
  })
})
