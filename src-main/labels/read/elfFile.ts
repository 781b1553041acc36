import { AppError } from '@shared/contract/errors'
import { addDwarfLines } from './dwarfLines'
import { readElfSections } from './elfSections'
import { addElfSymbols } from './elfSymbols'
import { LabelCollector, type LabelFile } from './labelFile'

export function readElfFile(bytes: Uint8Array): LabelFile {
  const sections = readElfSections(bytes)
  const found = new LabelCollector()
  const hasSymbols = addElfSymbols(found, sections)
  for (const { name, loaded } of sections)
    if (loaded && loaded.end > loaded.start) found.addSegment({ name, ...loaded }, `section ${name}`)
  const hasLines = addDwarfLines(found, sections)
  if (!hasSymbols && !hasLines)
    throw new AppError('INVALID', 'This ELF file has no symbol table.', { hint: 'Link the program without -s.' })
  return found.finish('ELF file')
}
