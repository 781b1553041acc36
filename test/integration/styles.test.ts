/** The styles take colours, sizes of text, distances and times from tokens.css alone, and its colours can be read. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../src-renderer')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
const TOKENS = 'widgets/tokens.css'
const tokens = read(TOKENS)
const styles = paths.filter((path) => path.endsWith('.css') && path !== TOKENS)

interface Declaration {
  readonly property: string
  readonly value: string
}

const withoutComments = (css: string): string => css.replace(/\/\*[\s\S]*?\*\//g, '')

/** Conditions of `@container` and `@media` are none: they have no semicolon. */
const declarationsOf = (css: string): Declaration[] =>
  [...withoutComments(css).matchAll(/(?<=[{;]\s*)(?<property>--[\w-]+|[a-z-]+):\s*(?<value>[^;{}]+);/g)].map(
    ({ groups }) => ({ property: groups?.['property'] ?? '', value: groups?.['value'] ?? '' }),
  )

const named =
  'white|black|red|green|blue|gr[ae]y|silver|orange|yellow|purple|navy|teal|olive|maroon|lime|aqua|cyan|magenta|fuchsia|pink|brown|gold'
const rawColour = new RegExp(
  String.raw`#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix)\(|(?<![\w-])(?:${named})(?![\w-])`,
  'i',
)
const lengths = (value: string): number[] =>
  [...value.matchAll(/(?<![\w.-])(\d*\.?\d+)px/g)].map(([, px]) => Number(px))

/** What of a declaration belongs into the tokens; undefined for nothing. */
function strayOf({ property, value }: Declaration): string | undefined {
  if (rawColour.test(value)) return 'a colour'
  if (/^font(-size)?$/.test(property) && !/var\(--text-|inherit/.test(value)) return 'a size of text'
  if (/^font(-family)?$/.test(property) && !/var\(--font-|inherit/.test(value)) return 'a font'
  if (/^(transition|animation)/.test(property) && /(?<![\w.-])(?!0m?s)[\d.]+m?s\b/.test(value)) return 'a time'
  if (/^(padding|margin|(row-|column-)?gap)(-|$)/.test(property) && lengths(value).some((px) => px % 4 !== 0))
    return 'a distance off the 4-px grid'
  if (/^border(-\w+)*-radius$/.test(property) && lengths(value).length > 0) return 'a radius'
  return undefined
}

describe('a style', () => {
  it.each([
    ['color: #fff;', 'a colour'],
    ['background: rgb(0 0 0 / 20%);', 'a colour'],
    ['border: 1px solid White;', 'a colour'],
    ['font-size: 12px;', 'a size of text'],
    ['font: 12px / 16px var(--font-ui);', 'a size of text'],
    ['font-family: monospace;', 'a font'],
    ['transition: opacity 300ms;', 'a time'],
    ['animation: spin 1s infinite;', 'a time'],
    ['padding: 0 6px;', 'a distance off the 4-px grid'],
    ['row-gap: 2px;', 'a distance off the 4-px grid'],
    ['border-radius: 3px;', 'a radius'],
  ])('that says %s has %s', (css, stray) => {
    expect(declarationsOf(`a { ${css} }`).map(strayOf)).toEqual([stray])
  })

  it.each([
    'color: var(--on-white);',
    'white-space: nowrap;',
    'background: transparent;',
    'padding: 0 4px var(--gap-half);',
    'animation: rise 0s var(--motion);',
    'font: inherit;',
    'font-weight: 600;',
    'border-radius: 50%;',
    'margin-left: calc(-1 * var(--gap-4));',
  ])('that says %s has nothing of its own', (css) => {
    expect(declarationsOf(`a { ${css} }`).map(strayOf)).toEqual([undefined])
  })
})

describe('the styles', () => {
  const defined = new Set(
    [tokens, ...styles.map(read)].flatMap((css) => declarationsOf(css).map(({ property }) => property)),
  )

  it.each(styles)('of %s name tokens', (path) => {
    const strays = declarationsOf(read(path)).flatMap((declaration) => {
      const stray = strayOf(declaration)
      return stray === undefined
        ? []
        : [`${stray} for widgets/tokens.css: ${declaration.property}: ${declaration.value}`]
    })
    expect(strays).toEqual([])
  })

  it.each(styles)('of %s name only what there is', (path) => {
    const used = [...withoutComments(read(path)).matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name ?? '')
    expect(used.filter((name) => !defined.has(name) && !name.startsWith('--radix-'))).toEqual([])
  })

  it('use every token', () => {
    const code = paths.filter((path) => /(?<!\.test)\.tsx?$/.test(path))
    const text = [tokens, ...[...styles, ...code].map(read)].join('\n')
    const names = declarationsOf(tokens).flatMap(({ property }) => (property.startsWith('--') ? [property] : []))
    const isUsed = (name: string): boolean =>
      [`var(${name})`, `'${name}'`, `read('${name.slice(2)}')`].some((use) => text.includes(use))
    expect(names.filter((name) => !isUsed(name))).toEqual([])
  })
})

describe('the tokens', () => {
  const scale = declarationsOf(tokens).filter(({ property }) => property.startsWith('--text-'))
  const times = declarationsOf(tokens).filter(({ property }) => property.startsWith('--motion'))

  it('are a scale of four sizes of text', () => {
    expect(scale.map(({ value }) => value)).toEqual(['11px', '12px', '13px', '16px'])
  })

  it('let nothing move for 150 ms or longer', () => {
    expect(times.length).toBeGreaterThan(0)
    for (const { value } of times) expect(Number(/^(\d+)ms$/.exec(value)?.[1])).toBeLessThan(150)
  })

  it('have the same colours in both themes', () => {
    expect(Object.keys(coloursOf('light'))).toEqual(Object.keys(coloursOf('dark')))
  })
})

const grounds = [
  'bg',
  'panel',
  'raised',
  'hover',
  'pressed',
  'field',
  'accent-soft',
  'ok-soft',
  'warn-soft',
  'bad-soft',
  'changed-soft',
]
const texts = ['text', 'muted', 'accent', 'ok', 'warn', 'bad']
const marks = ['line-strong', 'accent', 'changed', ...[1, 2, 3, 4, 5, 6].map((number) => `agent-${number}`)]

describe.each(['light', 'dark'])('in the %s theme', (theme) => {
  const colours = coloursOf(theme)
  /** Of two colours by their names, as WCAG 2 computes it. */
  const contrast = (first: string, second: string): number => {
    const [darker = 0, lighter = 0] = [first, second].map((name) => luminance(colours[name])).sort((a, b) => a - b)
    return (lighter + 0.05) / (darker + 0.05)
  }

  it.each(texts.flatMap((text) => grounds.map((ground) => [text, ground] as const)))(
    '%s can be read on %s',
    (text, ground) => {
      expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5)
    },
  )

  it.each(['accent', 'accent-hover'])('the text of a main button can be read on %s', (ground) => {
    expect(contrast('on-accent', ground)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(marks.flatMap((mark) => grounds.map((ground) => [mark, ground] as const)))(
    '%s is seen on %s',
    (mark, ground) => {
      expect(contrast(mark, ground)).toBeGreaterThanOrEqual(3)
    },
  )

  it('every colour is a ground, a text, a mark or one that parts', () => {
    const roles = [...grounds, ...texts, ...marks, 'on-accent', 'accent-hover', 'line']
    expect(Object.keys(colours).filter((name) => !roles.includes(name))).toEqual([])
  })
})

/** The colours of a theme that are written in hexadecimal, by their names. */
function coloursOf(theme: string): Readonly<Record<string, string>> {
  const body = new RegExp(String.raw`\[data-theme='${theme}'\] \{([^}]*)\}`).exec(withoutComments(tokens))?.[1] ?? ''
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

function luminance(colour: string | undefined): number {
  const [red = NaN, green = NaN, blue = NaN] = [1, 3, 5]
    .map((at) => Number.parseInt((colour ?? '').slice(at, at + 2), 16) / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
