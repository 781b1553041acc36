/**
 * Oscar64's debug file (`-g`, `.dbj`): JSON, except that `eid` in types is not quoted. `memory` has every object with
 * its addresses, end excluded; `functions` have their source lines.
 */
import { z } from 'zod'
import type { LabelKind } from '@shared/c64/labels/programLabel'
import { AppError } from '@shared/contract/errors'
import { LabelCollector, type LabelFile } from './labelFile'

export const isOscar64Debug = (text: string): boolean => /^\s*\{\s*"memory"\s*:/.test(text)

const range = { start: z.number(), end: z.number() }
const object = z.object({ name: z.string(), ...range, type: z.string().catch('') })
const line = z.object({ ...range, source: z.string(), line: z.number() })
const file = z.object({
  memory: z.array(z.unknown()),
  functions: z.array(z.object({ lines: z.array(z.unknown()).catch([]) }).catch({ lines: [] })).catch([]),
})

export function readOscar64Debug(text: string): LabelFile {
  const found = new LabelCollector()
  const { memory, functions } = file.parse(parse(text))
  for (const [index, given] of memory.entries()) {
    const where = `memory[${index}]`
    const { data } = object.safeParse(given)
    if (!data) found.skip(where, 'expected { name, start, end, type }')
    else {
      const { name, start, end, type } = data
      const size = end - start
      found.addLabel({ name, scope: null, address: start, size: size > 0 ? size : null, kind: kindOf(type) }, where)
    }
  }
  for (const [at, { lines }] of functions.entries()) {
    for (const [index, given] of lines.entries()) {
      const where = `functions[${at}].lines[${index}]`
      const { data } = line.safeParse(given)
      if (!data) found.skip(where, 'expected { start, end, source, line }')
      else if (data.end > data.start)
        found.addLine({ file: data.source, line: data.line, start: data.start, end: data.end }, where)
    }
  }
  return found.finish('Oscar64 debug file')
}

function parse(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text.replaceAll(/,[ \t]*eid:/g, ',"eid":'))
    if (typeof parsed === 'object' && parsed !== null && Array.isArray(Reflect.get(parsed, 'memory'))) return parsed
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('INVALID', `This is no complete Oscar64 debug file: ${reason}.`, {
      hint: 'Build the program again, then load the file again.',
      cause,
    })
  }
  throw new AppError('INVALID', 'This is no Oscar64 debug file: expected a list “memory”.')
}

const kindOf = (type: string): LabelKind => {
  if (/CODE/.test(type)) return 'code'
  return /DATA|BSS/.test(type) ? 'data' : 'label'
}
