/** The configuration of the stand-in Ultimate: categories of items, their flash copy and the texts of its errors. */
import { atLeast, isUltimate64, type UltimateOptions } from './ultimateOptions.ts'

export type ConfigValue = string | number

type Item = { readonly initial: ConfigValue } & (
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'int'; readonly min: number; readonly max: number }
  | { readonly kind: 'string'; readonly longest: number }
  | { readonly kind: 'preset'; readonly presets: readonly string[] }
)

const choice = (initial: string, ...values: string[]): Item => ({ kind: 'enum', initial, values })
const text = (initial: string, longest = 31): Item => ({ kind: 'string', initial, longest })
const int = (initial: number, min: number, max: number): Item => ({ kind: 'int', initial, min, max })
const file = (initial: string, ...presets: string[]): Item => ({ kind: 'preset', initial, presets })
const onOff = (initial: 'Enabled' | 'Disabled'): Item => choice(initial, 'Disabled', 'Enabled')

const drive = (bus: number, rom: string, enabled: 'Enabled' | 'Disabled') => ({
  Drive: onOff(enabled),
  'Drive Type': choice('1541', '1541', '1571', '1581'),
  'Drive Bus ID': int(bus, 8, 11),
  'ROM for 1541 mode': file(rom, '1541.rom', '1541c.rom', '1541-ii.rom'),
  'ROM for 1571 mode': file('1571.rom', '1571.rom'),
  'ROM for 1581 mode': file('1581.rom', '1581.rom'),
  'Extra RAM': onOff('Disabled'),
  'Resets when C64 resets': choice('Yes', 'No', 'Yes'),
})

export const DEBUG_MODES = [
  '6510 Only',
  'VIC Only',
  '6510 & VIC',
  '1541 Only',
  '6510 & 1541',
  '6510 w/IEC',
  '6510 & VIC w/IEC',
] as const

function categoriesOf(options: UltimateOptions): Record<string, Record<string, Item>> {
  return {
    'Audio Mixer': {
      'Vol UltiSid 1': choice('0 dB', 'OFF', '-6 dB', '0 dB', '+6 dB'),
      'Pan UltiSID 1': choice('Center', 'Left 3', 'Center', 'Right 3'),
    },
    'C64 and Cartridge Settings': {
      Cartridge: file('', 'None', 'final3.crt'),
      'RAM Expansion Unit': onOff('Disabled'),
      'REU Size': choice('2 MB', '128 KB', '512 KB', '2 MB', '16 MB'),
      'Map Ultimate Audio $DF20-DFFF': onOff('Disabled'),
      'Command Interface': onOff('Disabled'),
      'UltiDOS: Allow SetDate': onOff('Disabled'),
    },
    'Clock Settings': {
      Year: int(2026, 1980, 2079),
      Month: choice('July', 'June', 'July', 'August'),
      Day: int(4, 1, 31),
      Hours: int(12, 0, 23),
    },
    ...(isUltimate64(options) && {
      'Data Streams': {
        'Stream VIC to': text('239.0.1.64:11000', 36),
        'Stream Audio to': text('239.0.1.65:11001', 36),
        'Stream Debug to': text('239.0.1.66:11002', 36),
        'Debug Stream Mode': choice('6510 Only', ...DEBUG_MODES),
      },
      'U64 Specific Settings': {
        'System Mode': choice(options.standard === 'pal' ? 'PAL' : 'NTSC', 'PAL', 'NTSC'),
        'Palette Definition': file('', 'colodore.vpl'),
        'Turbo Control': choice('Off', 'Off', 'Manual', 'U64 Turbo Registers'),
        'CPU Speed': choice(' 1', ' 1', ' 2', ' 4', '48'),
      },
    }),
    'Drive A Settings': drive(8, '1541.rom', 'Enabled'),
    'Drive B Settings': drive(9, '1541.rom', 'Disabled'),
    'Network Settings': {
      'Host Name': text(options.hostname),
      ...(atLeast(options, '3.12') && { 'Network Password': text(options.password) }),
      'Ultimate Ident Service': onOff(options.ident ? 'Enabled' : 'Disabled'),
      'Ultimate DMA Service': onOff('Enabled'),
      'Telnet Remote Menu Service': onOff('Enabled'),
      'FTP File Service': onOff('Enabled'),
      'Web Remote Control Service': onOff('Enabled'),
    },
    'SoftIEC Drive Settings': {
      'IEC Drive': onOff('Disabled'),
      'Soft Drive Bus ID': int(11, 8, 30),
      'Default Path': text('/Usb0/', 60),
    },
    'User Interface Settings': {
      'Interface Type': choice('Freeze', 'Freeze', 'Overlay on HDMI'),
      'Background Color': int(0, 0, 15),
      'Border Color': int(0, 0, 15),
    },
  }
}

/** `*` for any text and `?` for one character, whatever their case. */
function matcher(pattern: string): (name: string) => boolean {
  const expression = new RegExp(
    `^${pattern
      .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    'i',
  )
  return (name) => expression.test(name)
}

interface Place {
  readonly category: string
  readonly name: string
  readonly item: Item
}

export class Configuration {
  #categories: Record<string, Record<string, Item>> = {}
  #values = new Map<string, ConfigValue>()
  #flash = new Map<string, ConfigValue>()

  constructor(options: UltimateOptions) {
    this.change(options)
  }

  /** Items whose default the options have changed take it; the rest keeps its values. */
  change(options: UltimateOptions): void {
    const before = this.#categories
    this.#categories = categoriesOf(options)
    const kept = this.#values
    this.#values = new Map()
    for (const { category, name, item } of this.#places('*')) {
      const same = before[category]?.[name]?.initial === item.initial
      this.#values.set(key(category, name), (same ? kept.get(key(category, name)) : undefined) ?? item.initial)
    }
    if (this.#flash.size === 0) this.#flash = new Map(this.#values)
  }

  get(category: string, name: string): string {
    return String(this.#values.get(key(category, name)) ?? '')
  }

  categories(): string[] {
    return Object.keys(this.#categories)
  }

  #places(categoryPattern: string, itemPattern = '*'): Place[] {
    const [isCategory, isItem] = [matcher(categoryPattern), matcher(itemPattern)]
    return Object.entries(this.#categories)
      .filter(([category]) => isCategory(category))
      .flatMap(([category, items]) =>
        Object.entries(items)
          .filter(([name]) => isItem(name))
          .map(([name, item]) => ({ category, name, item })),
      )
  }

  /** `{category: {item: value}}`. */
  list(categoryPattern: string): Record<string, Record<string, ConfigValue>> {
    const found: Record<string, Record<string, ConfigValue>> = {}
    for (const { category, name, item } of this.#places(categoryPattern)) {
      ;(found[category] ??= {})[name] = this.#values.get(key(category, name)) ?? item.initial
    }
    return found
  }

  /** `{category: {item: {current, …}}}`. */
  describe(categoryPattern: string, itemPattern: string): Record<string, Record<string, object>> {
    const found: Record<string, Record<string, object>> = {}
    for (const { category, name, item } of this.#places(categoryPattern, itemPattern)) {
      const current = this.#values.get(key(category, name)) ?? item.initial
      const limits =
        item.kind === 'enum'
          ? { values: item.values }
          : item.kind === 'int'
            ? { min: item.min, max: item.max }
            : item.kind === 'preset'
              ? { presets: item.presets }
              : {}
      ;(found[category] ??= {})[name] = { current, ...limits, default: item.initial }
    }
    return found
  }

  /** The error with its status, or null when the value was taken. */
  set(categoryPattern: string, itemPattern: string, value: ConfigValue): { status: number; text: string } | null {
    const categories = Object.keys(this.#categories).filter(matcher(categoryPattern))
    if (categories.length === 0)
      return { status: 404, text: `There is no config category that matches '${categoryPattern}'` }
    const places = this.#places(categoryPattern, itemPattern)
    if (places.length === 0) {
      return {
        status: 404,
        text: `Item '${itemPattern}' not found in this configuration category [${categories.join(', ')}].`,
      }
    }
    for (const { category, name, item } of places) {
      if (item.kind === 'enum') {
        const chosen = item.values.find((known) => known.toLowerCase() === String(value).toLowerCase())
        if (chosen === undefined)
          return { status: 400, text: `Value '${value}' is not a valid choice for item ${name}` }
        this.#values.set(key(category, name), chosen)
      } else if (item.kind === 'int') {
        const number = Number.parseInt(String(value), 10) || 0
        if (number < item.min || number > item.max) {
          return { status: 400, text: `Value ${number} is outside of the allowable range (${item.min}-${item.max})` }
        }
        this.#values.set(key(category, name), number)
      } else {
        this.#values.set(
          key(category, name),
          item.kind === 'string' ? String(value).slice(0, item.longest) : String(value),
        )
      }
    }
    return null
  }

  /** Each answers with the categories that it met. */
  loadFromFlash(categoryPattern: string): string[] {
    return this.#each(categoryPattern, (at, item) => this.#values.set(at, this.#flash.get(at) ?? item.initial))
  }

  resetToDefault(categoryPattern: string): string[] {
    return this.#each(categoryPattern, (at, item) => this.#values.set(at, item.initial))
  }

  /** Writes categories that differ from their flash copy, and names them. */
  saveToFlash(categoryPattern: string): string[] {
    const stale = this.#places(categoryPattern).filter(
      ({ category, name }) => this.#values.get(key(category, name)) !== this.#flash.get(key(category, name)),
    )
    for (const { category, name, item } of stale)
      this.#flash.set(key(category, name), this.#values.get(key(category, name)) ?? item.initial)
    return [...new Set(stale.map(({ category }) => category))]
  }

  #each(categoryPattern: string, act: (at: string, item: Item) => unknown): string[] {
    const places = this.#places(categoryPattern)
    places.forEach(({ category, name, item }) => act(key(category, name), item))
    return [...new Set(places.map(({ category }) => category))]
  }
}

const key = (category: string, item: string): string => `${category}/${item}`
