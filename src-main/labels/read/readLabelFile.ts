/** By content, as `.dbg`, `.lbl` and `.sym` have several meanings. */
import { AppError } from '@shared/contract/errors'
import { decodeText } from '../../files/decodeText'
import { isAcmeReport, readAcmeReport } from './acmeReport'
import { isCc65Debug, readCc65Debug } from './cc65Debug'
import { readElfFile } from './elfFile'
import { isElf } from './elfSections'
import { isKickDebug, readKickDebug } from './kickDebug'
import { isKickSymbols, readKickSymbols } from './kickSymbols'
import type { LabelFile } from './labelFile'
import { isOscar64Debug, readOscar64Debug } from './oscar64Debug'
import { isSymbolList, readSymbolList } from './symbolList'
import { isTassListing, readTassListing } from './tassListing'
import { isViceLabels, readViceLabels } from './viceLabels'

interface TextFormat {
  readonly title: string
  readonly is: (text: string) => boolean
  readonly read: (text: string) => LabelFile
}

/** In the order of trying: the last formats would accept lines of the others. */
const textFormats: readonly TextFormat[] = [
  { title: 'KickAssembler debug file', is: isKickDebug, read: readKickDebug },
  { title: 'cc65 debug file', is: isCc65Debug, read: readCc65Debug },
  { title: 'Oscar64 debug file', is: isOscar64Debug, read: readOscar64Debug },
  { title: '64tass listing', is: isTassListing, read: readTassListing },
  { title: 'ACME report', is: isAcmeReport, read: readAcmeReport },
  { title: 'KickAssembler symbols', is: isKickSymbols, read: readKickSymbols },
  { title: 'VICE labels', is: isViceLabels, read: readViceLabels },
  { title: 'Label list', is: isSymbolList, read: readSymbolList },
]

const labelFormatsHint =
  'Bridgedeck reads VICE labels, lists of 64tass and ACME, 64tass listings (--list with --line-numbers and a -D), ACME reports, KickAssembler .dbg and .sym, cc65 .dbg, Oscar64 .dbj, and llvm-mos ELF files with DWARF lines.'

const isLd65Map = (text: string): boolean => /^Modules list:\s*\n-+/.test(text) && /^Segment list:\s*$/m.test(text)

/** @throws AppError INVALID for another format, or a file without any readable part */
export function readLabelFile(bytes: Uint8Array): LabelFile & { readonly format: string } {
  if (isElf(bytes)) return { format: 'ELF file', ...readElfFile(bytes) }
  const text = decodeText(bytes)
  if (text.slice(0, 4096).includes('\0'))
    throw new AppError('INVALID', 'This is no file of labels.', { hint: labelFormatsHint })
  if (isLd65Map(text))
    throw new AppError('INVALID', 'This is a map file of ld65, which Bridgedeck does not read.', {
      hint: 'Link with --dbgfile FILE.dbg or -Ln FILE.lbl, and choose that file.',
    })
  const format = textFormats.find(({ is }) => is(text))
  if (format) return { format: format.title, ...format.read(text) }
  if (text.trim() === '') return { format: 'Empty', labels: [], lines: [], segments: [], problem: 'The file is empty.' }
  throw new AppError('INVALID', 'This is no file of labels.', { hint: labelFormatsHint })
}
