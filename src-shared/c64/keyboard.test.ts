import { describe, expect, it } from 'vitest'
import {
  c64KeyTitle,
  describeHostKeys,
  hostKeyTitle,
  keysForHeldKeys,
  keysForHostEvent,
  type HostKey,
} from './keyboard'
import { c64Keys } from './keyboardMatrix'

const host = (code: string, key: string, held: Partial<HostKey> = {}): HostKey => ({
  code,
  key,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...held,
})
const shift = host('ShiftLeft', 'Shift', { shiftKey: true })

describe('the symbolic mapping', () => {
  it.each([
    ['"', ['left_shift', '2']],
    ['a', ['a']],
    ['A', ['left_shift', 'a']],
    ['@', ['at']],
    ['[', ['left_shift', 'colon']],
    ['(', ['left_shift', '8']],
    [')', ['left_shift', '9']],
    ['0', ['0']],
    ['^', ['arrow_up']],
    ['_', ['arrow_left']],
    ['\\', ['pound']],
    ['~', ['left_shift', 'arrow_up']],
  ])('types %s with the keys that make it', (character, keys) => {
    expect(keysForHostEvent(host('Unidentified', character), 'symbolic')).toEqual(keys)
  })

  it('leaves out the host’s SHIFT where the C64 needs none for that character', () => {
    const at = host('Digit2', '@', { shiftKey: true })
    expect(keysForHeldKeys([shift, at], 'symbolic')).toEqual(['at'])
    expect(keysForHeldKeys([shift], 'symbolic')).toEqual(['left_shift'])
  })

  it('lets the newest of overlapping characters decide about SHIFT, and holds together what agrees', () => {
    const quote = host('Quote', '"', { shiftKey: true })
    const k = host('KeyK', 'k')
    expect(keysForHeldKeys([quote, k], 'symbolic')).toEqual(['k'])
    expect(keysForHeldKeys([k, quote], 'symbolic')).toEqual(['left_shift', '2'])
    expect(keysForHeldKeys([host('KeyW', 'w'), host('KeyD', 'd')], 'symbolic')).toEqual(['w', 'd'])
  })

  it('keeps the host’s SHIFT for keys without a character', () => {
    expect(keysForHeldKeys([shift, host('Home', 'Home', { shiftKey: true })], 'symbolic')).toEqual([
      'left_shift',
      'clr_home',
    ])
  })

  it('presses nothing for a character that the C64 has not', () => {
    expect(keysForHostEvent(host('Quote', 'ä'), 'symbolic')).toEqual([])
  })

  it('goes by place when Alt made another character of the key', () => {
    expect(keysForHostEvent(host('KeyA', 'å', { altKey: true }), 'symbolic')).toEqual(['a'])
    expect(
      keysForHeldKeys([host('AltLeft', 'Alt', { altKey: true }), host('KeyA', 'å', { altKey: true })], 'symbolic'),
    ).toEqual(['commodore', 'a'])
  })

  it('types what AltGr gives, which is reported as Ctrl and Alt', () => {
    expect(keysForHostEvent(host('Digit8', '[', { ctrlKey: true, altKey: true }), 'symbolic')).toEqual([
      'left_shift',
      'colon',
    ])
  })
})

describe('the positional mapping', () => {
  it('goes by the key’s place, whatever it types', () => {
    expect(keysForHostEvent(host('KeyY', 'z'), 'positional')).toEqual(['y'])
    expect(keysForHostEvent(host('BracketLeft', 'ü'), 'positional')).toEqual(['at'])
    expect(keysForHeldKeys([shift, host('Digit2', '@', { shiftKey: true })], 'positional')).toEqual(['left_shift', '2'])
  })

  it('reaches every key of the C64', () => {
    const codes = [
      'Backquote',
      'Minus',
      'Equal',
      'Insert',
      'Delete',
      'BracketLeft',
      'BracketRight',
      'Backslash',
      'Semicolon',
      'Quote',
      'Comma',
      'Period',
      'Slash',
      'Space',
      'Enter',
      'Backspace',
      'Escape',
      'Tab',
      'AltLeft',
      'PageUp',
      'Home',
      'ShiftLeft',
      'ShiftRight',
      'ArrowDown',
      'ArrowRight',
      'F1',
      'F3',
      'F5',
      'F7',
      ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ', (letter) => `Key${letter}`),
      ...Array.from('0123456789', (digit) => `Digit${digit}`),
    ]
    const reached = codes.flatMap((code) => keysForHostEvent(host(code, ''), 'positional'))
    expect(new Set(reached)).toEqual(new Set(c64Keys))
  })
})

describe('both mappings', () => {
  it.each(['symbolic', 'positional'] as const)('%s: cursor up and left are the shifted cursor keys', (mapping) => {
    expect(keysForHostEvent(host('ArrowUp', 'ArrowUp'), mapping)).toEqual(['left_shift', 'cursor_up_down'])
    expect(keysForHostEvent(host('ArrowDown', 'ArrowDown'), mapping)).toEqual(['cursor_up_down'])
    expect(keysForHostEvent(host('F8', 'F8'), mapping)).toEqual(['left_shift', 'f7'])
  })

  it.each(['symbolic', 'positional'] as const)('%s: keys pressed with Ctrl or Meta are the app’s', (mapping) => {
    expect(keysForHostEvent(host('KeyC', 'c', { ctrlKey: true }), mapping)).toEqual([])
    expect(keysForHostEvent(host('KeyC', 'c', { metaKey: true }), mapping)).toEqual([])
  })

  it('let an override win', () => {
    const overrides = { ControlLeft: 'ctrl', KeyA: 'run_stop' } as const
    expect(keysForHostEvent(host('KeyA', 'a'), 'symbolic', overrides)).toEqual(['run_stop'])
    const ctrl = host('ControlLeft', 'Control', { ctrlKey: true })
    expect(keysForHeldKeys([ctrl, host('KeyB', 'b', { ctrlKey: true })], 'symbolic', overrides)).toEqual(['ctrl', 'b'])
  })

  it('press a key once that two host keys give', () => {
    expect(keysForHeldKeys([host('Digit1', '1'), host('Numpad1', '1')], 'symbolic')).toEqual(['1'])
  })
})

describe('the help page', () => {
  it('says where the keys without a counterpart are', () => {
    expect(describeHostKeys('symbolic')).toContainEqual({ host: 'Escape', c64: 'RUN/STOP' })
    expect(describeHostKeys('symbolic')).toContainEqual({ host: 'left Alt', c64: 'C=' })
    expect(describeHostKeys('symbolic')).toContainEqual({ host: '^', c64: '↑' })
    expect(describeHostKeys('positional')).toContainEqual({ host: 'Bracket Left', c64: '@' })
  })

  it('names each key', () => {
    expect(c64Keys.every((key) => !c64KeyTitle(key).includes('_'))).toBe(true)
    expect(['KeyA', 'Digit7', 'ControlRight', 'ArrowUp', 'F1'].map(hostKeyTitle)).toEqual([
      'A',
      '7',
      'right Control',
      'Arrow Up',
      'F1',
    ])
  })
})
