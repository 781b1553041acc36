/**
 * Lists of `name = value`: 64tass (`--labels`: numbers as in the source, quoted texts, variables with `:=`;
 * `--dump-labels` adds a place, `main.asm:9:1: `) and ACME (`--symbollist`: hexadecimal, `; ?` for unused). In 64tass's
 * lists an address has a `$`; a decimal number is a constant, and so is a value above an address. Tried with 64tass
 * 1.58 and ACME 0.97.
 */
import { LabelCollector, linesOf, splitName, type LabelFile } from './labelFile'

const entry = /^\s*(?:.{1,1000}?:\d+:\d+:\s+)?([a-z_@.\u0080-\uffff][\w.@\u0080-\uffff]*)\s*:?=\s*(\S.*)$/i

export const isSymbolList = (text: string): boolean =>
  /^[ \t]*(?:.{1,1000}?:\d+:\d+:[ \t]+)?[a-z_@.\u0080-\uffff][\w.@\u0080-\uffff]*[ \t]*:?=[ \t]*(?:\$|\d|"|%)/im.test(
    text.slice(0, 100_000),
  )

export function readSymbolList(text: string): LabelFile {
  const found = new LabelCollector()
  for (const [line, number] of linesOf(text)) {
    const where = `line ${number}`
    if (line.trim() === '' || /^\s*(?:;|\/\/|#)/.test(line)) continue
    const [, name, value] = entry.exec(line.slice(0, 2000)) ?? []
    if (name === undefined || value === undefined) {
      found.skip(where, 'expected “name = $0810”')
      continue
    }
    const [, sign, digits] = /^(\$|%)?([0-9a-f]+)\s*(?:;.*)?$/i.exec(value) ?? []
    if (digits === undefined) continue
    const address = Number.parseInt(digits, sign === '$' ? 16 : sign === '%' ? 2 : 10)
    if (address > 0xffff || Number.isNaN(address)) continue
    found.addLabel({ ...splitName(name, '.'), address, size: null, kind: sign === '$' ? 'label' : 'constant' }, where)
  }
  return found.finish('label list')
}
