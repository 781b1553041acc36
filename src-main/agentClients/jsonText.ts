import { parseJson, type Json } from '@shared/json'
import { applyEdits, type TextEdit } from '../formats/finding'
import { at, plain, type LocatedDocument } from '../formats/text/located'
import { parseLocatedJson } from '../formats/text/locatedJson'
import { spliceJson } from '../formats/text/splice'
import { StateText } from '../formats/text/stateFile'
import { refusal, type ConfigText } from './configText'

/** @param hasComments whether the program also reads comments and trailing commas */
export const jsonText = ({ hasComments }: { readonly hasComments: boolean }): ConfigText => {
  const open = (text: string, file = '') => parseLocatedJson(new StateText(file, text), undefined, { hasComments })
  return {
    parse: (text, file) => {
      const { root, findings } = open(text, file)
      const [fault] = findings
      if (fault) throw refusal(file, `line ${fault.line}, column ${fault.column}: expected ${fault.expected}`)
      return root && plain(root)
    },
    edit: (text, path, before, after) => {
      const start = text.trim() === '' ? '{\n}\n' : text
      const put = (place: readonly string[], value: unknown, now: string) => {
        const document = open(now)
        const edits =
          value === undefined
            ? removal(document, place)
            : additionOrChange(document, place, parseJson(JSON.stringify(value), ''))
        return applyEdits(now, edits)
      }
      if (after === null) return put(path, undefined, start)
      if (before === null || !Object.keys(before).every((key) => key in after)) return put(path, after, start)
      return Object.entries(after).reduce(
        (now, [key, value]) =>
          JSON.stringify(value) === JSON.stringify(before[key]) ? now : put([...path, key], value, now),
        start,
      )
    },
  }
}

const LINE_END = /^([ \t]*)(,?)[ \t]*(\/\/[^\n]*|\/\*[^\n]*?\*\/[ \t]*)?\r?(?:\n|$)/

function additionOrChange(document: LocatedDocument, path: readonly string[], value: Json): TextEdit[] {
  const edits = spliceJson(document, path, value)
  const [edit] = edits
  if (edit?.length !== 0 || !/^,\r?\n/.test(edit.text)) return edits
  const { text } = document.text
  const [line, , comma = ''] = LINE_END.exec(text.slice(edit.offset)) ?? []
  if (line === undefined || line.trim() === '') return edits
  return [
    ...(comma === '' ? [{ offset: edit.offset, length: 0, text: ',' }] : []),
    { offset: edit.offset + line.trimEnd().length, length: 0, text: edit.text.slice(1) + comma },
  ]
}

function removal(document: LocatedDocument, path: readonly string[]): TextEdit[] {
  const { text } = document.text
  const parent = at(document.root, ...path.slice(0, -1))
  const fields = parent?.kind === 'map' ? [...parent.fields] : []
  const index = fields.findIndex(([name]) => name === path.at(-1))
  const own = fields[index]?.[1]
  if (!own) return []
  const start = text.lastIndexOf('\n', own.key.start - 1) + 1
  const [line, , comma = ''] = LINE_END.exec(text.slice(own.value.end)) ?? []
  if (line === undefined || text.slice(start, own.key.start).trim() !== '') return spliceJson(document, path, undefined)
  const before = fields[index - 1]?.[1].value.end
  const isLast = index === fields.length - 1 && comma === '' && before !== undefined
  return [
    ...(isLast ? [{ offset: text.indexOf(',', before), length: 1, text: '' }] : []),
    { offset: start, length: own.value.end + line.length - start, text: '' },
  ]
}
