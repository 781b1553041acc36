/**
 * Host keys to C64 keys. In both mappings Escape is RUN/STOP, Tab is CTRL, the left Alt is the Commodore key, PageUp is
 * RESTORE, Home is CLR/HOME, Backspace is INST/DEL. Ctrl belongs to the app (AltGr reports itself as Ctrl+Alt), so a
 * key pressed with it gives nothing. `symbolic` goes by the character that the host types, `positional` by the key's
 * place on a US keyboard.
 */
import { isC64Key, type C64Key } from './keyboardMatrix'
import { substitutes } from './petscii'

export type KeyMapping = 'symbolic' | 'positional'

export interface HostKey {
  readonly code: string
  readonly key: string
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
}

export type KeyOverrides = Readonly<Record<string, C64Key>>

const letters = Array.from('abcdefghijklmnopqrstuvwxyz').filter(isC64Key)
const digits = Array.from('0123456789').filter(isC64Key)

const namedKeys: Readonly<Record<string, readonly C64Key[]>> = {
  Enter: ['return'],
  NumpadEnter: ['return'],
  Space: ['space'],
  Backspace: ['inst_del'],
  Escape: ['run_stop'],
  Tab: ['ctrl'],
  AltLeft: ['commodore'],
  PageUp: ['restore'],
  Home: ['clr_home'],
  ShiftLeft: ['left_shift'],
  ShiftRight: ['right_shift'],
  ArrowRight: ['cursor_left_right'],
  ArrowLeft: ['left_shift', 'cursor_left_right'],
  ArrowDown: ['cursor_up_down'],
  ArrowUp: ['left_shift', 'cursor_up_down'],
  F1: ['f1'],
  F2: ['left_shift', 'f1'],
  F3: ['f3'],
  F4: ['left_shift', 'f3'],
  F5: ['f5'],
  F6: ['left_shift', 'f5'],
  F7: ['f7'],
  F8: ['left_shift', 'f7'],
}

const symbolicKeys: Readonly<Record<string, readonly C64Key[]>> = {
  Delete: ['inst_del'],
  Insert: ['left_shift', 'inst_del'],
}

const positionalKeys: Readonly<Record<string, readonly C64Key[]>> = {
  ...Object.fromEntries(letters.map((letter) => [`Key${letter.toUpperCase()}`, [letter]])),
  ...Object.fromEntries(digits.flatMap((digit) => [`Digit${digit}`, `Numpad${digit}`].map((code) => [code, [digit]]))),
  Backquote: ['arrow_left'],
  Minus: ['plus'],
  Equal: ['minus'],
  Insert: ['pound'],
  BracketLeft: ['at'],
  BracketRight: ['star'],
  Delete: ['arrow_up'],
  Semicolon: ['colon'],
  Quote: ['semicolon'],
  Backslash: ['equals'],
  Comma: ['comma'],
  Period: ['period'],
  Slash: ['slash'],
}

const characterKeys: ReadonlyMap<string, readonly C64Key[]> = new Map<string, readonly C64Key[]>([
  ...[...letters, ...digits].map((key) => [key, [key]] as const),
  ...letters.map((key) => [key.toUpperCase(), ['left_shift', key]] as const),
  ...digits.slice(1).map((key, index) => ['!"#$%&\'()'.charAt(index), ['left_shift', key]] as const),
  [' ', ['space']],
  ['+', ['plus']],
  ['-', ['minus']],
  ['*', ['star']],
  ['/', ['slash']],
  ['=', ['equals']],
  ['@', ['at']],
  [':', ['colon']],
  [';', ['semicolon']],
  [',', ['comma']],
  ['.', ['period']],
  ['£', ['pound']],
  ['↑', ['arrow_up']],
  ['←', ['arrow_left']],
  ['[', ['left_shift', 'colon']],
  [']', ['left_shift', 'semicolon']],
  ['<', ['left_shift', 'comma']],
  ['>', ['left_shift', 'period']],
  ['?', ['left_shift', 'slash']],
  ['π', ['left_shift', 'arrow_up']],
  ['│', ['left_shift', 'minus']],
])

const keysForCharacter = (character: string): readonly C64Key[] | undefined =>
  characterKeys.get(substitutes[character] ?? character)

/** Whether the character itself decides about SHIFT: `@` needs none on the C64, though the host typed it with one. */
const isTyped = (host: HostKey, mapping: KeyMapping, overrides: KeyOverrides): boolean =>
  mapping === 'symbolic' &&
  overrides[host.code] === undefined &&
  namedKeys[host.code] === undefined &&
  keysForCharacter(host.key) !== undefined

export function keysForHostEvent(host: HostKey, mapping: KeyMapping, overrides: KeyOverrides = {}): readonly C64Key[] {
  const override = overrides[host.code]
  if (override !== undefined) return [override]
  const ctrlIsOurs = overrides['ControlLeft'] === undefined && overrides['ControlRight'] === undefined
  if (host.metaKey || (host.ctrlKey && !host.altKey && ctrlIsOurs)) return []
  const named = namedKeys[host.code]
  if (named) return named
  if (mapping === 'positional') return positionalKeys[host.code] ?? []
  const typed = symbolicKeys[host.code] ?? keysForCharacter(host.key)
  // On a Mac, Alt makes other characters of the letters; a dead key makes none yet.
  return typed ?? (host.altKey || host.key === 'Dead' ? (positionalKeys[host.code] ?? []) : [])
}

/**
 * Each host key counts as it was when it went down, in the order of the presses. Symbolically typed characters alone
 * decide about SHIFT; where they disagree, the newest does.
 */
export function keysForHeldKeys(held: readonly HostKey[], mapping: KeyMapping, overrides: KeyOverrides = {}): C64Key[] {
  const newest = held.findLast((host) => isTyped(host, mapping, overrides))
  const shifted = (host: HostKey) => keysForHostEvent(host, mapping, overrides).includes('left_shift')
  const stays = (host: HostKey): boolean => {
    if (newest === undefined) return true
    if (isTyped(host, mapping, overrides)) return shifted(host) === shifted(newest)
    return (host.code !== 'ShiftLeft' && host.code !== 'ShiftRight') || overrides[host.code] !== undefined
  }
  const pressing = held.filter(stays)
  return [...new Set(pressing.flatMap((host) => keysForHostEvent(host, mapping, overrides)))]
}

export function c64KeyTitle(key: C64Key): string {
  return keyTitles[key] ?? key.toUpperCase()
}

const keyTitles: Partial<Record<C64Key, string>> = {
  inst_del: 'INST/DEL',
  return: 'RETURN',
  cursor_left_right: 'CRSR ⇆',
  cursor_up_down: 'CRSR ⇅',
  left_shift: 'left SHIFT',
  right_shift: 'right SHIFT',
  plus: '+',
  minus: '-',
  period: '.',
  colon: ':',
  at: '@',
  comma: ',',
  pound: '£',
  star: '*',
  semicolon: ';',
  clr_home: 'CLR/HOME',
  equals: '=',
  arrow_up: '↑',
  slash: '/',
  arrow_left: '←',
  ctrl: 'CTRL',
  space: 'SPACE',
  commodore: 'C=',
  run_stop: 'RUN/STOP',
  restore: 'RESTORE',
}

export function describeHostKeys(mapping: KeyMapping): readonly { host: string; c64: string }[] {
  const named = { ...namedKeys, ...(mapping === 'symbolic' ? symbolicKeys : positionalKeys) }
  const rows = Object.entries(named)
    .filter(([code]) => !/^(Key|Digit|Numpad|Space|Enter)/.test(code))
    .map(([code, keys]) => ({ host: hostKeyTitle(code), c64: keys.map(c64KeyTitle).join(' + ') }))
  if (mapping === 'positional') return rows
  return [
    ...rows,
    ...['\\', '^', '_', '~', '|'].map((host) => ({
      host,
      c64: (keysForCharacter(host) ?? []).map(c64KeyTitle).join(' + '),
    })),
  ]
}

export function hostKeyTitle(code: string): string {
  const side = /^(Alt|Shift|Control|Meta)(Left|Right)$/.exec(code)
  if (side) return `${(side[2] ?? '').toLowerCase()} ${side[1] ?? ''}`
  return code.replace(/^(Key|Digit)/, '').replace(/([a-z])([A-Z0-9])/g, '$1 $2')
}
