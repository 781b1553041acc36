/** A strict reader of XML, for what we write: throws where it is not well-formed. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** Of its own, without that of elements within. */
  text: string
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** What XML 1.0 calls a character. */
const CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u

/** All elements in the order of their start tags. */
export function xmlElements(xml: string): XmlElement[] {
  if (!CHARACTERS.test(xml)) throw new Error('a character that XML does not have')
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
  const elements: XmlElement[] = []
  const open: XmlElement[] = []
  let at = 0
  while (at < body.length) {
    const next = body.indexOf('<', at)
    const text = body.slice(at, next < 0 ? body.length : next)
    const inside = open.at(-1)
    if (inside) inside.text += decoded(text)
    else if (text.trim() !== '') throw new Error(`text outside of the root: ${text}`)
    if (next < 0) break
    const tag = /^<(\/?)([A-Za-z][\w.-]*)((?:\s+[A-Za-z][\w.-]*="[^"<]*")*)\s*(\/?)>/.exec(
      body.slice(next, next + 100_000),
    )
    if (!tag) throw new Error(`no tag: ${body.slice(next, next + 80)}`)
    const [whole, closes, name = '', attributes = '', isEmpty] = tag
    if (closes) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`)
    } else {
      if (open.length === 0 && elements.length > 0) throw new Error('a second root')
      const element = { name, attributes: attributesOf(attributes), text: '' }
      elements.push(element)
      if (!isEmpty) open.push(element)
    }
    at = next + whole.length
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)?.name ?? ''}> is not closed`)
  return elements
}

function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/\s+([A-Za-z][\w.-]*)="([^"<]*)"/g)) {
    if (Object.hasOwn(found, name)) throw new Error(`${name} is there twice`)
    // As a reader does with line ends that are not escaped.
    found[name] = decoded(value.replaceAll(/[\t\n\r]/g, ' '))
  }
  return found
}

function decoded(text: string): string {
  if (text.includes(']]>')) throw new Error(']]> in a text')
  return text.replaceAll(/&([^;]*);?/g, (whole, name: string) => {
    const number = /^#(\d+)$/.exec(name)?.[1]
    const character = number === undefined ? entities[name] : String.fromCodePoint(Number(number))
    if (character === undefined || !whole.endsWith(';')) throw new Error(`no entity: ${whole}`)
    return character
  })
}
