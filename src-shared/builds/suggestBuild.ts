export interface SuggestedBuild {
  readonly command: string
  readonly program: string
}

type Make = (source: string, name: (ending: string) => string) => string

const cc65: Make = (source, name) =>
  `cl65 -t c64 -g -Ln ${name('lbl')} -Wl --dbgfile,${name('dbg')} -o ${name('prg')} ${source}`
/** Without a definition 64tass gives no line numbers for its first file. */
const tass: Make = (source, name) =>
  `64tass -C -a -D BUILD=1 --vice-labels --labels=${name('vs')} --line-numbers --list=${name('lst')} -o ${name('prg')} ${source}`
const acme: Make = (source, name) =>
  `acme -f cbm --vicelabels ${name('vs')} --report ${name('rep')} -o ${name('prg')} ${source}`

const byEnding: Readonly<Record<string, Make>> = { c: cc65, s: cc65, asm: tass, tas: tass, a: acme, acme }

/**
 * Null for another kind of file, or one whose name a shell would not take as it is.
 * @param file without its folder
 */
export function suggestBuild(file: string): SuggestedBuild | null {
  const [, stem, ending = ''] = /^([\w][\w.+-]*)\.(\w+)$/.exec(file) ?? []
  const make = Object.hasOwn(byEnding, ending.toLowerCase()) ? byEnding[ending.toLowerCase()] : undefined
  if (stem === undefined || make === undefined) return null
  const name = (other: string) => `${stem}.${other}`
  return { command: make(file, name), program: name('prg') }
}
