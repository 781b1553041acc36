/** Names of PETSCII's control codes as VICE's petcat writes them; some have several. */
const named: Readonly<Record<number, string>> = {
  0x05: 'wht white',
  0x08: 'dish',
  0x09: 'ensh',
  0x0d: 'ret return',
  0x0e: 'swlc lower',
  0x11: 'down',
  0x12: 'rvon rvs reverse',
  0x13: 'home',
  0x14: 'del delete',
  0x1c: 'red',
  0x1d: 'rght right',
  0x1e: 'grn green',
  0x1f: 'blu blue',
  0x81: 'orng orange',
  0x85: 'f1',
  0x86: 'f3',
  0x87: 'f5',
  0x88: 'f7',
  0x89: 'f2',
  0x8a: 'f4',
  0x8b: 'f6',
  0x8c: 'f8',
  0x8d: 'sret',
  0x8e: 'swuc upper',
  0x90: 'blk black',
  0x91: 'up',
  0x92: 'rvof off',
  0x93: 'clr clear',
  0x94: 'inst insert',
  0x95: 'brn brown',
  0x96: 'lred pink',
  0x97: 'gry1 darkgrey',
  0x98: 'gry2 grey',
  0x99: 'lgrn lightgreen',
  0x9a: 'lblu lightblue',
  0x9b: 'gry3 lightgrey',
  0x9c: 'pur purple',
  0x9d: 'left',
  0x9e: 'yel yellow',
  0x9f: 'cyn cyan',
  0xa0: 'shsp',
}

const alsoNamed: Readonly<Record<number, string>> = {
  0x12: 'reverseon rvson revon',
  0x20: 'space spaces spc',
  0x5c: 'pound',
  0x5e: 'arrowup uparrow',
  0x5f: 'arrowleft leftarrow',
  0x92: 'reverseoff rvsoff revoff rvoff',
  0x93: 'cls',
  0x96: 'lightred',
  0x97: 'darkgray gray1 grey1',
  0x98: 'gray gray2 grey2 mediumgray',
  0x9b: 'lightgray gray3 grey3',
  0xa0: 'shiftspace',
  0xff: 'pi',
}

/** Codes of the Commodore key with each key of `COMMODORE_KEYS`: the KERNAL's table at $EC03. */
const commodoreCodes = [
  0xb0, 0xbf, 0xbc, 0xac, 0xb1, 0xbb, 0xa5, 0xb4, 0xa2, 0xb5, 0xa1, 0xb6, 0xa7, 0xaa, 0xb9, 0xaf, 0xab, 0xb2, 0xae,
  0xa3, 0xb8, 0xbe, 0xb3, 0xbd, 0xb7, 0xad, 0xa4, 0xdf, 0xa6, 0xdc, 0xa8,
]
const COMMODORE_KEYS = 'abcdefghijklmnopqrstuvwxyz@*+-£'

/** As `commodoreCodes`, for SHIFT: the table at $EBC2. */
const shiftCodes = [0xba, 0xc0, 0xdb, 0xdd, 0xa9, 0xde, 0xde]
const SHIFT_KEYS = '@*+-£↑^'

const codes = new Map(
  [...Object.entries(named), ...Object.entries(alsoNamed)].flatMap(([code, names]) =>
    names.split(' ').map((name) => [name, Number(code)] as const),
  ),
)

/** The most repeats of one code: no line is longer. */
const MAX_TIMES = 250

/**
 * The codes for a text in braces; null for none. By name, number or keys: `clr`, `light blue`, `$93`, `147`, `CBM-A`,
 * `shift *`; repeated as `down*3`, `3 down` or `down:3`.
 */
export function controlCodes(text: string): readonly number[] | null {
  const written = text.trim().toLowerCase()
  const one = controlCode(written)
  if (one !== null) return [one]
  const { times = '', of = '' } =
    /^(?<times>\d{1,3})\s*(?:\*\s*)?(?<of>\D.*)$/.exec(written)?.groups ??
    /^(?<of>.*\S)\s*[*:]\s*(?<times>\d{1,3})$/.exec(written)?.groups ??
    {}
  const code = controlCode(of)
  return code === null || Number(times) > MAX_TIMES ? null : Array.from({ length: Number(times) }, () => code)
}

function controlCode(written: string): number | null {
  const known = codes.get(written.replaceAll(/[ _-]/g, '')) ?? keyCode(written)
  if (known !== undefined) return known
  const number = /^\$[0-9a-f]{1,2}$/.test(written)
    ? Number.parseInt(written.slice(1), 16)
    : /^\d{1,3}$/.test(written)
      ? Number(written)
      : 256
  return number < 256 ? number : null
}

function keyCode(written: string): number | undefined {
  const [, held = '', name = ''] = /^(cm|cbm|c=|sh|shift)[ +-]?(.|pound)$/.exec(written) ?? []
  const key = name === 'pound' ? '£' : name
  if (key === '') return undefined
  if (held.startsWith('c')) return commodoreCodes[COMMODORE_KEYS.indexOf(key)]
  return /^[a-z]$/.test(key) ? key.charCodeAt(0) + 0x60 : shiftCodes[SHIFT_KEYS.indexOf(key)]
}

export const controlName = (code: number): string =>
  named[code]?.split(' ')[0] ?? `$${code.toString(16).padStart(2, '0')}`
