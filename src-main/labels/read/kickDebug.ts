/**
 * KickAssembler's debug file (`-debugdump`, `.dbg`): XML with comma-separated lines. `Sources`: `index,file`; `Block`
 * of a `Segment`: `$start,$end,file,line,…` with the end included (other tools write these into the `Segment` itself);
 * `Labels`: `segment,$address,name`. Only XML's five predefined entities are read.
 */
import { AppError } from '@shared/contract/errors'
import { LabelCollector, linesOf, splitName, type LabelFile } from './labelFile'

export const isKickDebug = (text: string): boolean => /<C64debugger[\s>]/i.test(text.slice(0, 10_000))

export function readKickDebug(text: string): LabelFile {
  const found = new LabelCollector()
  const sources = new Map<number, string>()
  const open: string[] = []
  let isComplete = false
  for (const [line, number] of linesOf(text)) {
    const trimmed = line.trim()
    const [, closing, tag, selfClosing] = /^<(\/?)(\w+)[^<>]*?(\/?)>$/.exec(trimmed.slice(0, 2000)) ?? []
    if (tag !== undefined) {
      if (closing === '/') {
        open.pop()
        isComplete ||= tag.toLowerCase() === 'c64debugger'
      } else if (selfClosing !== '/' && open.length < 20) open.push(tag.toLowerCase())
      continue
    }
    if (trimmed === '') continue
    const where = `line ${number}`
    const fields = trimmed.slice(0, 4000).split(',')
    if (open.includes('sources')) {
      const [index = '', ...file] = fields
      sources.set(Number.parseInt(index, 10), withSigns(file.join(',')))
    } else if (open.includes('segment')) addBlock(found, sources, fields, where)
    else if (open.includes('labels')) {
      const [, address, name] = fields
      if (address === undefined || name === undefined) found.skip(where, 'expected “Default,$0810,name”')
      else found.addLabel({ ...splitName(name.trim(), '.'), address: hex(address), size: null, kind: 'label' }, where)
    }
  }
  if (!isComplete) {
    const problem = 'it ends before </C64debugger>'
    if (found.isEmpty)
      throw new AppError('INVALID', `This is no complete KickAssembler debug file: ${problem}.`, {
        hint: 'Build the program again, then load the file again.',
      })
    found.skip('its end', problem)
  }
  return found.finish('KickAssembler debug file')
}

function addBlock(found: LabelCollector, sources: ReadonlyMap<number, string>, fields: string[], where: string): void {
  const [start, end, index, line] = fields
  const file = sources.get(Number.parseInt(index ?? '', 10))
  if (start === undefined || end === undefined || line === undefined || file === undefined)
    found.skip(where, 'expected “$0810,$0812,1,7,…” with a file of <Sources>')
  // KickAssembler writes a line without bytes with its end before its start.
  else if (hex(end) >= hex(start))
    found.addLine({ file, line: Number.parseInt(line, 10), start: hex(start), end: hex(end) + 1 }, where)
}

const signs = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }))

const withSigns = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (entity, name: string) => signs.get(name) ?? entity)

const hex = (text: string): number => {
  const [, digits] = /^\s*\$?([0-9a-f]{1,8})\s*$/i.exec(text) ?? []
  return digits === undefined ? Number.NaN : Number.parseInt(digits, 16)
}
