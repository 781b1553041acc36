/**
 * Labels in the format of VICE's monitor: `al C:0810 .name`, also without `C:`, with `$`, and with six digits. Written
 * by cc65 (`-Ln`), 64tass (`--vice-labels`), ACME (`--vicelabels`), KickAssembler (`-vicesymbols`) and Oscar64. Other
 * monitor commands, such as `break 0811`, may stand between. Source: VICE manual, “Monitor, label commands”.
 */
import { LabelCollector, linesOf, splitName, type LabelFile } from './labelFile'

const label = /^\s*(?:al|add_label)\s+(?:[a-z0-9]+:)?\$?([0-9a-f]{1,8})\s+\.?(\S+)/i
const labelCommand = /^\s*(?:al|add_label)\s/i

export const isViceLabels = (text: string): boolean => /^[ \t]*(?:al|add_label)[ \t]/im.test(text)

export function readViceLabels(text: string): LabelFile {
  const found = new LabelCollector()
  for (const [line, number] of linesOf(text)) {
    if (!labelCommand.test(line)) continue
    const where = `line ${number}`
    const [, digits, name] = label.exec(line.slice(0, 1000)) ?? []
    if (digits === undefined || name === undefined) found.skip(where, 'expected “al C:0810 .name”')
    else
      found.addLabel(
        // 64tass separates a procedure and its local names with a colon.
        { ...splitName(name, ':'), address: Number.parseInt(digits, 16), size: null, kind: 'label' },
        where,
      )
  }
  return found.finish('VICE label file')
}
