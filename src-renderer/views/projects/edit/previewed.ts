import type { Preview } from '@shared/contract/edits'
import { visibleText } from '../../../widgets/visibleText'

const MAX_NAMED_FILES = 2

export const mustBeSeen = ({ warnings, git, isPossible, files }: Preview): boolean =>
  !isPossible ||
  git !== null ||
  warnings.length > 0 ||
  files.some(({ kind, isTooLarge }) => isTooLarge || kind === 'deleted' || kind === 'moved')

/** Without a full stop; the last file is a link. Null where the summary names the file. */
export function writtenPlaces(
  { files, remembered }: Pick<Preview, 'files' | 'remembered'>,
  summary: string,
): string | null {
  const [only, ...more] = files
  if (only && more.length === 0 && summary.includes(only.file)) return null
  if (files.length === 0) return remembered === 0 ? null : 'Stored by Bridgedeck, beside the files.'
  const named = files.slice(0, MAX_NAMED_FILES).map(({ file }) => visibleText(file))
  const others = files.length - named.length
  return `Written: ${named.join(', ')}${others === 0 ? '' : ` and ${others} more`}`
}
