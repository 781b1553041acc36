/** The names of PETSCII's control codes in listings, as VICE's petcat writes them; more than one for some. */
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

const codes = new Map(
  Object.entries(named).flatMap(([code, names]) => names.split(' ').map((name) => [name, Number(code)] as const)),
)

/** The code that stands in braces: `clr`, `$93`, `147`; null for none. */
export function controlCode(text: string): number | null {
  const written = text.trim().toLowerCase()
  const known = codes.get(written)
  if (known !== undefined) return known
  const number = /^\$[0-9a-f]{1,2}$/.test(written)
    ? Number.parseInt(written.slice(1), 16)
    : /^\d{1,3}$/.test(written)
      ? Number(written)
      : 256
  return number < 256 ? number : null
}

/** `clr`, or `$01` for a code without a name. */
export const controlName = (code: number): string =>
  named[code]?.split(' ')[0] ?? `$${code.toString(16).padStart(2, '0')}`
