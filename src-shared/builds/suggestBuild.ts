/** What a file is usually built with, as a suggestion that the person changes or approves. */
export interface SuggestedBuild {
  readonly command: string
  /** What it makes, beside the source. */
  readonly program: string
}

type Make = (source: string, name: (ending: string) => string) => string

const cc65: Make = (source, name) =>
  `cl65 -t c64 -g -Ln ${name('lbl')} -Wl --dbgfile,${name('dbg')} -o ${name('prg')} ${source}`
/** Without a definition 64tass numbers no lines of its first file. */
const tass: Make = (source, name) =>
  `64tass -C -a -D BUILD=1 --vice-labels --labels=${name('vs')} --line-numbers --list=${name('lst')} -o ${name('prg')} ${source}`
const acme: Make = (source, name) =>
  `acme -f cbm --vicelabels ${name('vs')} --report ${name('rep')} -o ${name('prg')} ${source}`

const byEnding: Readonly<Record<string, Make>> = { c: cc65, s: cc65, asm: tass, tas: tass, a: acme, acme }

/** @param file without its folder; null for one of another kind, or whose name a shell would not take as it is */
export function suggestBuild(file: string): SuggestedBuild | null {
  const [, stem, ending = ''] = /^([\w][\w.+-]*)\.(\w+)$/.exec(file) ?? []
  const make = Object.hasOwn(byEnding, ending.toLowerCase()) ? byEnding[ending.toLowerCase()] : undefined
  if (stem === undefined || make === undefined) return null
  const name = (other: string) => `${stem}.${other}`
  return { command: make(file, name), program: name('prg') }
}
