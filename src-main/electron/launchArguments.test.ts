import { describe, expect, it } from 'vitest'
import { openRequestSchema, ownArguments, parseLaunchArguments } from './launchArguments'

describe('the app’s own arguments', () => {
  it('stand after --', () => {
    expect(ownArguments(['electron', '--no-sandbox', '/app', '--', '--view=memory', 'demo.prg'], false)).toEqual([
      '--view=memory',
      'demo.prg',
    ])
    expect(ownArguments(['electron', '/app'], false)).toEqual([])
  })

  it('are the files alone that a desktop gives a packaged app', () => {
    expect(ownArguments(['/opt/bridgedeck', '--ozone-platform=x11', '/home/a/demo.prg'], true)).toEqual([
      '/home/a/demo.prg',
    ])
  })
})

describe('parsed', () => {
  it('they say what to show and open', () => {
    expect(
      parseLaunchArguments([
        '--screenshot=a.png',
        '--view',
        'memory',
        '--machine',
        'vice:6502',
        '--size',
        '800x600',
        '--theme',
        'dark',
      ]),
    ).toEqual({
      screenshot: 'a.png',
      view: 'memory',
      machine: 'vice:6502',
      size: { width: 800, height: 600 },
      theme: 'dark',
      open: undefined,
    })
  })

  it('takes a view’s name in any case', () => {
    expect(parseLaunchArguments(['--view', 'Registers']).view).toBe('registers')
  })

  it.each([
    ['builtin', { kind: 'machine', machine: 'builtin' }],
    ['vice:localhost:6502', { kind: 'machine', machine: 'vice:localhost:6502' }],
    ['demo.prg', { kind: 'program', path: 'demo.prg' }],
    ['C:\\c64\\demo.prg', { kind: 'program', path: 'C:\\c64\\demo.prg' }],
    ['/vice/demo.prg', { kind: 'program', path: '/vice/demo.prg' }],
  ])('%s opens %j', (argument, open) => {
    expect(parseLaunchArguments([argument]).open).toEqual(open)
  })

  it.each([
    [['--size', 'big'], /--size takes pixels/],
    [['--theme', 'pink'], /theme|option/i],
    [['--view', '../x'], /--view takes/],
    [['--machine', 'VICE!'], /Machines are named/],
    [['--evil'], /evil/],
    [['a.prg', 'b.prg'], /one program/],
  ])('%j is refused in one sentence', (args, message) => {
    expect(() => parseLaunchArguments(args)).toThrow(message)
  })
})

describe('what a second start hands over', () => {
  it.each([
    null,
    'demo.prg',
    {},
    { kind: 'program' },
    { kind: 'program', path: '' },
    { kind: 'machine', machine: '$(x)' },
    { kind: 'eval', code: '1' },
  ])('is not %j', (handedOver) => {
    expect(openRequestSchema.safeParse(handedOver).success).toBe(false)
  })
})
