/**
 * `.label name=$0810`, with a block in braces for local names: KickAssembler's symbol file (`-symbolfile`, `.sym`) is
 * source that another program includes.
 */
import { LabelCollector, linesOf, type LabelFile } from './labelFile'

const MAX_DEPTH = 20

const statement = /^\s*\.(label|const|namespace)\s+([\w@]+)\s*(?:=\s*(\$?)([0-9a-f]+)\s*)?(\{?)\s*(?:\/\/.*)?$/i

const negative = /^\s*\.(?:label|const)\s+[\w@]+\s*=\s*(?:-\$?|\$-)[0-9a-f]+\s*(?:\/\/.*)?$/i

export const isKickSymbols = (text: string): boolean =>
  /^[ \t]*\.(?:label|namespace|const)[ \t]/im.test(text.slice(0, 100_000))

export function readKickSymbols(text: string): LabelFile {
  const found = new LabelCollector()
  const scopes: string[] = []
  for (const [line, number] of linesOf(text)) {
    const where = `line ${number}`
    if (/^\s*\}\s*$/.test(line)) {
      scopes.pop()
      continue
    }
    if (line.trim() === '' || /^\s*\/\//.test(line) || negative.test(line.slice(0, 1000))) continue
    const [, kind, name, sign, digits, brace] = statement.exec(line.slice(0, 1000)) ?? []
    if (kind === undefined || name === undefined) {
      found.skip(where, 'expected “.label name=$0810”')
      continue
    }
    if (digits !== undefined) {
      found.addLabel(
        {
          name,
          scope: scopes.at(-1) ?? null,
          address: Number.parseInt(digits, sign === '$' ? 16 : 10),
          size: null,
          kind: kind.toLowerCase() === 'label' ? 'label' : 'constant',
        },
        where,
      )
    }
    if (brace === '{') {
      if (scopes.length < MAX_DEPTH) scopes.push([...scopes.slice(-1), name].join('.'))
      else {
        found.skip(where, `blocks may be ${MAX_DEPTH} deep`)
        return found.finish('KickAssembler symbol file')
      }
    }
  }
  const unclosed = scopes.at(-1)
  if (unclosed !== undefined) found.skip('its end', `expected “}” after ${unclosed}`)
  return found.finish('KickAssembler symbol file')
}
