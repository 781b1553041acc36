/**
 * ACME's report (`--report`): source lines, no labels. A line has its number and, where it made bytes, its address and
 * the first eight: “ 15 080d a200 ldx #0”. More bytes end with “...”: such a line reaches to the next one, unless the
 * program counter is set between. A macro's bytes belong to the calling line, a loop's to its last line. Within
 * `!pseudopc` an address is where the code lies, not where it runs. Tried with ACME 0.97.
 */
import { LabelCollector, linesOf, type LabelFile } from './labelFile'

const source = /^; \*{8} Source: (.+)$/
const row = /^ {0,5}(\d{1,10}) {2}(?:([0-9a-f]{4,8}) ((?:[0-9a-f]{2})+)(\.\.\.)?)?/
const setsAddress = /\*\s*=|!(?:skip|org|align|pseudopc|realpc)\b/i

export const isAcmeReport = (text: string): boolean => /^\s*; \*{8} Source: /.test(text.slice(0, 2000))

const SHOWN_BYTES = 8

export function readAcmeReport(text: string): LabelFile {
  const found = new LabelCollector()
  let file: string | null = null
  let open: { file: string; line: number; start: number; where: string } | null = null
  const close = (next: number | null) => {
    if (open) {
      const { start } = open
      const end = next !== null && next > start + SHOWN_BYTES ? next : start + SHOWN_BYTES + 1
      found.addLine({ ...open, end: Math.min(end, Math.max(start + 1, 0x10000)) }, open.where)
    }
    open = null
  }
  for (const [line, number] of linesOf(text)) {
    const name = source.exec(line.slice(0, 2000))?.[1]
    if (name !== undefined) {
      file = name
      continue
    }
    if (line === '') continue
    const where = `line ${number}`
    const parts = row.exec(line.slice(0, 100))
    if (!parts || file === null) {
      found.skip(where, 'expected “    15  080d a200”')
      continue
    }
    const [prefix, lineNumber = '', address, hex = '', more] = parts
    if (setsAddress.test(line.slice(prefix.length, 1000))) close(null)
    if (address === undefined) continue
    const start = Number.parseInt(address, 16)
    close(start)
    if (more === undefined) found.addLine({ file, line: Number(lineNumber), start, end: start + hex.length / 2 }, where)
    else open = { file, line: Number(lineNumber), start, where }
  }
  close(null)
  return found.finish('ACME report')
}
